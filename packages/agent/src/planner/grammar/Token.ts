/** A request cut into tokens: words, quoted texts, paths, file names, links and numbers, each with its place in the text. */
import { typeOfExtension } from "../words/Extensions.ts"

export type TokenKind =
  | "word"
  | "number"
  | "quoted"
  | "path"
  | "file"
  | "url"
  | "handle"
  | "hashtag"
  | "date"
  | "timecode"
  | "id"
  | "mark"

export interface Token {
  readonly kind: TokenKind
  /** As written; of a quoted text what is between the quotes. */
  readonly raw: string
  /** Lower case without accents, `ß` as `ss`. */
  readonly norm: string
  readonly start: number
  readonly end: number
  /** What the drive has of this name; none for words that are no known name. */
  readonly known?: ReadonlyArray<"file" | "folder" | "playlist" | "gallery" | "tag" | "request" | "review">
}

/** The form in which words are compared. */
export const fold = (text: string): string =>
  text.toLowerCase().replaceAll("ß", "ss").normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("’", "'")

const quotes: Readonly<Record<string, string>> = {
  "\"": "\"",
  "“": "”",
  "„": "“”\"",
  "‚": "‘’",
  "‹": "›",
  "›": "‹",
  "«": "»",
  "»": "«",
  "‘": "’",
  "'": "'",
  "`": "`"
}

/** A quoted text that begins at `at`, or null. An apostrophe inside a word is no quote. */
const quotedAt = (text: string, at: number): { readonly raw: string; readonly end: number } | null => {
  const closing = quotes[text[at]!]
  if (closing === undefined || (at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1]!))) return null
  for (let end = at + 1; end < text.length; end++) {
    if (!closing.includes(text[end]!)) continue
    if (text[at] === "'" && /[\p{L}\p{N}]/u.test(text[end + 1] ?? "")) continue
    const raw = text.slice(at + 1, end).trim()
    return raw === "" ? null : { raw, end: end + 1 }
  }
  return null
}

/** Tried in order. What stands behind a sentence, like its full stop, belongs to no token but marks. */
const rules: ReadonlyArray<readonly [TokenKind, RegExp]> = [
  ["url", /https?:\/\/[^\s"<>“”]+[^\s"<>“”.,;:!?)\]]/iuy],
  ["id", /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/iuy],
  ["handle", /@[\p{L}\p{N}_][\p{L}\p{N}_.-]*[\p{L}\p{N}_]|@[\p{L}\p{N}_]/uy],
  ["hashtag", /#[\p{L}\p{N}][\p{L}\p{N}_-]*/uy],
  [
    "date",
    /\d{4}-\d{2}-\d{2}(?![\w-])|\d{1,2}\.\s?\d{1,2}\.(?:\s?\d{4}|\d{2})?(?!\w)|\d{1,2}\/\d{1,2}\/\d{2,4}(?!\w)/uy
  ],
  ["timecode", /\d{1,3}:\d{2}(?::\d{2})?(?!\w)/uy],
  // "/Class 7b/Essays": a word with a slash of its own goes on.
  [
    "path",
    /\/[\p{L}\p{N}][^\s,;:"“”?!/]*(?: (?!(?:and|or|und|oder|to|into|in|nach|from|with)\/)[\p{L}\p{N}_-]+\/[^\s,;:"“”?!.)]+)/uy
  ],
  ["path", /\/(?:[^\s,;:"“”?!]*[^\s,;:"“”?!.)])?/uy],
  ["file", /[\p{L}\p{N}_][\p{L}\p{N}_.&+~()-]*\.[A-Za-z0-9]{1,5}(?![\p{L}\p{N}_])/uy],
  ["path", /[\p{L}\p{N}_-]+(?:\/[\p{L}\p{N}_-]+)+/uy],
  ["word", /\d+(?:st|nd|rd|th)(?!\w)/iuy],
  ["number", /\d+(?:[.,]\d{3})+(?![\d_-])|\d+(?:[.,]\d+)?(?![\d_-])/uy],
  ["word", /[A-Ha-h](?:#|♯|♭)m?(?![\p{L}\p{N}])/uy],
  ["word", /[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]|['’](?!s(?![\p{L}\p{N}]))(?=\p{L}))*/uy],
  ["word", /['’]s(?![\p{L}\p{N}])/uy],
  ["mark", /\.\.\.|…|\S/uy]
]

const fileName = /^[^.,;:!?/]{1,60}(?:\.[\p{L}\p{N}_-]+)*\.[A-Za-z0-9]{1,5}$/u

const matchAt = (text: string, at: number): Omit<Token, "norm" | "known"> => {
  const quoted = quotedAt(text, at)
  if (quoted !== null) {
    // A quoted name of a file is one; a quoted sentence that ends with one is not.
    const isFile = fileName.test(quoted.raw) &&
      typeOfExtension(quoted.raw.slice(quoted.raw.lastIndexOf(".") + 1)) !== null
    return { kind: isFile ? "file" : "quoted", raw: quoted.raw, start: at, end: quoted.end }
  }
  for (const [kind, rule] of rules) {
    rule.lastIndex = at
    const [raw] = rule.exec(text) ?? []
    if (raw === undefined || (kind === "file" && typeOfExtension(raw.slice(raw.lastIndexOf(".") + 1)) === null)) {
      continue
    }
    return { kind, raw, start: at, end: at + raw.length }
  }
  return { kind: "mark", raw: text[at]!, start: at, end: at + 1 }
}

/** The tokens of a text, in order. */
export const tokenize = (text: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  for (let at = 0; at < text.length;) {
    if (/\s/u.test(text[at]!)) {
      at++
      continue
    }
    const token = matchAt(text, at)
    tokens.push({ ...token, norm: fold(token.raw).replaceAll(/(?<=\p{L})'(?=\p{L})/gu, "") })
    at = token.end
  }
  return tokens
}

/** The text from the first of some tokens to the last, as written; a single quoted token without its quotes. */
export const rawOf = (text: string, tokens: ReadonlyArray<Token>): string => {
  const [first] = tokens
  const last = tokens.at(-1)
  if (first === undefined || last === undefined) return ""
  return first === last ? first.raw : text.slice(first.start, last.end)
}
