/** The document that loads a page: its style, its program, the host's name and logo, and what the program has to know. */
import type { BuiltPage } from "./BuiltPages.ts"
import type { PageName } from "./pages.ts"
import { rootId, type Settings, settingsId } from "./Settings.ts"
import { directionOf } from "./texts/texts.ts"

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

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/** JSON that ends no element and begins no comment. */
const embedded = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c")

const brand = ({ logo, settings: { hostName } }: DocumentOptions): string => {
  const name = escaped(hostName ?? "")
  if (logo === null) return name === "" ? "" : `<span class="brand-name">${name}</span>`
  const image = `<img class="brand-logo" src="${escaped(logo.light)}" alt="${name}">`
  return logo.dark === logo.light
    ? image
    : `<picture><source media="(prefers-color-scheme: dark)" srcset="${escaped(logo.dark)}">${image}</picture>`
}

/** The document, and the text of its one style, which a policy may name by its hash. */
export const document = (options: DocumentOptions): { readonly html: string; readonly style: string } => {
  const { assets, name, page, settings, theme } = options
  const { hostName, language, texts } = settings
  const style = page.style + theme
  const asset = (file: string) => escaped(`${assets}/${file}`)
  const title = [texts[`${name}.title`], hostName].filter((one) => one !== null && one !== undefined).join(" · ")
  const shownBrand = brand(options)
  const html = `<!doctype html>
<html lang="${escaped(language)}" dir="${directionOf(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>${escaped(title)}</title>
<style>${style}</style>
${page.modules.map((file) => `<link rel="modulepreload" href="${asset(file)}">`).join("")}
<script type="module" src="${asset(page.script)}"></script>
<link rel="icon" href="${asset("icon.svg")}"></head><body>
${shownBrand === "" ? "" : `<header class="brand">${shownBrand}</header>`}
<div id="${rootId}"><main class="wait" aria-busy="true"><div class="wait-mark"></div></main></div>
<noscript><p class="no-script">${escaped(texts["common.noScript"] ?? "")}</p></noscript>
<script type="application/json" id="${settingsId}">${embedded(settings)}</script>
</body></html>
`
  return { html, style }
}
