/**
 * The host's colour as a theme. It fills what has a text on it, black or white. Text in it, and shapes without a text, must be seen
 * whatever colour a host has: for them it is made lighter or darker until WCAG's contrast is reached.
 */
export interface Colours {
  /** Of buttons, links and progress, like `#2f5bd7`. */
  readonly accent: string
  /** The same on dark ground. Default: `accent`. */
  readonly accentDark?: string
}

type Rgb = readonly [red: number, green: number, blue: number]

const parse = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb

const write = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`

/** WCAG 2.2, "relative luminance". */
const luminance = (rgb: Rgb): number => {
  const [red, green, blue] = rgb.map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

/** WCAG 2.2, "contrast ratio": 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [dark, light] = [luminance(parse(one)), luminance(parse(other))].toSorted((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

const mix = (from: string, to: string, share: number): string => {
  const [a, b] = [parse(from), parse(to)]
  return write(a.map((part, at) => part + (b[at]! - part) * share) as unknown as Rgb)
}

/** The colour nearest to `colour` on the way to `end` that has this contrast to `ground`. */
const until = (least: number, colour: string, ground: string, end: string): string => {
  for (let step = 0; step < 20; step++) {
    const mixed = mix(colour, end, step / 20)
    if (contrast(mixed, ground) >= least) return mixed
  }
  return end
}

const white = "#ffffff"
const black = "#000000"

/** The ground of light and dark pages that has the least contrast to text: `--raised` of `browser/style/tokens.css`. */
export const grounds = { light: "#f3f4f7", dark: "#232730" }

const properties = (accent: string, ground: string, end: string): string => {
  const written = contrast(accent, white) >= contrast(accent, black) ? white : black
  const firm = until(3, accent, ground, end)
  return `:root{--accent:${accent};--on-accent:${written};--accent-firm:${firm};--accent-text:${
    until(4.6, firm, ground, end)
  }}`
}

/** Custom properties in the place of those of `browser/style/tokens.css`. */
export const themeOf = ({ accent, accentDark = accent }: Colours): string =>
  properties(accent, grounds.light, black) +
  `@media(prefers-color-scheme:dark){${properties(accentDark, grounds.dark, white)}}`
