/** HTML in which every value is escaped. */

/** Text that is HTML already. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | ReadonlyArray<Html>

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!)

const written = (value: Value): string =>
  value instanceof Html
    ? value.text
    : typeof value === "object"
    ? value.map(({ text }) => text).join("")
    : escaped(String(value))

/** Values become text, and never markup: in elements, and in attributes within double quotes. */
export const html = (texts: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html =>
  new Html(texts.reduce((all, text, at) => all + written(values[at - 1]!) + text))

/** Text that is HTML already. */
export const raw = (text: string): Html => new Html(text)
