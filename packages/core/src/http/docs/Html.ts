/** HTML of texts that may contain anything: every text is escaped here before it becomes part of the page. */

/** Escapes a text, for the content of an element or a quoted attribute. */
export const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The target within the page that a name between backticks links to; undefined for a name without one. */
export type Target = (name: string) => string | undefined

/** A text with code between backticks; code that has a target becomes a link. */
export const inline = (text: string, target: Target): string =>
  text.split("`").map((part, index) => {
    if (index % 2 === 0) return escape(part)
    const to = target(part)
    const code = `<code>${escape(part)}</code>`
    return to === undefined ? code : `<a href="#${escape(to)}">${code}</a>`
  }).join("")

const afterSentence = /(?<=\.\)?) (?=[A-Z`0-9])/

/** Divides a description into the text before its numbered steps, each step, and the text after them. */
const steps = (text: string): { before: string; steps: ReadonlyArray<string>; after: string } => {
  const found: Array<string> = []
  const start = text.search(/(?<=[.:] )1\. /)
  if (start === -1) return { before: text, steps: found, after: "" }
  let rest = text.slice(start)
  for (let number = 1; rest.startsWith(`${number}. `); number++) {
    rest = rest.slice(`${number}. `.length)
    const next = rest.indexOf(` ${number + 1}. `)
    const end = next === -1 ? rest.split(afterSentence)[0]!.length : next
    found.push(rest.slice(0, end))
    rest = rest.slice(end + 1)
  }
  return { before: text.slice(0, start - 1), steps: found, after: rest }
}

/** Divides a long description into paragraphs, so that it can be read on a narrow screen; short sentences share one. */
const paragraphMinChars = 220

const paragraphs = (sentences: ReadonlyArray<string>): ReadonlyArray<string> => {
  const all: Array<string> = []
  for (const sentence of sentences) {
    const last = all.at(-1)
    if (last === undefined || last.length >= paragraphMinChars) all.push(sentence)
    else all[all.length - 1] = `${last} ${sentence}`
  }
  return all
}

/** A description: its first sentence stands out, its steps are a list. */
export const prose = (text: string, target: Target): string => {
  const parts = steps(text)
  const [lead = "", ...more] = parts.before.split(afterSentence)
  const paragraph = (sentences: ReadonlyArray<string>) =>
    paragraphs(sentences).map((one) => `<p>${inline(one, target)}</p>`).join("")
  const list = parts.steps.map((step) => `<li>${inline(step, target)}</li>`).join("")
  return `<p class="lead">${inline(lead, target)}</p>${paragraph(more)}${list === "" ? "" : `<ol>${list}</ol>`}${
    paragraph(parts.after === "" ? [] : parts.after.split(afterSentence))
  }`
}
