/** The option `pages`: how the drive's pages look at this host. */
import type { Colours, HostTexts } from "@filedrive/pages"
import { Schema } from "effect"
import { fields, isObject, must, text } from "../OptionSchema.ts"
import { type HostLink, isHostLink, linksMax } from "./HostLinks.ts"
import { logoOf } from "./Logo.ts"

const optional = Schema.optionalKey

const colour = must<string>(
  "must be a colour like #2f5bd7",
  (value) => typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value)
)

const colours: Schema.Codec<Colours> = fields({
  /** Of buttons, links and progress. It is made darker or lighter where text would be hard to read. */
  accent: colour,
  /** The same on dark ground. Default: `accent`. */
  accentDark: optional(colour)
})

const logoMaxBytes = 512 * 1024

const logo = must<Uint8Array>(
  "must be the bytes of an SVG, PNG, JPEG or WebP image of 512 KiB or less",
  (value) => value instanceof Uint8Array && value.length <= logoMaxBytes && logoOf(value) !== undefined
)

const texts = must<HostTexts>(
  "must be tables of texts by language, like { de: { \"request.finish\": \"Fertig\" } }",
  (value) =>
    isObject(value) &&
    Object.values(value).every((table) =>
      isObject(table) && Object.values(table).every((one) => typeof one === "string")
    )
)

const links = must<ReadonlyArray<HostLink>>(
  `must be a list of at most ${linksMax} links with a label and a path of this site or a web address, like { label: "Upload", url: "/upload" }`,
  (value) => Array.isArray(value) && value.length <= linksMax && value.every(isHostLink)
)

export const pagesOptions = fields({
  /** The host's name, which titles have. */
  name: optional(text),
  /** The bytes of an image, shown at the top of each page: an SVG, PNG, JPEG or WebP of at most 512 KiB. */
  logo: optional(logo),
  /** The logo on dark ground. Default: `logo`. */
  logoDark: optional(logo),
  colours: optional(colours),
  /**
   * Texts in the place of those that come with the drive, by language and key; docs/pages.md lists the keys. Another language than English and
   * German is added by its table.
   */
  texts: optional(texts),
  /** Links to pages of the host's own, beside the pages of people who are signed in. Default none. */
  links: optional(links)
})

export interface PagesOptions extends Schema.Schema.Type<typeof pagesOptions> {}
