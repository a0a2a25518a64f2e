/** Rules for what is measured of files: dates, sizes, lengths, tempos, order and number. */
import { isMonth } from "../CalendarNames.ts"
import { periodAt } from "../Dates.ts"
import { classAt, numberedAt } from "../grammar/Sentence.ts"
import { numberAt, type Quantity, quantityAt } from "../Quantities.ts"
import type { Range, Sort } from "./FileQuery.ts"
import type { Draft, Reader, Rule } from "./FileRule.ts"

/** "uploaded", "that I took": what the next date is about. Read only in front of a date, so "shot" may be a word elsewhere. */
const dateOf: Rule = (reader) => {
  const { at, draft, end, sentence } = reader
  for (const what of ["uploaded", "taken"] as const) {
    const length = classAt(sentence, at, what, end)
    if (length === 0) continue
    let next = at + length
    while (
      /^(?:in|on|the|during|within|am|im|have|ich|wurden|wurde|haben|during|back|around|to|my|drive|habe)$/.test(
        sentence.tokens[next]?.norm ?? ""
      ) && next < end
    ) {
      if (periodAt(sentence, next, end) !== null) break
      next++
    }
    const found = periodAt(sentence, next, end)
    // "photos taken in Paris": the place is read next.
    if (
      found === null && what === "taken" &&
      /^(?:in|at|around|near|from|with|by|within|less|inside|im|bei|um)$/.test(sentence.tokens[at + length]?.norm ?? "")
    ) return length
    // "the last five files I added" says nothing more than that.
    if (
      found === null && next >= end && /^(?:i|we|ich|wir|have|habe|haben|ve)$/.test(sentence.tokens[at - 1]?.norm ?? "")
    ) {
      return next - at
    }
    if (found === null) continue
    draft[what] = found.period
    return next + found.length - at
  }
  return 0
}

const period: Rule = ({ at, draft, end, sentence }) => {
  const lead = /^(?:from|of|in|during|on|within|vom|von|aus|im|am|in|der|dem|des|over)$/.test(sentence.tokens[at]!.norm)
    ? 1
    : 0
  for (const skip of lead === 0 ? [0] : [0, 1]) {
    const found = periodAt(sentence, at + skip, end)
    // "Protokoll Januar" is a name, "from January" a time.
    if (found === null || (lead === 0 && found.length === 1 && isMonth(sentence.tokens[at]!.norm))) continue
    const next = at + skip + found.length
    // "yesterday's uploads", "the photos from May that I took", German "gestern hochgeladen".
    for (const what of ["uploaded", "taken"] as const) {
      let behind = next
      while (/^(?:'s|i|ich|habe|wurden|wurde|von|mir)$/.test(sentence.tokens[behind]?.norm ?? "") && behind < end) {
        behind++
      }
      const length = classAt(sentence, behind, what, end)
      if (length > 0 && sentence.tokens[behind]!.norm !== "new") {
        draft[what] = found.period
        return behind + length - at
      }
    }
    draft.dated = found.period
    return skip + found.length
  }
  return 0
}

const ranges = (draft: Draft, { kind, value }: Quantity, range: (value: number) => Range): boolean => {
  const measured = kind === "bytes" ? "size" : kind === "seconds" ? "duration" : kind === "tempo" ? "tempo" : null
  if (measured === null) return false
  draft[measured] = { ...draft[measured], ...range(value) }
  return true
}

/** "over 100 MB", "longer than 5 minutes", "at most 120 bpm", "faster than 120". */
const bound: Rule = ({ at, draft, end, sentence }) => {
  for (const side of ["over", "under", "longer"] as const) {
    const length = classAt(sentence, at, side, end)
    if (length === 0) continue
    const found = quantityAt(sentence, at + length, end)
    if (found === null) continue
    const phrase = sentence.tokens.slice(at, at + length).map(({ norm }) => norm).join(" ")
    const quantity = found.kind === "count" && /^(?:faster|slower|quicker|schneller|langsamer)/.test(phrase)
      ? { ...found, kind: "tempo" as const }
      : found
    if (ranges(draft, quantity, (value) => side === "under" ? { max: value } : { min: value })) {
      return length + found.length
    }
  }
  return 0
}

/** "that run for less than 8 seconds", "that are shorter than a minute long". */
const runs: Rule = (reader) => {
  const { at, draft, end, sentence } = reader
  const words = sentence.tokens.slice(at, Math.min(end, at + 3)).map(({ norm }) => norm)
  if (
    !/^(?:run|runs|running|ran|last|lasts|lasting|play|plays|playing|go|goes|take|takes|dauern|dauert|laufen|lauft|gehen|geht)$/
      .test(words[0]!)
  ) {
    return 0
  }
  let next = at + 1
  while (next < end && /^(?:for|on|at|only|just|nur|fur)$/.test(sentence.tokens[next]!.norm)) next++
  if (next >= end) return 0
  const before = { ...draft.duration }
  const length = Math.max(bound({ ...reader, at: next }), 0) || spread({ ...reader, at: next })
  return length > 0 && JSON.stringify(before) !== JSON.stringify({ ...draft.duration }) ? next + length - at : 0
}

/** Behind a measure it says nothing more: "less than 8 seconds long". */
const measured: Rule = ({ at, sentence }) => {
  const before = sentence.tokens[at - 1]?.norm ?? ""
  return /^(?:seconds?|secs?|minutes?|mins?|hours?|s|h|sekunden?|minuten?|stunden?|bpm|mb|gb|kb|bytes?)$/.test(
      before
    ) &&
      /^(?:long|lang|in|big|gross|fast|dauern|dauert|laufen|sind|ist)$/.test(sentence.tokens[at]!.norm)
    ? sentence.tokens[at]!.norm === "in"
      ? /^(?:length|duration|size)$/.test(sentence.tokens[at + 1]?.norm ?? "") ? 2 : 0
      : 1
    : 0
}

/** "between 100 and 120 bpm", "100-120 bpm", "around 120 bpm", "at 120 bpm", "5 MB or more". */
const spread: Rule = ({ at, draft, end, sentence }) => {
  const { tokens } = sentence
  const lead = Math.max(classAt(sentence, at, "between", end), /^(?:from|von)$/.test(tokens[at]!.norm) ? 1 : 0)
  const low = numberAt(sentence, at + lead, end)
  if (low !== null) {
    const first = quantityAt(sentence, at + lead, end)!
    const middle = at + lead + (first?.length ?? low.length)
    if (/^(?:and|to|-|–|und|bis)$/.test(tokens[middle]?.norm ?? "") && middle < end) {
      const high = quantityAt(sentence, middle + 1, end)
      if (high !== null && high.kind !== "count") {
        const scale = first.kind === high.kind
          ? first.value
          : low.value * (high.value / (numberAt(sentence, middle + 1, end)?.value ?? high.value))
        if (ranges(draft, high, (value) => ({ min: scale, max: value }))) return middle + 1 + high.length - at
      }
    }
  }
  const about = /^(?:around|about|roughly|approximately|circa|ca|etwa|ungefahr|rund|near|close)$/.test(tokens[at]!.norm)
  const exact = /^(?:at|exactly|with|of|mit|genau|bei|in)$/.test(tokens[at]!.norm)
  const quantity = quantityAt(sentence, at + (about || exact ? 1 : 0), end)
  if (quantity?.kind === "tempo") {
    const width = about ? 5 : 1
    draft.tempo = { min: quantity.value - width, max: quantity.value + width }
    return (about || exact ? 1 : 0) + quantity.length
  }
  if (about && quantity !== null && quantity.kind !== "count") {
    ranges(draft, quantity, (value) => ({ min: value * 0.8, max: value * 1.2 }))
    return 1 + quantity.length
  }
  return 0
}

const sorts: ReadonlyArray<readonly [className: string, sort: Sort]> = [
  ["latest", "newest"],
  ["oldest", "oldest"],
  ["largest", "largest"],
  ["smallest", "smallest"],
  ["longest", "longest"],
  ["shortest", "shortest"],
  ["fastest", "fastest"],
  ["slowest", "slowest"]
]

const isOne = ({ end, sentence }: Reader, at: number): boolean =>
  /^(?:one|eine|einen|davon)$/.test(sentence.tokens[at]?.norm ?? "") && at < end

/** "the top 3": the largest. */
const top: Rule = ({ at, draft, end, sentence }) => {
  const found = sentence.tokens[at]!.norm === "top" ? numberAt(sentence, at + 1, end) : null
  if (found === null || found.value < 1 || found.value > 100) return 0
  draft.sort ??= "largest"
  draft.count = found.value
  draft.number = found.value === 1 ? "one" : "many"
  return 1 + found.length
}

/** "the three largest", "the last 5", "the newest". "The last one" is of what was listed before. */
const order: Rule = (reader) => {
  const { at, draft, end, sentence } = reader
  const before = numberAt(sentence, at, end)
  const start = at + (before?.length ?? 0)
  for (const [className, sort] of sorts) {
    const length = classAt(sentence, start, className, end)
    if (length === 0) continue
    const word = sentence.tokens[start]!.norm
    const after = before ?? numberAt(sentence, start + length, end)
    const next = start + length + (before === null ? after?.length ?? 0 : 0)
    if (/^(?:last|letzte\w*|first|erste\w*)$/.test(word) && (isOne(reader, next) || next >= end && after === null)) {
      return 0
    }
    draft.sort = sort
    const isNamed = next < end && sentence.hits[next]!.some((hit) => hit.className.startsWith("n:"))
    if (/^(?:first|erste\w*)$/.test(word)) draft.place = 1
    // "The last five photos" are the newest, in a list or without one.
    else if (/^(?:last|letzte\w*)$/.test(word) && !isNamed) draft.place = -1
    if (after !== null && after.value >= 1 && after.value < 10_000) {
      draft.count = after.value
      draft.number = after.value === 1 ? "one" : "many"
    }
    return next - at
  }
  return 0
}

const orders: ReadonlyArray<readonly [className: string, sort: Sort]> = [
  ["alphabetical", "name"],
  ["bysize", "largest"],
  ["oldestfirst", "oldest"],
  ["bydate", "newest"],
  ["bytempo", "fastest"],
  ["byduration", "longest"]
]

/** "in that order": as they were named. */
const asNamed =
  /^(?:in (?:that|this|the same|exactly this|exactly that) order|in (?:dieser|genau dieser|der) reihenfolge)\b/

/** "sorted by name", "nach Größe sortiert": all of them, in that order. */
const arranged: Rule = ({ at, draft, end, sentence }) => {
  const named = asNamed.exec(sentence.tokens.slice(at, Math.min(end, at + 4)).map(({ norm }) => norm).join(" "))
  if (named !== null) return named[0].split(" ").length
  const lead = /^(?:sorted|ordered|arranged|sortiert|geordnet)$/.test(sentence.tokens[at]!.norm) ? 1 : 0
  for (const [className, sort] of orders) {
    const length = Math.max(
      classAt(sentence, at, className, end),
      lead === 0 ? 0 : classAt(sentence, at + 1, className, end) + 1
    )
    if (length === 0 || (length < 2 && className !== "alphabetical")) continue
    draft.sort = sort
    draft.number = "many"
    return length + (/^(?:sortiert|geordnet)$/.test(sentence.tokens[at + length]?.norm ?? "") ? 1 : 0)
  }
  return 0
}

/** "the second one", "number 3", "the last one". */
const ordinal: Rule = (reader) => {
  const { at, draft, end, sentence } = reader
  const named = /^(?:number|no|nr|nummer)$/.test(sentence.tokens[at]!.norm) ? numberAt(sentence, at + 1, end) : null
  const found = named === null
    ? numberedAt(sentence, at, "ordinal:", end)
    : { value: named.value, length: named.length + 1 }
  if (found === null) return 0
  draft.position = found.value
  draft.number = "one"
  const next = at + found.length
  return found.length + (isOne(reader, next) ? 1 : 0)
}

const definite = /^(?:the|these|those|my|our|die|den|diesen?|jene|meine|meinen|unsere)$/

/** "3 photos", "two files". */
const count: Rule = ({ at, draft, end, sentence }) => {
  const found = quantityAt(sentence, at, end)
  if (found === null || found.kind !== "count" || found.value > 10_000) return 0
  const next = at + found.length
  const isFollowed =
    sentence.hits[next]?.some(({ className }) => /^n:(?:any|image|video|audio|document|text)$/.test(className)) ?? false
  const isPluralWord = /^\p{Ll}.*(?:[^s]s|en)$/u.test(sentence.tokens[next]?.raw ?? "") &&
    sentence.tokens[next]!.kind === "word"
  const isDefinite = found.value > 1 && at > 0 && definite.test(sentence.tokens[at - 1]!.norm)
  const isNoun = isDefinite && sentence.tokens[at]!.kind === "word" && sentence.tokens[next]?.kind === "word"
  if (
    (!isFollowed && !isPluralWord && !isNoun) || next >= end || found.value < 1 ||
    /^(?:19|20)\d\d$/.test(sentence.tokens[at]!.raw)
  ) return 0
  draft.number = found.value === 1 ? "one" : "many"
  // "the two photos", not any two of them.
  if (isDefinite) draft.exactly = found.value
  else draft.count = found.value
  return found.length
}

/** "fast songs over 130 bpm": the number says what is fast. */
const speed: Rule = ({ at, end, sentence }) => {
  if (!/^(?:fast|quick|slow|schnelle[nrms]?|langsame[nrms]?)$/.test(sentence.tokens[at]!.norm)) return 0
  for (let next = at + 1; next < end; next++) {
    if (classAt(sentence, next, "tempo", end) > 0) return 1
  }
  return 0
}

export const measures: ReadonlyArray<Rule> = [
  speed,
  runs,
  measured,
  dateOf,
  period,
  bound,
  spread,
  arranged,
  top,
  order,
  ordinal,
  count
]
