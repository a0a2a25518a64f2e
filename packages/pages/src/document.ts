/** The document that loads a page: its style, its program, the host's name and logo, and what the program has to know. */
import type { BuiltPage } from "./BuiltPages.ts"
import { type PageName, pages } from "./pages.ts"
import { navigationId, rootId, type Settings, settingsId } from "./Settings.ts"
import { directionOf } from "./texts/texts.ts"

/** What is at the top of a page. */
export interface Brand {
  readonly hostName: string | null
  /** The paths of the host's logo; null without one. */
  readonly logo: { readonly light: string; readonly dark: string } | null
}

export interface DocumentOptions {
  readonly name: PageName
  readonly page: BuiltPage
  readonly settings: Settings
  /** Of the host's colours; empty without them. */
  readonly theme: string
  /** The paths of the host's logo; null without one. */
  readonly logo: { readonly light: string; readonly dark: string } | null
  /** The path at which the assets are, without a slash at its end. */
  readonly assets: string
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/** JSON that ends no element and begins no comment. */
const embedded = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c")

export const brand = ({ hostName, logo }: Brand): string => {
  const name = escaped(hostName ?? "")
  if (logo === null) return name === "" ? "" : `<span class="brand-name">${name}</span>`
  const image = `<img class="brand-logo" src="${escaped(logo.light)}" alt="${name}">`
  return logo.dark === logo.light
    ? image
    : `<picture><source media="(prefers-color-scheme: dark)" srcset="${escaped(logo.dark)}">${image}</picture>`
}

/** What is at the top: the host's brand, and room for the navigation of people who are signed in. */
const header = (options: DocumentOptions): string => {
  const shown = brand({ hostName: options.settings.hostName, logo: options.logo })
  if (pages[options.name].signedIn === true) {
    return `<header class="brand brand-signed-in">${shown}<div id="${navigationId}"></div></header>`
  }
  return shown === "" ? "" : `<header class="brand">${shown}</header>`
}

/** Where the program does not come (its server is away just then, or is another version by now), the style shows this after a while. */
const slow = (texts: Settings["texts"]): string => {
  const [text, retry] = ["common.slow", "common.retry"].map((key) => escaped(texts[key] ?? ""))
  return `<div class="wait-slow"><h1>${text}</h1><a class="button button-primary" href="">${retry}</a></div>`
}

/** The document, and the text of its one style, which a policy may name by its hash. */
export const document = (options: DocumentOptions): { readonly html: string; readonly style: string } => {
  const { assets, name, page, settings, theme } = options
  const { hostName, language, texts } = settings
  const style = page.style + theme
  const asset = (file: string) => escaped(`${assets}/${file}`)
  const title = [texts[`${name}.title`], hostName].filter((one) => one !== null && one !== undefined).join(" · ")
  const html = `<!doctype html>
<html lang="${escaped(language)}" dir="${directionOf(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>${escaped(title)}</title>
<style>${style}</style>
${page.modules.map((file) => `<link rel="modulepreload" href="${asset(file)}">`).join("")}
<script type="module" src="${asset(page.script)}"></script>
<link rel="icon" href="${asset("icon.svg")}"></head><body>
${header(options)}
<div id="${rootId}"><main class="wait" aria-busy="true"><div class="wait-mark"></div>${slow(texts)}</main></div>
<noscript><p class="no-script">${escaped(texts["common.noScript"] ?? "")}</p></noscript>
<script type="application/json" id="${settingsId}">${embedded(settings)}</script>
</body></html>
`
  return { html, style }
}
