/** HTML made of texts that may hold anything: every text goes through here before it is part of the page. */

/** As text of an element and as a quoted attribute. */
export const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Where the names between backticks lead: a link's target of the page, or undefined for a name without one. */
export type Target = (name: string) => string | undefined

/** Prose with code between backticks; code that has a target is a link. */
export const inline = (text: string, target: Target): string =>
  text.split("`").map((part, index) => {
    if (index % 2 === 0) return escape(part)
    const to = target(part)
    const code = `<code>${escape(part)}</code>`
    return to === undefined ? code : `<a href="#${escape(to)}">${code}</a>`
  }).join("")

const afterSentence = /(?<=\.\)?) (?=[A-Z`0-9])/

/** The numbered steps of a description, which runs as one text: what stands before them, each of them, and what follows. */
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

/** Shorter sentences share a paragraph, so that a long description can be read on a narrow screen. */
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

/** A description: its first sentence leads, its steps are a list. */
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
