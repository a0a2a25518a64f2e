/**
 * The texts of a page in the languages that come with the drive, by keys like `request.finish`. `{name}` stands for a value. A text about a
 * number has a key for each form that its language has, like `request.files.one` and `request.files.other`
 * (https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html).
 */
export interface PageTexts {
  readonly en: Readonly<Record<string, string>>
  readonly de: Readonly<Record<string, string>>
}

/** Tables that have the same keys in each language. */
export const pageTexts = <const Key extends string>(
  tables: Readonly<Record<keyof PageTexts, Readonly<Record<Key, string>>>>
): Readonly<Record<keyof PageTexts, Readonly<Record<Key, string>>>> => tables

/** The keys by which a program of the browser asks for texts: those of plurals without their form. */
export type KeyOf<Texts extends { readonly en: object }> = keyof Texts["en"] extends infer Key
  ? Key extends `${infer Start}.${"zero" | "one" | "two" | "few" | "many" | "other"}` ? Start
  : Key & string
  : never
