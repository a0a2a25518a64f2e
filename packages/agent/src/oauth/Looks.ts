/** How the pages of consent look, and in which words they speak: those of the drive's other pages, where a host gives them. */
import { type ConsentText, consentTexts } from "./ConsentTexts.ts"
import { type Html, html, raw } from "./Html.ts"

export interface Looks {
  /** Of all these pages. */
  readonly style: string
  /** Whether the document has images of the drive's own site, like a logo. */
  readonly hasImages: boolean
  /** The document with this style and nothing that runs; `body` is markup. */
  readonly document: (page: { readonly title: string; readonly body: string; readonly language: string }) => string
  /** The texts for a reader of the header `Accept-Language`. */
  readonly textsFor: (
    acceptLanguage: string | undefined
  ) => { readonly language: string; readonly texts: Readonly<Record<string, string>> }
}

const style =
  `:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--line:#868e9c;--accent:#2f5bd7;--on:#fff;--soft:#59616f}
@media(prefers-color-scheme:dark){:root{--page:#12151a;--card:#1b1f26;--line:#78818f;--accent:#86a8ff;--on:#000;--soft:#a5adba}}
*{box-sizing:border-box}
body{font:1rem/1.5 system-ui,sans-serif;background:var(--page);margin:0;padding:1rem;overflow-wrap:anywhere}
main{max-width:32rem;margin:3vh auto;padding:1.5rem;background:var(--card);border-radius:1rem}
h1{font-size:1.4rem;line-height:1.25;margin:0 0 1rem}p{margin:0 0 1rem}
fieldset{border:0;margin:0 0 .75rem;padding:0;min-width:0}legend{font-weight:600;padding:0}
label{display:grid;grid-template-columns:auto 1fr;gap:.7rem;align-items:start;padding:.4rem 0}
input[type=checkbox]{width:1.15rem;height:1.15rem;margin:.18rem 0 0}
select{font:inherit;width:100%;padding:.5rem;margin:.5rem 0 .25rem}
.soft{color:var(--soft);font-size:.9rem}
.answer{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.25rem 0}
button{flex:1;min-width:8rem;font:inherit;font-weight:600;padding:.65rem 1rem;border:1px solid var(--line);border-radius:.6rem;cursor:pointer}
.button-primary{background:var(--accent);color:var(--on)}`

/** Without a host's: in English. */
export const plain: Looks = {
  style,
  hasImages: false,
  document: ({ body, language, title }) =>
    `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
${html`<title>${title}</title>`.text}
<style>${style}</style></head><body><main>
${html`<h1>${title}</h1>`.text}
${body}
</main></body></html>
`,
  textsFor: () => ({ language: "en", texts: consentTexts })
}

export interface Words {
  readonly language: string
  /** For a title: the direction of a value turns nothing around it. */
  readonly text: (key: ConsentText, values?: Readonly<Record<string, string>>) => string
  /** For a body: what is a value is markup already. */
  readonly html: (key: ConsentText, values?: Readonly<Record<string, Html>>) => Html
}

const isolated = (value: string | undefined) => value === undefined ? undefined : `\u2068${value}\u2069`

const place = /\{(\w+)\}/

/** The words for a reader. */
export const wordsOf = ({ textsFor }: Looks, acceptLanguage: string | undefined): Words => {
  const { language, texts } = textsFor(acceptLanguage)
  const textOf = (key: ConsentText): string => texts[key] ?? consentTexts[key]
  return {
    language,
    text: (key, values = {}) =>
      textOf(key).replaceAll(new RegExp(place, "g"), (whole, name: string) => isolated(values[name]) ?? whole),
    html: (key, values = {}) =>
      raw(
        // Every second part is the name of a value.
        textOf(key).split(place).map((part, at) =>
          at % 2 === 0 ? html`${part}`.text : values[part]?.text ?? `{${part}}`
        )
          .join("")
      )
  }
}
