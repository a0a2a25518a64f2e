/** The page's texts in the reader's language. */
import { settings } from "./settings.ts"

type Values = Readonly<Record<string, string | number>>

/** The reader's own kind of the page's language, such as British or Austrian: dates and numbers are written in it. */
export const locale: string =
  navigator.languages.find((one) => one.toLowerCase().split("-")[0] === settings.language.split("-")[0]) ??
    settings.language

const plurals = new Intl.PluralRules(settings.language)
const numbers = new Intl.NumberFormat(locale)

/** Text of others within a sentence: its direction is its own, and turns nothing around it. */
const isolated = (text: string): string => `\u2068${text}\u2069`

const written = (value: string | number): string => typeof value === "number" ? numbers.format(value) : isolated(value)

/** A newer drive may answer a state or a permission that this page has no text for: then its own name is shown. */
const lastOf = (key: string): string => key.slice(key.lastIndexOf(".") + 1)

/** The texts of a page by their keys. `{name}` in a text is the value of that name; `count` chooses among the forms of a plural. */
export const textsOf = <Key extends string>() => (key: Key, values: Values = {}): string => {
  const { count } = values
  const form = typeof count === "number" ? settings.texts[`${key}.${plurals.select(count)}`] : undefined
  const text = form ?? settings.texts[key] ?? settings.texts[`${key}.other`] ?? lastOf(key)
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => name in values ? written(values[name]!) : whole)
}
