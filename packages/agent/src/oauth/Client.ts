/** An app that asks: it registered itself, or is described by a document at the address that is its id. Pure. */
import { Duration } from "effect"
import * as RedirectUri from "./RedirectUri.ts"

export interface Client {
  readonly id: string
  /** As it calls itself. */
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
  /** The host that vouches for its description; null for one that registered itself, which any program can do under any name. */
  readonly host: string | null
}

export const nameMaxLength = 100
export const redirectsMax = 10

/** What nobody sees, or what looks different everywhere: controls, fillers, private and unassigned characters. Emojis may have their selector. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\u2800]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/u

/** What reaches beyond its line: many marks on one letter, and blanks that set the rest of the sentence apart. */
const sprawling = /\p{M}{5}|\p{Zs}{2}/u

/** Text that is shown to people: in one line, seen by them, and not turned around by characters that nobody sees. */
export const isName = (value: unknown): value is string =>
  typeof value === "string" && value.length <= nameMaxLength && value.isWellFormed() &&
  /[\p{L}\p{N}\p{S}]/u.test(value) && !unseen.test(value) && !sprawling.test(value)

/** The usable redirects of a client; empty if there are more than {@link redirectsMax}. */
export const redirectsOf = (value: unknown, schemes: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (!Array.isArray(value)) return []
  const usable = value.filter((one): one is string =>
    typeof one === "string" && RedirectUri.parse(one, schemes) !== null
  )
  const different = [...new Set(usable)]
  return different.length > redirectsMax ? [] : different
}

/** Whether an id is the address of a document: https with a path, spelled as the parser writes it. */
export const isDocument = (id: string): boolean => {
  if (!id.startsWith("https://") || id.length > RedirectUri.maxLength || !URL.canParse(id)) return false
  const url = new URL(id)
  return url.href === id && url.pathname !== "/" && url.hash === "" && url.username === "" && url.password === ""
}

/** The client that a document describes; or why it describes none, as a sentence. */
export const ofDocument = (id: string, document: unknown, schemes: ReadonlyArray<string>): Client | string => {
  const { client_id, client_name, redirect_uris } = Object(document) as Readonly<Record<string, unknown>>
  if (client_id !== id) return "Its document names another client_id than its address."
  const redirectUris = redirectsOf(redirect_uris, schemes)
  if (redirectUris.length === 0) return "Its document has no redirect_uris that can be used."
  const { host } = new URL(id)
  return { id, name: isName(client_name) ? client_name : host, redirectUris, host }
}

const [shortest, longest] = [Duration.minutes(1), Duration.hours(24)]

/** How long a document is kept, by its `Cache-Control`. */
export const lifetimeOf = (cacheControl: string | null): Duration.Duration => {
  const [, seconds] = /(?:^|,)\s*max-age=(\d{1,9})/i.exec(cacheControl ?? "") ?? []
  if (seconds === undefined || /no-store|no-cache/i.test(cacheControl ?? "")) return shortest
  return Duration.clamp(Duration.seconds(Number(seconds)), { minimum: shortest, maximum: longest })
}
