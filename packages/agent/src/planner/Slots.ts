/** What a slot of a form may hold, and how well a span fits it. A new kind of slot is a line of `parsers`. */
import { daysAt, endAt } from "./Dates.ts"
import type { FileQuery } from "./files/FileQuery.ts"
import { keyAt } from "./files/MusicalKey.ts"
import { parseFiles } from "./files/parseFiles.ts"
import { tagNamesAt } from "./files/PlaceRules.ts"
import { cutsOf } from "./grammar/clauses.ts"
import type { NameKind } from "./grammar/Lexicon.ts"
import { isNaming, nameLengthAt, strangeness, tooStrange } from "./grammar/Names.ts"
import { classAt, slice, type Span, textOf, tokensOf, trimmed } from "./grammar/Sentence.ts"
import { numberAt, quantityAt } from "./Quantities.ts"
import { optionsOf, type RequestOptions } from "./RequestOptions.ts"

/** A folder as it was named: a path, a name, "that" for the one mentioned, "" for the top of the drive. */
export interface FolderName {
  readonly said: string
  /** It is to be made. */
  readonly isNew: boolean
}

export interface SlotValues {
  readonly files: FileQuery
  readonly folder: FolderName
  /** Of a list, a folder or a file: short. */
  readonly name: string
  /** Names, one or several. */
  readonly names: ReadonlyArray<string>
  /** Anything, as written. */
  readonly text: string
  readonly tags: ReadonlyArray<string>
  readonly people: ReadonlyArray<string>
  /** The instant at which something ends. ISO 8601. */
  readonly due: string
  /** Bytes. */
  readonly size: number
  /** Seconds. */
  readonly time: number
  readonly number: number
  readonly url: string
  /** Links, one or several. */
  readonly urls: ReadonlyArray<string>
  /** A head, and options behind it. */
  readonly options: RequestOptions
}

interface Fit<A> {
  readonly value: A
  readonly score: number
}

type Parser<A> = (span: Span) => Fit<A> | null

const count = ({ from, to }: Span): number => to - from

const has = (span: Span, ...classNames: ReadonlyArray<string>): boolean => {
  for (let at = span.from; at < span.to; at++) {
    if (classNames.some((name) => classAt(span.sentence, at, name, span.to) > 0)) return true
  }
  return false
}

const thingNoun = /^n:(?:playlist|gallery|folder|request|review|tag|archive)$/

/** How well a span is a name of some kinds that the drive has; null for what can be none. */
const nameScore = (span: Span, kinds: ReadonlyArray<NameKind>): number | null => {
  const strange = strangeness(span)
  if (strange >= tooStrange && !isNaming(span.sentence, span.from)) return null
  const { kind, known } = span.sentence.tokens[span.from]!
  const isOne = span.to - span.from === 1
  const isKnown = isOne && known?.some((one) => kinds.includes(one)) === true
  return (isKnown ? 0.6 : 0) + (isOne && kind === "quoted" ? 0.2 : 0) - strange - 0.12 * count(span)
}

const listKinds: ReadonlyArray<NameKind> = ["playlist", "gallery", "tag", "request", "review"]

/** Without fillers around it, unless it is nothing else: a tag may be called "new". */
const nameSpan = (span: Span): Span => {
  const inner = trimmed(span)
  let { from } = inner
  // "Our trip" in the middle of a sentence is written as a name.
  while (from > Math.max(span.from, 1) && /^\p{Lu}/u.test(span.sentence.tokens[from - 1]!.raw)) from--
  return from < inner.to ? slice(span, from, inner.to) : span
}

const name: Parser<string> = (span) => {
  const inner = nameSpan(span)
  const text = textOf(inner).replace(/^["“„']|["”“']$/g, "").trim()
  if (article.test(text)) return null
  const isDate = inner.to - inner.from > 1 && (daysAt(span.sentence, inner.from, inner.to)?.length ?? 0) >= count(inner)
  // "the playlist" is no name of one.
  const isNoun = inner.to - inner.from === 1 && /^\p{Ll}/u.test(text) &&
    span.sentence.hits[inner.from]!.some(({ className, isCorrected }) => !isCorrected && thingNoun.test(className))
  const score = nameScore(inner, listKinds)
  return text === "" || score === null ? null : { value: text, score: score - (isNoun ? 1.5 : 0) - (isDate ? 0.8 : 0) }
}

const folder: Parser<FolderName> = (span) => {
  let inner = trimmed(span)
  const { sentence } = span
  if (
    (daysAt(sentence, inner.from, inner.to)?.length ?? 0) >= inner.to - inner.from && inner.from < inner.to &&
    !/^\d+$/.test(textOf(inner))
  ) return null
  if (inner.from >= inner.to) {
    return has(span, "it") ? { value: { said: "that", isNew: false }, score: 0 } : null
  }
  if (classAt(sentence, inner.from, "n:trash", inner.to) > 0) return null
  // "everything in the Inbox" is files, and no folder.
  if (/^(?:everything|anything|all|files|alles|dateien|sachen|whatever)$/.test(sentence.tokens[inner.from]!.norm)) {
    if (inner.to - inner.from > 1) return null
  }
  if (/^(?:drive|laufwerk|filedrive|ablage)$/.test(sentence.tokens[inner.from]!.norm) && inner.to - inner.from === 1) {
    return { value: { said: "", isNew: false }, score: 0.3 }
  }
  if ((keyAt(sentence, inner.from, inner.to, false)?.length ?? 0) >= inner.to - inner.from) return null
  const isNew = sentence.tokens.slice(span.from, inner.to).some(({ norm }) => /^(?:new|neuen?|neues)$/.test(norm))
  const top = classAt(sentence, inner.from, "toplevel", inner.to)
  if (top > 0 && inner.from + top === inner.to) return { value: { said: "", isNew: false }, score: 0.5 }
  const leading = classAt(sentence, inner.from, "n:folder", inner.to)
  let bonus = 0
  if (leading > 0) {
    bonus = 0.6
    const called = classAt(sentence, inner.from + leading, "called", inner.to)
    const rest = slice(span, inner.from + leading + called, inner.to)
    if (rest.from >= rest.to) return { value: { said: "that", isNew: false }, score: 0.5 }
    inner = rest
  } else if (classAt(sentence, inner.to - 1, "n:folder", inner.to) > 0) {
    bonus = 0.6
    inner = slice(span, inner.from, inner.to - 1)
    if (inner.from >= inner.to || /^(?:that|this|same|it)$/.test(textOf(inner).toLowerCase())) {
      return { value: { said: "that", isNew: false }, score: 0.5 }
    }
  }
  const tokens = tokensOf(inner)
  const [first] = tokens
  if (cutsOf(inner).length > 0) return null
  if (/^(?:it|there|that|this|same|dort|dorthin|darin|diesen)$/.test(first!.norm) && tokens.length === 1) {
    return { value: { said: "that", isNew: false }, score: 0.2 }
  }
  if (tokens.some(({ kind }) => kind === "file" || kind === "url" || kind === "handle")) return null
  // "in one zip", "into a playlist": no folders.
  const isOther = tokens.some(({ kind, known, raw }, n) =>
    kind === "word" && known === undefined && /^\p{Ll}/u.test(raw) &&
    sentence.hits[inner.from + n]!.some(({ className, isCorrected }) =>
      !isCorrected && /^n:(?:archive|playlist|gallery|request|review|tag|link)$/.test(className)
    )
  )
  if (isOther && sentence.vocabulary.code === "en") return null
  if (first!.kind === "path") bonus += 0.6
  const text = textOf(inner).replace(/['’]s$/u, "").trim()
  const score = nameScore(inner, ["folder"])
  return text === "" || score === null ? null : { value: { said: text, isNew }, score: bonus + score }
}

const article = /^(?:the|a|an|my|our|this|that|der|die|das|den|dem|ein|eine|einen|mein|meine)$/

const names: Parser<ReadonlyArray<string>> = (span) => {
  if (count(span) === 1 && trimmed(span).from === trimmed(span).to) {
    return /^\p{L}/u.test(textOf(span)) && !article.test(textOf(span)) ? { value: [textOf(span)], score: -0.1 } : null
  }
  let { from } = span
  while (from < span.to && /^[,:–—-]$/.test(span.sentence.tokens[from]!.raw)) from++
  const { length, tags } = tagNamesAt(span.sentence, from, span.to)
  return tags.length === 0 || tags.some((one) => /^(?:(?:sub)?folders?|(?:unter)?ordnern?)$/.test(one)) ||
      trimmed(slice(span, from + length, span.to)).from < trimmed(slice(span, from + length, span.to)).to
    ? null
    : {
      value: tags,
      score: -0.1 * length - tags.reduce((sum, tag) => sum + Math.max(0, tag.split(" ").length - 3), 0) * 0.5
    }
}

const tags: Parser<ReadonlyArray<string>> = (span) => {
  let inner = nameSpan(span)
  const { sentence } = span
  const noun = classAt(sentence, inner.from, "n:tag", inner.to)
  if (noun > 0) inner = trimmed(slice(span, inner.from + noun, inner.to))
  else if (inner.to - 1 > inner.from && classAt(sentence, inner.to - 1, "n:tag", inner.to) > 0) {
    inner = slice(span, inner.from, inner.to - 1)
  }
  const called = classAt(sentence, inner.from, "called", inner.to)
  if (called > 0) inner = trimmed(slice(span, inner.from + called, inner.to))
  if (inner.from >= inner.to) return null
  // "it" and "me" are of a sentence, and of no tag.
  const isSentence = sentence.hits.slice(inner.from, inner.to).some((hits, n) =>
    /^\p{Ll}/u.test(sentence.tokens[inner.from + n]!.raw) && inner.to - inner.from > 1 &&
    hits.some(({ className, isCorrected, length }) =>
      !isCorrected && length === 1 && /^(?:it|them|me)$/.test(className)
    )
  )
  if (isSentence) return null
  const read = names(inner)
  return read === null ? null : { value: read.value, score: read.score + (noun > 0 ? 0.3 : 0) }
}

/** "bob", "@bob and Grace Hopper", "user bob". */
const people: Parser<ReadonlyArray<string>> = (span) => {
  const inner = trimmed(span)
  const found: Array<string> = []
  let at = inner.from
  while (at < inner.to) {
    const { hits, text, tokens } = span.sentence
    while (
      at < inner.to &&
      /^(?:user|users|my|the|colleague|friend|both|with|nutzer|benutzer|mit|an|meine?[mnr]?|der|dem)$/.test(
        tokens[at]!.norm
      )
    ) at++
    if (at >= inner.to) break
    if (
      hits[at]!.some(({ className, isCorrected }) =>
        !isCorrected && /^(?:me|people|public|someone|it|them|n:.*)$/.test(className)
      )
    ) return null
    const length = tokens[at]!.kind === "handle" ? 1 : nameLengthAt(span.sentence, at, inner.to)
    if (length === 0 || length > 3) return null
    const said = text.slice(tokens[at]!.start, tokens[at + length - 1]!.end)
    found.push(said.replace(/^@/, "").replace(/['’]s$/u, ""))
    at += length
    if (at < inner.to && tokens[at]!.raw === ",") at++
    if (at < inner.to) at += classAt(span.sentence, at, "and", inner.to)
  }
  return found.length === 0 ? null : { value: found, score: -0.1 * count(inner) }
}

const whole = <A>(read: (span: Span) => { readonly value: A; readonly length: number } | null): Parser<A> => (span) => {
  const found = read(span)
  if (found === null) return null
  const rest = trimmed(slice(span, span.from + found.length, span.to))
  return rest.from < rest.to ? null : { value: found.value, score: 0.4 * found.length }
}

const parsers: { readonly [Slot in keyof SlotValues]: Parser<SlotValues[Slot]> } = {
  files: (span) => {
    const { query, score } = parseFiles(span)
    return { value: query, score }
  },
  folder,
  name,
  names,
  text: (span) => ({ value: textOf(span).trim(), score: -0.05 * count(span) }),
  tags,
  people,
  due: whole(({ from, sentence, to }) => {
    const found = endAt(sentence, from, to)
    return found === null ? null : { value: found.time, length: found.length }
  }),
  size: whole(({ from, sentence, to }) => {
    const found = quantityAt(sentence, from, to)
    return found?.kind === "bytes" ? found : null
  }),
  time: whole(({ from, sentence, to }) => {
    const found = quantityAt(sentence, from, to)
    return found?.kind === "seconds" ? found : null
  }),
  number: whole(({ from, sentence, to }) => numberAt(sentence, from, to)),
  options: (span) => {
    const value = optionsOf(span)
    return { value, score: -0.05 * count(value.head) }
  },
  url: (span) =>
    whole<string>(({ from, sentence }) => {
      const token = sentence.tokens[from]
      return token?.kind === "url" ? { value: token.raw, length: 1 } : null
    })(trimmed(span)),
  urls: (span) => {
    const tokens = tokensOf(trimmed(span))
    const value = tokens.flatMap(({ kind, raw }) => kind === "url" ? [raw] : [])
    const isList = tokens.every(({ kind, norm, raw }) =>
      kind === "url" || raw === "," || /^(?:and|und|plus|&)$/.test(norm)
    )
    return isList && value.length > 0 ? { value, score: 0.4 * value.length } : null
  }
}

/** The slots of a form that was matched, by their names. */
export class Slots {
  readonly #values: ReadonlyMap<string, unknown>
  constructor(values: ReadonlyMap<string, unknown>) {
    this.#values = values
  }
  /** All of them, by their names. */
  all(): ReadonlyMap<string, unknown> {
    return this.#values
  }
  /** The same with another value of a slot. */
  with<Slot extends keyof SlotValues>(slot: Slot, value: SlotValues[Slot]): Slots {
    return new Slots(new Map([...this.#values, [slot, value]]))
  }
  /** What a slot holds; undefined when the form that matched hasn't got it. */
  get<Slot extends keyof SlotValues>(slot: Slot, name: string = slot): SlotValues[Slot] | undefined {
    return this.#values.get(name) as SlotValues[Slot] | undefined
  }
}

/** How a span fits a slot, or null. Throws for a slot that there isn't: a mistake in a form. */
export const fit = (slot: string, span: Span): Fit<unknown> | null => {
  const parser = (parsers as Readonly<Record<string, Parser<unknown>>>)[slot]
  if (parser === undefined) throw new Error(`There is no slot <${slot}>.`)
  return span.from >= span.to ? null : parser(span)
}
