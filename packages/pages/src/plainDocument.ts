/** The document of a page that needs no program: its style, the host's name and logo, and what it says. */
import { type Brand, brand, escaped } from "./document.ts"
import { directionOf } from "./texts/texts.ts"

export interface PlainOptions extends Brand {
  readonly language: string
  readonly title: string
  /** Markup: whoever makes it escapes what is a value. */
  readonly body: string
  /** The built style of plain pages, with the theme of the host's colours: a policy may name it by its hash. */
  readonly style: string
}

export const plainDocument = ({ body, hostName, language, logo, style, title }: PlainOptions): string => {
  const shown = brand({ hostName, logo })
  return `<!doctype html>
<html lang="${escaped(language)}" dir="${directionOf(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex"><title>${
    escaped([title, ...hostName === null ? [] : [hostName]].join(" · "))
  }</title>
<style>${style}</style></head><body>
${shown === "" ? "" : `<header class="brand">${shown}</header>`}
<main class="plain"><div class="card"><h1>${escaped(title)}</h1>
${body}
</div></main></body></html>
`
}
