/** Rules for where files are and what they carry: trash, tags, lists, folders, places, names. */
import { nameLengthAt } from "../grammar/Names.ts"
import { classAt, isFiller, type Sentence, slice, textOf } from "../grammar/Sentence.ts"
import { around } from "../Places.ts"
import type { Draft, Rule } from "./FileRule.ts"
import { keyAt } from "./MusicalKey.ts"

const nounAt = (sentence: Sentence, at: number, end: number, ...nouns: ReadonlyArray<string>): number =>
  Math.max(0, ...nouns.map((noun) => classAt(sentence, at, `n:${noun}`, end)))

const past = (sentence: Sentence, at: number, end: number): number => {
  let next = at
  while (next < end && sentence.tokens[next]!.kind === "word" && isFiller(sentence, next)) next++
  return next
}

const words = (sentence: Sentence, from: number, to: number): string =>
  textOf(slice({ sentence, from, to }, from, to)).replace(/['’]s$/u, "")

/** "in the trash", "deleted", "trashed". */
const trashed: Rule = ({ at, draft, end, sentence }) => {
  const lead = Math.max(classAt(sentence, at, "in", end), classAt(sentence, at, "out", end))
  const noun = past(sentence, at + lead, end)
  const length = nounAt(sentence, noun, end, "trash")
  if (length > 0 && (lead > 0 || noun === at)) {
    draft.isTrashed = true
    return noun + length - at
  }
  if (!/^(?:deleted|trashed|removed|geloscht\w*|geloeschte\w*|gelosch\w+)$/.test(sentence.tokens[at]!.norm)) return 0
  draft.isTrashed = true
  return 1
}

const without: Rule = ({ at, draft, end, sentence }) => {
  const untagged = classAt(sentence, at, "notin", end)
  if (untagged > 0) draft.isUntagged = true
  const undescribed = classAt(sentence, at, "nodescription", end)
  if (undescribed > 0) draft.isUndescribed = true
  const loose = classAt(sentence, at, "nofolder", end)
  if (loose > 0) draft.folder = ""
  return Math.max(untagged, undescribed, loose)
}

/** "sowohl X als auch mit Y" */
const alsoAt = ({ tokens }: Sentence, at: number, end: number): number =>
  at + 2 < end && tokens[at]!.norm === "als" && tokens[at + 1]!.norm === "auch"
    ? tokens[at + 2]!.norm === "mit" ? 3 : 2
    : 0

/** One tag or several: "live", "'live session' and demo", "a, b and c". */
export const tagNamesAt = (
  sentence: Sentence,
  at: number,
  end: number
): { readonly tags: ReadonlyArray<string>; readonly length: number } => {
  const tags: Array<string> = []
  // "the tag live and the tag demo"
  const noun = (from: number): number => {
    const start = past(sentence, from, end)
    const length = nounAt(sentence, start, end, "tag")
    return start + length < end ? start + length : start
  }
  let next = noun(at)
  let done = at
  for (;;) {
    const length = nameLengthAt(sentence, next, end, false)
    if (length === 0) break
    tags.push(words(sentence, next, next + length).replace(/^#/, ""))
    done = next + length
    const comma = sentence.tokens[done]?.raw === "," ? 1 : 0
    const joint = comma + Math.max(classAt(sentence, done + comma, "and", end), alsoAt(sentence, done + comma, end))
    const isSmall = /^\p{Ll}/u.test(sentence.tokens[done + joint]?.raw ?? "")
    const isVerbNext = isSmall &&
      sentence.hits[done + joint]?.some(({ className }) =>
        /^n:|^(?:over|under|taken|uploaded|in|since|before|them|it)$/.test(className)
      )
    if (joint === 0 || done + joint >= end || isVerbNext) break
    next = noun(done + joint)
  }
  return { tags, length: done - at }
}

const tagged: Rule = ({ at, draft, end, sentence }) => {
  const token = sentence.tokens[at]!
  if (token.kind === "hashtag") {
    draft.tags = [...draft.tags, token.raw.slice(1)]
    return 1
  }
  // "carry the tag", "tragen das Schlagwort"
  const isCarried =
    /^(?:carry|carries|carrying|bear|bearing|have|has|having|tragen|tragt|haben|hat)$/.test(token.norm) &&
    [1, 2, 3].some((n) => nounAt(sentence, at + n, end, "tag") > 0)
  const length = isCarried ? 1 : classAt(sentence, at, "tagged", end)
  if (length === 0) return 0
  let marker = 0
  while (/^(?:with|as|both|mit|als|sowohl|beide)$/.test(sentence.tokens[at + length + marker]?.norm ?? "")) marker++
  const { length: taken, tags } = tagNamesAt(sentence, at + length + marker, end)
  if (tags.length === 0) return 0
  draft.tags = [...draft.tags, ...tags]
  const behind = at + length + marker + taken
  // "with the holiday tag", German "die mit Urlaub getaggt sind".
  const tail = Math.max(nounAt(sentence, behind, end, "tag"), classAt(sentence, behind, "taggedafter", end))
  return length + marker + taken + tail
}

/** German, where the verb is behind: "was mit IMG anfängt", "die auf -final enden". */
const edged: Rule = ({ at, draft, end, sentence }) => {
  const { tokens } = sentence
  const lead = /^deren$|^dessen$/.test(tokens[at]!.norm) ? 2 : 0
  if (!/^(?:mit|auf)$/.test(tokens[at + lead]?.norm ?? "")) return 0
  const start = past(sentence, at + lead + 1, end)
  for (let behind = start + 1; behind < Math.min(end, start + 5); behind++) {
    const verb = /^(?:anfang\w*|beginn\w*|losgeh\w*)$/.test(tokens[behind]!.norm)
      ? "start"
      : /^(?:ende[nt]|aufhor\w*)$/.test(tokens[behind]!.norm)
      ? "end"
      : null
    if (verb === null) continue
    draft.nameParts = [...draft.nameParts, { at: verb, text: words(sentence, start, behind) }]
    return behind + 1 - at
  }
  return 0
}

/** "called X", "starting with IMG", "with X in the name". */
const named: Rule = ({ at, draft, end, sentence }) => {
  for (
    const [className, where] of [["startswith", "start"], ["endswith", "end"], ["withname", "in"], [
      "called",
      "in"
    ]] as const
  ) {
    const lead = classAt(sentence, at, className, end)
    if (lead === 0) continue
    // "ending in .bak": an extension is one word with its dot, known or not.
    const dot = sentence.tokens[at + lead]?.raw === "." && at + lead + 1 < end ? 1 : 0
    const token = sentence.tokens[at + lead + dot]
    const length = token?.kind === "file" || dot > 0 ? 1 + dot : nameLengthAt(sentence, at + lead, end)
    if (length === 0) continue
    const name = words(sentence, at + lead, at + lead + length)
    if (token?.kind === "file" && className === "called") draft.names = [...draft.names, name]
    else draft.nameParts = [...draft.nameParts, { at: where, text: where === "end" ? name : name.replace(/^\./, "") }]
    return lead + length
  }
  const edge = edged({ at, draft, end, sentence })
  if (edge > 0) return edge
  const length = /^(?:with|mit)$/.test(sentence.tokens[at]!.norm) ? nameLengthAt(sentence, at + 1, end) : 0
  const tail = length === 0 ? 0 : classAt(sentence, at + 1 + length, "withname", end)
  if (tail === 0) return 0
  draft.nameParts = [...draft.nameParts, { at: "in", text: words(sentence, at + 1, at + 1 + length) }]
  return 1 + length + tail
}

/** "of the playlist Workout", "in my Holiday gallery". */
const inList: Rule = ({ at, draft, end, sentence }) => {
  const lead = Math.max(classAt(sentence, at, "in", end), classAt(sentence, at, "of", end))
  if (classAt(sentence, at + lead, "drive", end) > 0 || classAt(sentence, at, "drive", end) > 0) return 0
  const start = past(sentence, at + lead, end)
  for (const kind of ["playlist", "gallery"] as const) {
    const noun = nounAt(sentence, start, end, kind)
    if (noun > 0) {
      const called = classAt(sentence, start + noun, "called", end)
      const length = nameLengthAt(sentence, start + noun + called, end)
      if (lead === 0 && length === 0) return 0
      draft.list = {
        kind,
        name: length === 0 ? null : words(sentence, start + noun + called, start + noun + called + length)
      }
      return start + noun + called + length - at
    }
    const length = nameLengthAt(sentence, start, end)
    const behind = length === 0 ? 0 : nounAt(sentence, start + length, end, kind)
    if (behind === 0 || (lead === 0 && length > 3)) continue
    draft.list = { kind, name: words(sentence, start, start + length) }
    return start + length + behind - at
  }
  return 0
}

/** "in the key of A minor", "in F#". */
const key: Rule = ({ at, draft, end, sentence }) => {
  const lead = /^(?:in|of|tonart)$/.test(sentence.tokens[at]!.norm) ? 1 : 0
  let start = past(sentence, at + lead, end)
  const noun = nounAt(sentence, start, end, "key")
  if (noun > 0) {
    start += noun
    if (sentence.tokens[start]?.norm === "of") start++
  }
  // "A" in "in a folder" is an article.
  const from = sentence.tokens[at + lead]?.raw === "A" || noun > 0 || lead === 0
    ? (noun > 0 ? start : at + lead)
    : start
  const found = keyAt(sentence, from, end, lead > 0 || noun > 0)
  if (found === null || (lead === 0 && noun === 0 && !/[#♯♭]|m$|minor$|major$/.test(found.key))) return 0
  draft.key = found.key
  return from + found.length - at
}

const metres: Readonly<Record<string, number>> = {
  km: 1,
  kms: 1,
  kilometer: 1,
  kilometers: 1,
  kilometre: 1,
  kilometres: 1,
  kilometern: 1,
  mile: 1.609,
  miles: 1.609,
  mi: 1.609,
  meilen: 1.609,
  m: 0.001,
  meter: 0.001,
  meters: 0.001,
  metres: 0.001,
  metern: 0.001
}

/** "within 30 km of", "less than 5 miles from", "im Umkreis von 10 km um": the kilometres, and how many tokens say it. */
const radiusAt = (
  sentence: Sentence,
  at: number,
  end: number
): { readonly length: number; readonly km: number } | null => {
  const text = sentence.tokens.slice(at, Math.min(end, at + 12)).map(({ norm }) => norm).join(" ")
  const found =
    /^(?:(?:with ?in|in|inside|less than|no more than|not more than|up to|at most|max|weniger als|hochstens|maximal|bis zu|im|in einem) )?(?:(?:a |the )?(?:radius|umkreis|range|distance) (?:of|von) )?(?:(?:about|around|etwa|rund|ca) )?(\d+(?:[.,]\d+)?) ?([a-z]+) (?:(?:away|entfernt) )?(?:of|from|around|um|von|to|near)\b/
      .exec(text)
  const unit = found === null ? undefined : metres[found[2]!]
  return unit === undefined
    ? null
    : { length: found![0].split(" ").length, km: Number(found![1]!.replace(",", ".")) * unit }
}

/** "near 37.87, -122.26", "within 30 km of Lisbon". */
const point: Rule = ({ at, draft, end, sentence }) => {
  const radius = radiusAt(sentence, at, end)
  const lead = radius?.length ??
    Math.max(classAt(sentence, at, "in", end), /^(?:at|um|bei)$/.test(sentence.tokens[at]!.norm) ? 1 : 0)
  if (lead === 0) return 0
  const named = (place: string): string => radius === null ? place : around(place, radius.km)
  const start = radius === null ? at + lead : past(sentence, at + lead, end)
  const from = sentence.tokens[start]?.start
  const found = from === undefined ? null : /^-?\d{1,2}\.\d+\s*[,;]\s*-?\d{1,3}\.\d+/.exec(sentence.text.slice(from))
  if (found !== null) {
    let next = start
    while (next < end && sentence.tokens[next]!.start < from! + found[0].length) next++
    draft.somewhere = named(found[0])
    return next - at
  }
  const length = radius === null ? 0 : nameLengthAt(sentence, start, end)
  if (length === 0) return 0
  draft.somewhere = named(words(sentence, start, start + length))
  return start + length - at
}

const folderNamed = (draft: Draft, sentence: Sentence, at: number, end: number): number => {
  const start = past(sentence, at, end)
  const token = sentence.tokens[start]
  if (token === undefined || start >= end) return 0
  const top = classAt(sentence, start, "toplevel", end)
  if (top > 0) {
    draft.folder = ""
    return start + top - at
  }
  const noun = nounAt(sentence, start, end, "folder")
  if (noun > 0) {
    const called = classAt(sentence, start + noun, "called", end)
    const length = nameLengthAt(sentence, start + noun + called, end)
    draft.folder = length === 0 ? "that" : words(sentence, start + noun + called, start + noun + called + length)
    return start + noun + called + length - at
  }
  const length = nameLengthAt(sentence, start, end)
  if (length === 0) return 0
  const behind = nounAt(sentence, start + length, end, "folder")
  if (behind === 0 && token.kind !== "path") return 0
  draft.folder = words(sentence, start, start + length)
  return start + length + behind - at
}

/** "/Trips", "the folder Trips", "the Lisbon folder" without a word before it. */
const isFolderNamed = (sentence: Sentence, at: number, end: number): boolean => {
  if (sentence.tokens[at]!.kind === "path") return true
  if (/^(?:folders|directories)$/.test(sentence.tokens[at]!.norm) || isFiller(sentence, at)) return false
  if (nounAt(sentence, at, end, "folder") > 0) return at + 1 < end
  const length = nameLengthAt(sentence, at, end)
  return length > 0 && length <= 3 && nounAt(sentence, at + length, end, "folder") > 0
}

/** "in /Trips", "from the Lisbon folder", "in it", and "from Lisbon", which may be several things. */
const inFolder: Rule = ({ at, draft, end, sentence }) => {
  const direct = isFolderNamed(sentence, at, end) ? folderNamed(draft, sentence, at, end) : 0
  if (direct > 0) return direct
  const lead = classAt(sentence, at, "in", end)
  if (lead === 0 || classAt(sentence, at, "drive", end) > 0) return 0
  const found = folderNamed(draft, sentence, at + lead, end)
  if (found > 0) return lead + found
  const next = past(sentence, at + lead, end)
  if (/^(?:it|there|that|dort|darin)$/.test(sentence.tokens[next]?.norm ?? "") && next < end) {
    draft.folder = "that"
    return next + 1 - at
  }
  // "the first two of them"
  if (/^(?:them|these|those|ihnen|denen)$/.test(sentence.tokens[next]?.norm ?? "") && next + 1 >= end) {
    draft.refer = "them"
    return next + 1 - at
  }
  const length = nameLengthAt(sentence, next, end)
  const isName = length > 0 && sentence.tokens[next]!.kind !== "file"
  if (!isName || draft.somewhere !== null) return 0
  draft.somewhere = words(sentence, next, next + length)
  return next + length - at
}

/** "by Ana Moreira", "about taxes", "containing 'budget'": free words. */
const about: Rule = ({ at, draft, end, sentence }) => {
  const lead = Math.max(
    classAt(sentence, at, "about", end),
    classAt(sentence, at, "contains", end),
    classAt(sentence, at, "by", end)
  )
  if (lead === 0 || classAt(sentence, at, "drive", end) > 0) return 0
  const next = past(sentence, at + lead, end)
  const length = nameLengthAt(sentence, next, end)
  const isPerson = /^(?:her|him|them|me|us|everyone|everybody|ihr|ihm|ihnen|mir|uns|allen)$/.test(
    sentence.tokens[next]?.norm ?? ""
  )
  if (length === 0 || isPerson) return 0
  draft.words = [...draft.words, words(sentence, next, next + length)]
  return next + length - at
}

export const places: ReadonlyArray<Rule> = [without, trashed, tagged, named, point, inList, key, inFolder, about]
