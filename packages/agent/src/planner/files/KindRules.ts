/** Rules for what files are: kinds, extensions, names, visibility, and words for those mentioned before. */
import { classAt, isFiller } from "../grammar/Sentence.ts"
import { fold } from "../grammar/Token.ts"
import { typeOfExtension } from "../words/Extensions.ts"
import type { Reader, Rule } from "./FileRule.ts"
import type { FileType } from "./FileType.ts"

const types: ReadonlyArray<readonly [noun: string, types: ReadonlyArray<FileType>]> = [
  ["image", ["Image"]],
  ["video", ["Video"]],
  ["audio", ["Audio"]],
  ["document", ["Document", "Text"]],
  ["text", ["Text"]],
  ["archivefile", ["Archive"]]
]

/** Kinds that only extensions tell, by the folded word. */
const extensionsOf: ReadonlyArray<readonly [words: RegExp, extensions: string]> = [
  [/^(?:spreadsheets?|tabellen?|excel|excels)$/, "xlsx xls ods csv numbers"],
  [
    /^(?:presentations?|slides|slide-?decks?|powerpoints?|prasentation(?:en)?|praesentation(?:en)?|folien)$/,
    "pptx ppt odp key"
  ],
  [/^(?:word)$/, "docx doc"],
  [/^(?:raws?)$/, "dng cr2 cr3 nef arw raf orf rw2"]
]

/** Extensions that are words as well. */
const words = new Set(
  "pages numbers key raw log band text als ai doc docs bin ts exe js sketch tex stl sql mid htm".split(" ")
)

const markNumber = (reader: Reader, length: number): void => {
  const { at, draft, sentence } = reader
  if (draft.number !== "unknown") return
  const phrase = sentence.tokens.slice(at, at + length).map(({ norm }) => norm).join(" ")
  draft.number = sentence.vocabulary.singulars.has(phrase) ? "one" : "many"
  if (draft.number === "one" && draft.sort !== null && draft.count === null) draft.count = 1
}

/** The length of a noun for any file at `at`: "files" in "pdf files". */
const anyNoun = ({ end, sentence }: Reader, at: number): number =>
  Math.max(
    classAt(sentence, at, "n:any", end),
    classAt(sentence, at, "n:document", end),
    classAt(sentence, at, "n:image", end)
  )

const extension: Rule = (reader) => {
  const { at, draft, end, sentence } = reader
  const dot = sentence.tokens[at]!.raw === "." ? 1 : 0
  const token = sentence.tokens[at + dot]
  if (token === undefined || token.kind !== "word" || at + dot >= end) return 0
  const listed = extensionsOf.find(([pattern]) => pattern.test(token.norm))
  const singular = token.norm.replace(/s$/, "").replace(/-(?:datei|dateien|file|files)$/, "")
  const bare = typeOfExtension(token.norm) === null ? singular : token.norm
  const isExtension = typeOfExtension(bare) !== null && (dot > 0 || !words.has(bare))
  if (listed === undefined && !isExtension) return 0
  const isOne = /^one|^ones/.test(sentence.tokens[at + 1]?.norm ?? "")
  if ((listed?.[1] === "docx doc" || token.norm === "raw") && anyNoun(reader, at + 1) === 0 && !isOne) return 0
  const extensions = listed?.[1].split(" ") ??
    (bare === "jpg" || bare === "jpeg" ? ["jpg", "jpeg"] : bare === "tif" || bare === "tiff" ? ["tif", "tiff"] : [bare])
  draft.extensions = [...draft.extensions, ...extensions]
  const noun = anyNoun(reader, at + dot + 1)
  if (noun > 0) markNumber({ ...reader, at: at + dot + 1 }, noun)
  else if (draft.number === "unknown") {
    draft.number = token.norm === bare && listed === undefined || sentence.vocabulary.singulars.has(token.norm)
      ? "one"
      : "many"
    if (draft.number === "one" && draft.sort !== null && draft.count === null) draft.count = 1
  }
  return dot + 1 + noun
}

/** "Sommerfest-Bilder", "Hochzeitsfotos": the kind is the end of the word. */
const compound: Rule = ({ at, draft, sentence }) => {
  const token = sentence.tokens[at]!
  if (token.kind !== "word" || sentence.vocabulary.code !== "de") return 0
  const found = /^(.{4,}?)s?-?(fotos?|bilder|bild|videos?|filme|songs|lieder|aufnahmen|dokumente|dateien)$/iu.exec(
    token.raw
  )
  if (
    found === null ||
    sentence.hits[at]!.some(({ className, isCorrected }) => className.startsWith("n:") && !isCorrected)
  ) return 0
  const [, head, noun] = found
  const meant = types.find(([name]) =>
    sentence.vocabulary.entries.get(fold(noun!))?.some(({ className }) => className === `n:${name}`)
  )
  if (meant !== undefined) draft.types = meant[1]
  draft.words = [...draft.words, head!]
  draft.number = sentence.vocabulary.singulars.has(fold(noun!)) ? "one" : "many"
  return 1
}

const kind: Rule = (reader) => {
  const { at, draft, end, sentence } = reader
  if (/^screen-?shots?$|^bildschirmfotos?$/.test(sentence.tokens[at]!.norm)) {
    draft.types = ["Image"]
    draft.words = [...draft.words, "screenshot"]
    draft.number = sentence.tokens[at]!.norm.endsWith("s") ? "many" : "one"
    return 1
  }
  for (const [noun, meant] of types) {
    const length = classAt(sentence, at, `n:${noun}`, end)
    if (length === 0) continue
    // "music videos": the last noun is what is meant.
    draft.types = meant
    const files = classAt(sentence, at + length, "n:any", end)
    if (files > 0) markNumber({ ...reader, at: at + length }, files)
    else markNumber(reader, length)
    return length + files
  }
  const any = classAt(sentence, at, "n:any", end)
  if (any === 0) return 0
  markNumber(reader, any)
  return any
}

const name: Rule = ({ at, draft, sentence }) => {
  const token = sentence.tokens[at]!
  if (token.kind === "file") draft.names = [...draft.names, token.raw]
  else if (token.kind === "quoted") draft.nameParts = [...draft.nameParts, { at: "in", text: token.raw }]
  else return 0
  if (draft.number === "unknown") draft.number = "one"
  return 1
}

const sharing = "(?:has |had )?(?:shared with (?:me|us)|sent (?:to )?(?:me|us)|gave (?:me|us))"

/** "that Bob shared with me", "Bob sent me"; German "die mir Anna geschickt hat", "hat mir Anna geschickt". */
export const sharedBy: Rule = ({ at, draft, end, sentence }) => {
  const words = sentence.tokens.slice(at, Math.min(end, at + 8)).map(({ norm }) => norm)
  const found = new RegExp(`^(?:that |which )?([\\p{L}]+) ${sharing}\\b`, "u").exec(words.join(" ")) ??
    /^(?:die |hat )?mir ([\p{L}]+) (?:geschickt|geteilt|freigegeben|gegeben)(?: hat)?/u.exec(words.join(" ")) ??
    /^(?:die |hat )?([\p{L}]+) mit mir geteilt(?: hat)?/u.exec(words.join(" ")) ??
    /^shared (?:with me )?by ([\p{L}]+)/u.exec(words.join(" "))
  if (found === null || /^(?:that|which|i|we|ich|wir|were|was|are|is|others|people|files|dateien)$/.test(found[1]!)) {
    return 0
  }
  draft.isShared = "withMe"
  draft.sharer = found[1]!
  return found[0].split(" ").length
}

const visible: Rule = ({ at, draft, end, sentence }) => {
  const withMe = classAt(sentence, at, "shared", end)
  const byMe = classAt(sentence, at, "sharedby", end)
  if (withMe + byMe > 0) {
    draft.isShared = byMe >= withMe ? "byMe" : "withMe"
    return Math.max(withMe, byMe)
  }
  const isPrivate = classAt(sentence, at, "private", end)
  const isPublic = classAt(sentence, at, "public", end)
  if (isPrivate + isPublic === 0) return 0
  draft.isPublic = isPublic > isPrivate
  return Math.max(isPrivate, isPublic)
}

const both = /^(?:both|beiden?|beides)$/

/** Whether nothing but small words follows. */
const isPolite = ({ end, sentence }: Reader, from: number): boolean =>
  sentence.tokens.slice(from, end).every(({ norm }, n) =>
    isFiller(sentence, from + n) || /^(?:bitte|please)$/.test(norm)
  )

/** "both photos and videos" are no two files. */
const isOfTwo = ({ end, sentence }: Reader, from: number): boolean =>
  !sentence.tokens.slice(from, end).some(({ norm, raw }) => /^(?:and|und|or|oder)$/.test(norm) || raw === ",")

/** "them", "it", "the rest". "That" before a verb or a noun is no pronoun; neither are German articles. */
const pronoun: Rule = (reader) => {
  const { at, draft, end, sentence } = reader
  // "Zeigen Sie mir …": who is asked.
  if (sentence.tokens[at]!.raw === "Sie" && at > 0) return 1
  for (const [className, refer] of [["rest", "rest"], ["them", "them"], ["it", "it"]] as const) {
    const length = classAt(sentence, at, className, end)
    if (length === 0) continue
    const next = at + length
    const isArticle = /^(?:these|those|this|that|die|das|der|diese|dieses|diesen|they|their|both|beide)$/.test(
      sentence.tokens[at]!.norm
    ) && length === 1
    const isLast = next >= end ||
      sentence.hits[next]!.some((hit) => /^(?:in|from|to|into|that|except|tagged|over|under|and)$/.test(hit.className))
    if (isArticle && !isLast) continue
    const isBoth = sentence.tokens.slice(at, next).some(({ norm }) => both.test(norm))
    // "the two floor plans", "die beiden Grundrisse": the noun says which.
    if (isBoth && !isLast && !isPolite(reader, next)) continue
    if (isBoth) draft.exactly = 2
    // "the file notes.txt", "the files in /Inbox" and "this photo of Ada" say which.
    const isNoun = length > 1 && classAt(sentence, next - 1, "n:any", next) > 0
    const isPointing = /^(?:these|those|this|that|dies\w*|jene\w*)$/.test(sentence.tokens[at]!.norm)
    if (isNoun && next < end && (!isPointing || /^(?:file|quoted|path)$/.test(sentence.tokens[next]!.kind))) continue
    draft.refer = refer
    if (draft.number === "unknown") draft.number = refer === "it" ? "one" : "many"
    return length
  }
  return 0
}

/** Words of a relative clause: "everything that is lying in /Trips", "was im Ordner Kunden liegt". */
const lying =
  /^(?:liegt|liegen|lag|lagen|steht|stehen|steckt|stecken|befindet|befinden|lying|sitting|located|living|stored|so|far|eigentlich|insgesamt|gerade|altogether)$/

/** Words that say nothing of which files. */
const silent: Rule = (reader) => {
  const { at, draft, end, sentence } = reader
  const { norm } = sentence.tokens[at]!
  if (lying.test(norm)) return 1
  if (/^(?:what|whatever|was|what's|whats)$/.test(norm) && at + 1 < end) {
    if (draft.number === "unknown") draft.number = "many"
    return 1
  }
  const all = classAt(sentence, at, "all", end)
  if (all > 0) {
    if (sentence.tokens[at]!.norm !== "any") draft.number = "many"
    const any = classAt(sentence, at, "n:any", end)
    const isBoth = sentence.tokens.slice(at, at + all).some(({ norm }) => both.test(norm))
    if (isBoth && at + all < end && isOfTwo(reader, at + all)) draft.exactly = 2
    return Math.max(all, any)
  }
  const drive = classAt(sentence, at, "drive", end)
  if (drive > 0) return drive
  for (const className of ["that", "is", "there", "ones", "has", "my"]) {
    const length = classAt(sentence, at, className, end)
    if (length > 0) return length
  }
  return isFiller(sentence, at) && sentence.tokens[at]!.kind === "word" ? 1 : 0
}

export const kinds: ReadonlyArray<Rule> = [extension, compound, kind, name, pronoun, visible, silent]
