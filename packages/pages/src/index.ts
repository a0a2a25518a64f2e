/**
 * The pages of a file drive that people open in their browser, built, and the documents that load them. A server gives them out: the one in
 * `@filedrive/adapter-node` does, by the option `pages` of `createDrive`.
 */
export { type BuiltAsset, type BuiltPage, type BuiltPages } from "./BuiltPages.ts"
export { document, type DocumentOptions } from "./document.ts"
export { languageOf } from "./languageOf.ts"
export { load } from "./load.ts"
export { type Page, type PageName, pages } from "./pages.ts"
export { plainDocument, type PlainOptions } from "./plainDocument.ts"
export { policy, type PolicyOptions } from "./policy.ts"
export type { Settings, SettingsLink } from "./Settings.ts"
export { directionOf, type HostTexts, languages, plainTextsOf, textsOf, unknownText } from "./texts/texts.ts"
export { type Colours, themeOf } from "./theme.ts"
