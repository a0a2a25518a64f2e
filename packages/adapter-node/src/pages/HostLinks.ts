/** Links of the host's own on the pages of people who are signed in. */
import type { SettingsLink } from "@filedrive/pages"
import { isObject, isSitePath, isText } from "../OptionSchema.ts"

export interface HostLink {
  /** One for all languages, or one for each; what a language lacks is in English. */
  readonly label: string | { readonly en: string; readonly [language: string]: string }
  /** A path of this site, like `/upload`, or a web address. */
  readonly url: string
}

export const linksMax = 8

const isWebAddress = (value: unknown): boolean =>
  isText(value) && URL.canParse(value) && ["http:", "https:"].includes(new URL(value).protocol)

const isLabel = (value: unknown): boolean =>
  isText(value) || isObject(value) && isText(value["en"]) && Object.values(value).every(isText)

export const isHostLink = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).length === 2 && isLabel(value["label"]) &&
  (isSitePath(value["url"]) || isWebAddress(value["url"]))

/** The links with their labels in a language. */
export const linksIn = (language: string, links: ReadonlyArray<HostLink> = []): ReadonlyArray<SettingsLink> =>
  links.map(({ label, url }) => ({ label: typeof label === "string" ? label : label[language] ?? label.en, url }))
