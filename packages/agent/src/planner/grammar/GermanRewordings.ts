/**
 * German wordings as requests whose verb comes first: "die Fotos bitte nach /A verschieben" and "die Fotos sollen nach /A verschoben werden" are
 * "verschieben die Fotos nach /A", "leg einen Ordner an" is "anlegen einen Ordner".
 */
import { verbOfParticiple } from "./Participles.ts"
import { classAt, type Sentence, type Span } from "./Sentence.ts"

const modal =
  /^(?:soll|sollen|sollte|sollten|muss|mussen|musste|mussten|kann|konnen|konnte|konnten|darf|durfen|mochte|mochten|will|wollen|konntest|konntet)$/

const negation = /^(?:nicht|kein|keine|keinen|nie|niemand|niemals)$/

/** Verbs whose stem changes. */
const stems: Readonly<Record<string, string>> = {
  nimm: "nehm",
  nehmt: "nehm",
  gib: "geb",
  gebt: "geb",
  wirf: "werf",
  lies: "les",
  sieh: "seh",
  halt: "halt"
}

const particle =
  /^(?:ab|an|auf|aus|ein|hinzu|dazu|zu|rein|raus|heraus|hinein|herunter|runter|hoch|weg|zusammen|frei|um|zuruck|her|vor|mit)$/

const joinedVerb = (sentence: Sentence, stem: string, prefix: string): string | null => {
  const { entries, verbs } = sentence.vocabulary
  const bare = stems[stem] ?? stem
  for (const form of [prefix + bare, prefix + bare.replace(/e$/, ""), prefix + bare.replace(/e?t$/, "")]) {
    if (entries.get(form)?.some(({ className, words }) => words.length === 1 && verbs.has(className))) return form
  }
  return null
}

const isVerb = (sentence: Sentence, at: number, end: number): boolean =>
  [...sentence.vocabulary.verbs].some((name) => classAt(sentence, at, name, end) > 0)

const text = ({ sentence }: Span, from: number, to: number): string =>
  from >= to ? "" : sentence.text.slice(sentence.tokens[from]!.start, sentence.tokens[to - 1]!.end)

const joined = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join(" ")

/** "leg mir drei Ordner an: A, B", "stell es wieder her": the verb in one word. */
const separated = (span: Span): string | null => {
  const { from, sentence, to } = span
  for (let at = from + 1; at < to; at++) {
    const next = sentence.tokens[at + 1]
    if (!particle.test(sentence.tokens[at]!.norm) || (at + 1 < to && next!.kind !== "mark")) continue
    const before = sentence.tokens[at - 1]!.norm
    const [verb, end] = before === "wieder" && at - 1 > from
      ? [
        joinedVerb(sentence, sentence.tokens[from]!.norm, `wieder${sentence.tokens[at]!.norm}`) ??
          joinedVerb(sentence, sentence.tokens[from]!.norm, sentence.tokens[at]!.norm),
        at - 1
      ]
      : [joinedVerb(sentence, sentence.tokens[from]!.norm, sentence.tokens[at]!.norm), at]
    if (verb !== null && end > from + 1) return joined(verb, text(span, from + 1, end), text(span, at + 1, to))
  }
  return null
}

/** "zeigen Sie mir …", "könnt ihr": without who is asked. */
const addressed = (span: Span): string | null => {
  const { from, sentence, to } = span
  const [first, second] = [sentence.tokens[from]!, sentence.tokens[from + 1]]
  return second?.raw === "Sie" && /en$|^seien$|^tun$/.test(first.norm) && from + 2 < to
    ? joined(text(span, from, from + 1), text(span, from + 2, to))
    : null
}

/** Verbs at the end: in the infinitive, as "verschiebst" of a clause with "dass", or passive with "werden". */
const last = (span: Span): string | null => {
  const { from, sentence } = span
  let { to } = span
  while (to > from && sentence.tokens[to - 1]!.kind === "mark") to--
  let isPassive = false
  for (; to - from > 2; to--) {
    const { norm } = sentence.tokens[to - 1]!
    if (/^(?:werden|wird)$/.test(norm)) isPassive = true
    else if (!/^(?:kannst|konntest|konntet|wurdest|konnten|sollst|sein|haben|lassen)$/.test(norm)) break
  }
  const end = sentence.tokens[to - 1]!
  if (to - from < 2 || end.kind !== "word" || /^\p{Lu}/u.test(end.raw)) return null
  const participle = verbOfParticiple("de", end.norm)
  const verb = participle ?? (!isPassive && isVerb(sentence, to - 1, to) ? end.norm : null)
  if (verb === null || (participle !== null && !isPassive && !isWished(span))) return null
  const middle = sentence.tokens.slice(from, to - 1)
  if (middle.some(({ norm }) => negation.test(norm))) return null
  // "X soll nach Y": what may or must be done is no part of a name.
  const at = middle.findIndex(({ norm }) => modal.test(norm))
  return at < 0
    ? joined(verb, text(span, from, to - 1))
    : joined(verb, text(span, from, from + at), text(span, from + at + 1, to - 1))
}

/** "Ich hätte gern …", "ich möchte" stands in front. */
const isWished = ({ from, sentence }: Span): boolean =>
  /(?:hatte gerne?|hatten gerne?|mochte|mochten|will|wollen)$/.test(
    sentence.tokens.slice(Math.max(0, from - 3), from).map(({ norm }) => norm).join(" ")
  )

const counted = /^(?:ein|eine|einen|ne|nen|neue|neuen|neues|noch|zwei|drei|vier|funf|[2-6])$/

/** "Ich brauche einen Ordner …", "ich hätte gern eine Playlist …": something that is to be made. */
const made = (span: Span): string | null => {
  const { from, sentence, to } = span
  const before = sentence.tokens.slice(Math.max(0, from - 3), from).map(({ norm }) => norm).join(" ")
  const isNeeded = isWished(span) ||
    /(?:^| )(?:brauch|brauche|brauchen|brauchte|brauchten|bekomme|bekommen|bekame|kriege|hatte|hatten|wunsche mir|konnte ich|kann ich)(?: (?:mal|bitte|noch|gern|gerne|dringend|ich))?$/
      .test(before)
  let start = from
  while (start < to && /^(?:mal|bitte|gern|gerne|noch|dringend|jetzt)$/.test(sentence.tokens[start]!.norm)) start++
  const isNote = start < to && ["n:note", "n:review"].some((name) => classAt(sentence, start, name, to) > 0)
  return isNeeded && start < to && (counted.test(sentence.tokens[start]!.norm) || isNote)
    ? joined("erstelle", text(span, start, to).replace(/\s+(?:haben|bekommen|kriegen)$/i, ""))
    : null
}

/** "Ich brauche alt.txt nicht mehr." */
const discarded = (span: Span): string | null => {
  const { from, sentence, to } = span
  const isNeeded = /(?:^| )(?:brauch|brauche|brauchen)(?: wir)?$/.test(
    sentence.tokens.slice(Math.max(0, from - 2), from).map(({ norm }) => norm).join(" ")
  )
  const end = text(span, Math.max(from, to - 2), to).toLowerCase()
  return isNeeded && to - from > 2 && /^nicht (?:mehr|länger)$/.test(end)
    ? joined("lösche", text(span, from, to - 2))
    : null
}

const ways = [separated, addressed, last, made, discarded]

export const germanRewordings = (span: Span): ReadonlyArray<string> =>
  span.to - span.from < 2 ? [] : ways.flatMap((way) => way(span) ?? [])
