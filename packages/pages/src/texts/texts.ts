/** Which texts a page has in which language: those of the drive, and the host's in their place. */
import { type PageName, pages } from "../pages.ts"
import { commonTexts } from "./commonTexts.ts"
import { connectionsTexts } from "./connectionsTexts.ts"
import { consentTexts } from "./consentTexts.ts"
import { ownerTexts } from "./ownerTexts.ts"
import type { PageTexts } from "./PageTexts.ts"
import { requestsTexts } from "./requestsTexts.ts"
import { requestTexts } from "./requestTexts.ts"
import { reviewsTexts } from "./reviewsTexts.ts"
import { reviewTexts } from "./reviewTexts.ts"
import { signedInTexts } from "./signedInTexts.ts"
import { signInTexts } from "./signInTexts.ts"

const texts: Readonly<Record<PageName, ReadonlyArray<PageTexts>>> = {
  request: [requestTexts],
  review: [reviewTexts],
  connections: [connectionsTexts],
  requests: [ownerTexts, requestsTexts],
  reviews: [ownerTexts, reviewsTexts]
}

/** By language, as `de` or `pt-BR`; each the host's texts by their keys. */
export type HostTexts = Readonly<Record<string, Readonly<Record<string, string>>>>

type Table = Readonly<Record<string, string>>

const plural = /\.(?:zero|one|two|few|many|other)$/

const own = (name: PageName): ReadonlyArray<PageTexts> => [
  commonTexts,
  ...pages[name].signedIn === true ? [signedInTexts] : [],
  ...texts[name]
]

/** The languages that pages are in, English first: it is taken where none of a reader's is among them. */
export const languages = (host: HostTexts = {}): ReadonlyArray<string> => [
  ...new Set(["en", "de", ...Object.keys(host)])
]

/** Pages without a program of their own: they have these texts and no others. */
const plain = { consent: consentTexts, signIn: signInTexts } as const
export type PlainName = keyof typeof plain

const inLanguage = (tables: ReadonlyArray<PageTexts>, language: string, host: HostTexts): Table =>
  Object.assign(
    {},
    ...tables.map(({ en }) => en),
    ...language === "de" ? tables.map(({ de }) => de) : [],
    host[language] ?? {}
  )

/** The texts of a page. What the host's table of another language lacks is in English. */
export const textsOf = (name: PageName, language: string, host: HostTexts = {}): Table =>
  inLanguage(own(name), language, host)

/** The same of a page that needs no program. */
export const plainTextsOf = (name: PlainName, language: string, host: HostTexts = {}): Table =>
  inLanguage([plain[name]], language, host)

export const plainNames = Object.keys(plain) as ReadonlyArray<PlainName>

const keyPattern = /^[a-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/

/** The first of a host's texts that no page has, as `de.request.titel`; undefined where there is none. */
export const unknownText = (host: HostTexts): string | undefined => {
  const all = [...(Object.keys(texts) as ReadonlyArray<PageName>).flatMap(own), ...Object.values(plain)]
    .flatMap(({ en }) => Object.keys(en))
  const known = new Set(all.map((key) => key.replace(plural, "")))
  for (const [language, table] of Object.entries(host)) {
    if (!keyPattern.test(language)) return language
    const wrong = Object.keys(table).find((key) => !known.has(key) && !known.has(key.replace(plural, "")))
    if (wrong !== undefined) return `${language}.${wrong}`
  }
  return undefined
}

const rightToLeft = /^(?:ar|arc|ckb|dv|fa|he|ks|ku|nqo|ps|sd|syr|ug|ur|yi)(?:-|$)/

export const directionOf = (language: string): "ltr" | "rtl" => rightToLeft.test(language) ? "rtl" : "ltr"
