/** Reads a sentence with what is said beside its requests, and applies to a request what a later part takes from it. */
import { exceptionOf } from "./files/exceptionOf.ts"
import { piecesOf } from "./grammar/asides.ts"
import { isRestLeft } from "./grammar/harmless.ts"
import { isKeeping, isKeepingOne } from "./grammar/keeping.ts"
import type { Span } from "./grammar/Sentence.ts"
import { intents } from "./intents/Intents.ts"
import { isFolderAlone } from "./intents/Removing.ts"
import { type Clause, conditional, isBare, reasonOf, sequence } from "./readClauses.ts"
import { readPairs } from "./readPairs.ts"
import { Slots } from "./Slots.ts"

interface Read {
  readonly clauses: ReadonlyArray<Clause>
  readonly score: number
}

/** Intents whose files stay anyway. */
const keeps =
  /^(?:delete a (?:playlist|gallery|tag|request|review|archive)|remove from a (?:playlist|gallery)|untag .*|make .*)$/

/** Intents that take files from where they are and delete none, which may be said: "…, but don't delete it". */
const leaves = /^(?:take out|remove from a (?:playlist|gallery)|untag .*|unshare .*|move files.*)$/

/** "remove it from Summer" without deleting it: out of a folder it is moved. */
const takeOut = intents.find(({ name }) => name === "take out")!

/** The request that keeps the files of a folder. */
const withoutFiles = intents.find(({ name }) => name === "delete a folder without its files")!

/** The last request with what it holds kept; null where that does not go with it. */
export const kept = (clauses: ReadonlyArray<Clause>, isSingular: boolean): ReadonlyArray<Clause> | null => {
  const last = clauses.at(-1)
  if (last === undefined || last.kind !== "do") return null
  const { name } = last.parsed.intent
  if (name === "take away") return [...clauses.slice(0, -1), { ...last, parsed: { ...last.parsed, intent: takeOut } }]
  if (leaves.test(name)) return clauses
  // "delete it, but don't delete it" says nothing.
  if (isSingular) return null
  if (keeps.test(name) || name === withoutFiles.name) return clauses
  const files = last.parsed.slots.get("files")
  if (name === "trash files" && files !== undefined && isFolderAlone(files)) {
    const slots = new Slots(new Map([["folder", { said: files.folder, isNew: false }]]))
    return [...clauses.slice(0, -1), { ...last, parsed: { ...last.parsed, intent: withoutFiles, slots } }]
  }
  return name === "delete a folder" || name === "delete a folder with its files"
    ? [...clauses.slice(0, -1), { ...last, parsed: { ...last.parsed, intent: withoutFiles } }]
    : null
}

/** The requests without what a later part leaves out; null where none of them is of files. */
export const limited = (clauses: ReadonlyArray<Clause>, span: Span): ReadonlyArray<Clause> | null => {
  const at = clauses.findLastIndex(({ kind, parsed }) => kind === "do" && parsed.slots.get("files") !== undefined)
  const clause = clauses[at]
  const files = clause?.parsed.slots.get("files")
  const except = clause === undefined || clauses.slice(at + 1).some(({ kind }) => kind === "do")
    ? null
    : exceptionOf(span)
  if (clause === undefined || except === null || files === undefined || files.except !== null) return null
  const slots = clause.parsed.slots.with("files", { ...files, except, number: "many" })
  return [...clauses.slice(0, at), { ...clause, parsed: { ...clause.parsed, slots } }, ...clauses.slice(at + 1)]
}

/** What a part beside the requests before it means for them; null where nothing is known of it. */
export const applied = (clauses: ReadonlyArray<Clause>, span: Span): ReadonlyArray<Clause> | null =>
  (isKeeping(span) ? kept(clauses, isKeepingOne(span)) : null) ??
    (isRestLeft(span) && clauses.length > 0 ? clauses : limited(clauses, span))

const hasText = ({ clauses }: Read): boolean =>
  clauses.some(({ parsed }) => ["text", "options"].some((slot) => parsed.slots.all().has(slot)))

const plain = (span: Span): Read | null => conditional(span) ?? sequence(span)

/** The sentence in its pieces, all of its requests understood; null where they are not. */
const pieced = (span: Span): (Read & { readonly isSure: boolean }) | "denied" | null => {
  const pieces = piecesOf(span, (part) => exceptionOf(part) !== null)
  if (pieces === null) return null
  if (pieces.some(({ kind }) => kind === "denial")) return "denied"
  let clauses: ReadonlyArray<Clause> = []
  let score = 0
  let isSure = false
  for (const { kind, span: piece } of pieces) {
    if (kind === "aside" || kind === "purpose") {
      isSure ||= kind === "purpose"
      if (clauses.length === 0) clauses = reasonOf(piece).clauses
      continue
    }
    if (kind === "keep" || kind === "except") {
      const changed = kind === "keep"
        ? kept(clauses, isKeepingOne(piece)) ?? limited(clauses, piece)
        : limited(clauses, piece)
      if (changed === null) return null
      clauses = changed
      score += 2
      continue
    }
    const read = plain(piece)
    if (read === null || isBare(read)) return null
    clauses = [...clauses, ...read.clauses]
    score += read.score
  }
  return { clauses, score, isSure }
}

/** The requests of a sentence, read whole or in its pieces. */
export const readSentence = (span: Span): Read | null => {
  const pairs = readPairs(span)
  if (pairs !== null) return pairs
  const whole = plain(span)
  if (whole !== null && hasText(whole) && !isBare(whole)) return whole
  const parts = pieced(span)
  if (parts === null) return whole
  if (parts === "denied") return null
  return whole === null || isBare(whole) || parts.isSure || parts.score >= whole.score - 2.5 ? parts : whole
}
