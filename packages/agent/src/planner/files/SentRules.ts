/** Rules for what others have sent to a file request: "everything that came in through the request Receipts", "what Mia sent to Homework". */
import { nameLengthAt } from "../grammar/Names.ts"
import { classAt, isFiller, type Sentence, slice, textOf } from "../grammar/Sentence.ts"
import type { Rule } from "./FileRule.ts"

const relative = /^(?:that|which|what|whatever|was|die|das|welche|welches|alles)$/
const helping =
  /^(?:has|have|had|is|are|was|were|been|already|just|so|far|all|ever|people|guests|others|they|everyone|everybody|you|we|somebody|someone|anyone|clients|parents|students|pupils)$/
const particle = /^(?:in|off|up|over|me|us|mir|uns)$/
const sent =
  /^(?:came|come|coming|comes|arrived|arriving|sent|send|uploaded|submitted|handed|turned|delivered|dropped|received|gathered|collected|landed|contributed|provided|got)$/
const through = /^(?:through|via|at|for|to|by|from|over|into|in|with|on|under)$/
const uber = /^(?:uber|bei|an|fur|durch|in|zu|zur|zum|via|per|auf)$/
const geschickt =
  /^(?:gekommen|eingegangen|angekommen|geschickt|hochgeladen|abgegeben|eingereicht|gesendet|geliefert|reingekommen|hereingekommen|eingeschickt|eingesandt|gesammelt|reinkam|ankam|kam|kamen|einging|eingingen)$/
const behind = /^(?:ist|sind|hat|haben|wurde|wurden|worden|war|waren)$/
const head = /^(?:everything|anything|stuff|things|files|all|alles|dateien|sachen|file|whatever)$/

const past = (sentence: Sentence, at: number, end: number): number => {
  let next = at
  while (
    next < end &&
    (isFiller(sentence, next) || /^(?:der|die|das|dem|den|the|my|our|meine|meiner)$/.test(sentence.tokens[next]!.norm))
  ) next++
  return next
}

/** A request at `at`: "the request Receipts", "Receipts" where the drive has a request of that name, "my Receipts request". */
const requestAt = (
  sentence: Sentence,
  from: number,
  end: number
): { readonly name: string; readonly next: number } | null => {
  const at = past(sentence, from, end)
  if (at >= end) return null
  const noun = classAt(sentence, at, "n:request", end)
  const start = noun === 0 ? at : at + noun + classAt(sentence, at + noun, "called", end)
  const token = sentence.tokens[start]
  const isKnown = token?.known?.includes("request") === true && start < end
  const length = start >= end ? 0 : isKnown ? 1 : nameLengthAt(sentence, start, end)
  if (length === 0) return noun > 0 ? { name: "", next: start } : null
  const tail = classAt(sentence, start + length, "n:request", end)
  if (noun + tail === 0 && !isKnown) return null
  return { name: textOf(slice({ sentence, from: start, to: end }, start, start + length)), next: start + length + tail }
}

/** Somebody's name at `at`, of one word or two: a word that begins with a capital. */
const personAt = ({ hits, tokens, vocabulary }: Sentence, at: number, end: number): number => {
  const title = /^(?:frau|herr|mr|mrs|ms|dr)$/.test(tokens[at]?.norm ?? "") ? 1 : 0
  let length = 0
  while (
    length < 2 && at + title + length < end && tokens[at + title + length]!.kind === "word" &&
    (/^\p{Lu}/u.test(tokens[at + title + length]!.raw) || tokens[at + title + length]!.known === undefined &&
        length === 0 && hits[at]!.length === 0 && vocabulary.code === "en" &&
        !vocabulary.fillers.has(tokens[at]!.norm) &&
        !vocabulary.light.has(tokens[at]!.norm) && sent.test(tokens[at + 1]?.norm ?? ""))
  ) length++
  return length === 0 ? 0 : title + length
}

interface Sent {
  readonly request: string | null
  readonly sender: string | null
  readonly length: number
}

const english = (sentence: Sentence, at: number, end: number): Sent | null => {
  const { tokens } = sentence
  const norm = (n: number): string => n < end ? tokens[n]!.norm : ""
  let next = at
  if (head.test(norm(next)) && (relative.test(norm(next + 1)) || sent.test(norm(next + 1)))) next++
  const isRelative = relative.test(norm(next))
  if (isRelative) next++
  while (helping.test(norm(next))) next++
  const person = isRelative || next === at || head.test(norm(next - 1))
    ? personAt(sentence, next, end)
    : personAt(sentence, at, end)
  const who = person === 0 || sent.test(norm(next))
    ? null
    : textOf(slice({ sentence, from: at, to: end }, next, next + person))
  if (who !== null) next += person
  while (helping.test(norm(next))) next++
  if (!sent.test(norm(next))) return null
  next++
  // "the files received" says nothing of a request without what follows.
  while (particle.test(norm(next)) && !requestAt(sentence, next + 1, end)) next++
  if (particle.test(norm(next)) && through.test(norm(next + 1))) next++
  if (!through.test(norm(next))) return null
  const by = norm(next) === "from" || norm(next) === "by"
  const found = requestAt(sentence, next + 1, end)
  if (found !== null) return { request: found.name || null, sender: who, length: found.next - at }
  // "what came in from Mia through the request Receipts"
  const from = by ? personAt(sentence, next + 1, end) : 0
  const later = from === 0 || !through.test(norm(next + 1 + from)) ? null : requestAt(sentence, next + 2 + from, end)
  return later === null
    ? null
    : {
      request: later.name || null,
      sender: textOf(slice({ sentence, from: at, to: end }, next + 1, next + 1 + from)),
      length: later.next - at
    }
}

const german = (sentence: Sentence, at: number, end: number): Sent | null => {
  const { tokens } = sentence
  const norm = (n: number): string => n < end ? tokens[n]!.norm : ""
  let next = at
  if (head.test(norm(next)) && (tokens[next + 1]?.raw === "," || relative.test(norm(next + 1)))) next++
  if (tokens[next]?.raw === "," && next < end) next++
  if (!relative.test(norm(next))) return null
  next++
  while (/^(?:alles|leute|gaste|man|sie|alle|mir|uns|bisher|schon|so)$/.test(norm(next))) next++
  const person = uber.test(norm(next)) ? 0 : personAt(sentence, next, end)
  const who = person === 0 ? null : textOf(slice({ sentence, from: at, to: end }, next, next + person))
  next += person
  while (/^(?:mir|uns|alles|schon|bisher)$/.test(norm(next))) next++
  if (!uber.test(norm(next))) return null
  const found = requestAt(sentence, next + 1, end)
  if (found === null) return null
  next = found.next
  while (
    /^(?:so|alles|bisher|schon|an|rein|herein|ein|hochgeladen|mir|uns)$/.test(norm(next)) && !geschickt.test(norm(next))
  ) next++
  if (!geschickt.test(norm(next))) return null
  next++
  while (behind.test(norm(next))) next++
  if (tokens[next]?.raw === "," && next < end) next++
  return { request: found.name || null, sender: who, length: next - at }
}

/** "the uploads of the request Receipts", "the files from Receipts" where that is a request and no folder is named. */
const ofRequest = (sentence: Sentence, at: number, end: number): Sent | null => {
  if (!/^(?:from|of|in|at|aus|von|der|bei|through|via)$/.test(sentence.tokens[at]!.norm)) return null
  const start = past(sentence, at + 1, end)
  const found = requestAt(sentence, start, end)
  const isNamed = found !== null && found.name !== "" &&
    (classAt(sentence, start, "n:request", end) > 0 || classAt(sentence, found.next - 1, "n:request", end) > 0)
  return isNamed ? { request: found.name, sender: null, length: found.next - at } : null
}

export const sentAt = (sentence: Sentence, at: number, end: number): Sent | null =>
  (sentence.vocabulary.code === "de" ? german(sentence, at, end) : null) ?? english(sentence, at, end) ??
    ofRequest(sentence, at, end)

export const sentToRequest: Rule = ({ at, draft, end, sentence }) => {
  const found = sentAt(sentence, at, end)
  if (found === null) return 0
  draft.sent = { request: found.request, sender: found.sender }
  draft.number = "many"
  return found.length
}
