/** Cuts a request into what it asks for one after the other. */
import { isHarmless, saysAct } from "./harmless.ts"
import { classAt, isFiller, type Sentence, sentenceOf, slice, type Span, textOf, wholeOf } from "./Sentence.ts"
import { isNear } from "./Spelling.ts"
import { phraseAt } from "./Vocabulary.ts"

const isMistypedPlease = (word: string): boolean =>
  word !== "please" && (isNear(word, "please") || isNear(word, "bitte"))

/** Without "could you please" in front and "thanks" behind. */
export const withoutPoliteness = (span: Span): Span => {
  const { tokens, vocabulary } = span.sentence
  let { from, to } = span
  for (let before = -1; before !== from;) {
    before = from
    while (from < to && tokens[from]!.kind === "mark" && tokens[from]!.raw !== ".") from++
    const length = phraseAt(tokens, from, vocabulary.openings)
    // "no more uploads" is no answer.
    const isDenied = length === 1 && tokens[from]!.norm === "no" && tokens[from + 1]?.kind === "word"
    if (length > 0 && from + length < to && !isDenied) from += length
    else if (from + 1 < to && isMistypedPlease(tokens[from]!.norm)) from++
  }
  // Behind a colon stands what somebody wants written: "thanks" belongs to it.
  const colon = tokens.findIndex(({ raw }, at) => at > from && at < to - 1 && raw === ":")
  for (let before = -1; before !== to;) {
    before = to
    while (to > from && tokens[to - 1]!.kind === "mark" && !/[)#%]/.test(tokens[to - 1]!.raw)) to--
    if (colon > 0) break
    // "was kannst du?" is no "was" with politeness behind it.
    const least = from + (/^(?:what|was|wer|who)$/.test(tokens[from]?.norm ?? "") ? 1 : 0)
    const phrase = vocabulary.closings.find((words) =>
      to - words.length > least &&
      words.every((word, at) =>
        tokens[to - words.length + at]!.norm === word && tokens[to - words.length + at]!.kind === "word"
      )
    )
    if (phrase !== undefined) to -= phrase.length
  }
  return slice(span, from, to)
}

/** Sentences of a text: at full stops, question marks, semicolons and line ends. */
export const sentencesOf = (span: Span): ReadonlyArray<Span> => {
  const { text, tokens } = span.sentence
  const found: Array<Span> = []
  let start = span.from
  for (let at = span.from; at < span.to; at++) {
    const { end, kind, raw } = tokens[at]!
    const next = tokens[at + 1]
    const isStop = kind === "mark" && /^[.!?;…]$|^\.\.\.$/.test(raw) &&
      (next === undefined || /\s/.test(text[end] ?? " "))
    // "3. Mai" and "Nr. 4" go on.
    const isDate = raw === "." && at > span.from &&
      /^\d{1,2}$|^(?:nr|no|ca|z|b|dr|st|mr|mrs)$/i.test(tokens[at - 1]!.raw)
    const isLine = next !== undefined && /\n/.test(text.slice(end, next.start))
    if ((!isStop || isDate) && !isLine) continue
    if (at + (isStop ? 0 : 1) > start) found.push(slice(span, start, isStop ? at : at + 1))
    start = at + 1
  }
  if (start < span.to) found.push(slice(span, start, span.to))
  return found
}

/** Whether a request begins at `at`: an imperative, which is no noun there. */
export const beginsRequest = (span: Span, start: number): boolean => {
  const { sentence, to } = span
  const { hits, tokens, vocabulary } = sentence
  let at = start
  for (let before = -1; before !== at;) {
    before = at
    while (at < to && isFiller(sentence, at) && !vocabulary.imperatives.has(tokens[at]!.norm)) at++
    const opening = phraseAt(tokens, at, vocabulary.openings)
    if (at + opening < to) at += opening
    // "…, and I need a playlist": something is to be made.
    if (
      opening > 1 && at > start && at < to && /^(?:need|want|like|have|get)$/.test(tokens[at - 1]!.norm) &&
      /^(?:an?|another|new)$/.test(tokens[at]!.norm)
    ) return true
    // "…, can I have it back?"
    if (opening > 1 && at > start && at < to && /^(?:have|get)$/.test(tokens[at - 1]!.norm)) return true
  }
  const token = at < to ? tokens[at] : undefined
  if (token === undefined || token.kind !== "word") return false
  // "gemacht" and "geschafft" tell of something that was done.
  if (vocabulary.code === "de" && /^(?:auf|ab|ein|aus|hoch|an)?ge(?!b)\w{3,}(?:t|en)$/.test(token.norm)) return false
  // "…, and add the message: …" goes on.
  if (classAt(sentence, at, "message", to) > 1) return false
  // "…, open until Friday" goes on.
  if (classAt(sentence, at, "due", to) > 0 || (token.norm === "open" && classAt(sentence, at + 1, "due", to) > 0)) {
    return false
  }
  const isVerb = hits[at]!.some(({ className, isCorrected }) =>
    vocabulary.verbs.has(className) && (isCorrected || vocabulary.imperatives.has(token.norm))
  )
  if (!isVerb) return false
  const isNoun = hits[at]!.some(({ className, isCorrected }) => className.startsWith("n:") && !isCorrected)
  if (!isNoun || vocabulary.code === "de") return true
  // "the tag 2025" is a noun behind its article.
  if (at > start && /^(?:the|a|an|my|our|their|his|her|its)$/.test(tokens[at - 1]!.norm)) return false
  const next = at + 1 < to ? tokens[at + 1]! : undefined
  return next !== undefined && (next.kind !== "word" && next.kind !== "mark" || isFiller(sentence, at + 1) ||
    hits[at + 1]!.some(({ className }) => /^(?:n:|all$|them$|it$|me$|my$|to$|as$)/.test(className)))
}

interface Cut {
  /** Where the part before ends, and where the next begins. */
  readonly end: number
  readonly start: number
}

/** Words with which each of two questions begins. */
const asking = /^(?:how|what|which|who|where|when|wie|wieviele?|was|welche[rsnm]?|wer|wo|wann)$/

const relative = /^(?:was|die|der|das|what|which|who|that|whatever|welche[rs]?)$/

/** Words between a statement and the request that follows from it. */
const therefore = /^(?:so|hence|therefore|but|also|deshalb|daher|darum|deswegen|drum|aber)$/

/** Places where one request may end and the next begin. */
export const cutsOf = (span: Span): ReadonlyArray<Cut> => {
  const { from, sentence, to } = span
  const cuts: Array<Cut> = []
  const isStatement = !beginsRequest(span, from)
  for (let at = from + 1; at < to; at++) {
    // Behind a statement a request may follow any mark: "Time's up - close it".
    const isMark = isStatement && /^(?:[:–—-]|-+)$/.test(sentence.tokens[at]!.raw)
    const comma = sentence.tokens[at]!.raw === "," || isMark ? 1 : 0
    const then = classAt(sentence, at + comma, "afterwards", to)
    const and = classAt(sentence, at + comma, "and", to)
    const so = isStatement && therefore.test(sentence.tokens[at + comma]?.norm ?? "") ? 1 : 0
    const start = at + comma + Math.max(then, and, so)
    // "that ends next Friday" goes on.
    if (comma + and === 0 && then === 1 && sentence.tokens[at]!.norm === "next" && !beginsRequest(span, start)) continue
    if (start === at || start >= to) continue
    // "alles, was im Ordner liegt" is one thing.
    if (comma > 0 && and + then === 0 && relative.test(sentence.tokens[start]!.norm)) continue
    const isGermanEnd = sentence.vocabulary.code === "de" && comma + and > 0 &&
      sentence.hits[at - 1]!.some(({ className }) => sentence.vocabulary.verbs.has(className))
    // "how many videos and how many photos do I have"
    const isSecond = and > 0 && asking.test(sentence.tokens[start]!.norm) &&
      sentence.tokens.slice(from, at).some(({ norm }) => asking.test(norm))
    const isAsked = isSecond || (comma > 0 && asksOf(sentence, start)) ||
      (isStatement && (comma > 0 || so > 0) && question.test(sentence.tokens[start]!.norm))
    const isTold = comma > 0 && then + and === 0 && beginsStatement(span, start)
    if (isListed(sentence, at, start) && !isGapped(span, start)) continue
    if (then === 0 && !isGermanEnd && !isAsked && !isTold && !beginsRequest(span, start)) {
      // "a.jpg to /A and b.jpg to /B": the verb is said once.
      if (and === 0 || !isGapped(span, start)) continue
    }
    cuts.push({ end: at, start })
    at = start - 1
  }
  return cuts
}

const solid = /^(?:file|quoted|url|path|handle|hashtag)$/

/** Whether the joint between `at` and `start` is one of a list: "a.pdf, b.pdf and c.pdf" are one thing. */
const isListed = ({ tokens }: Sentence, at: number, start: number): boolean =>
  at > 0 && solid.test(tokens[at - 1]!.kind) && tokens[start]!.kind === tokens[at - 1]!.kind

const target = /^(?:to|into|with|as|in|nach|mit|als)$/

/** Whether what follows has a target of its own and no verb, as the part before it has. */
const isGapped = ({ from, sentence, to }: Span, start: number): boolean => {
  if (!["file", "quoted"].includes(sentence.tokens[start]!.kind)) return false
  const before = new Set(sentence.tokens.slice(from, start).map(({ norm }) => norm))
  return sentence.tokens.slice(start + 1, to).some(({ norm }) => target.test(norm) && before.has(norm))
}

/** The same span with the verb that was said before it. */
export const withVerb = (verb: string, span: Span): Span => {
  const { moment, vocabulary } = span.sentence
  return wholeOf(sentenceOf(`${verb} ${textOf(span)}`, vocabulary.code, moment))
}

const someone =
  /^(?:i|we|he|she|they|it|its|somebody|someone|everybody|people|there|theres|thats|im|ive|ich|wir|er|jemand|leute)$/

const saying =
  /^(?:am|is|are|was|were|has|have|had|need|needs|want|wants|dont|don't|can't|cant|cannot|didnt|got|'s|'m|'ve|should|must|will|shall|ought|brauche?|brauchen|war|ist|hat|habe|hab|haben|will|muss|soll|sollte|kann)$/

/** "…, is it on here somewhere?", "…, have you got it?" */
export const asksOf = ({ tokens }: Sentence, at: number): boolean =>
  /^(?:is|are|was|do|does|did|have|has|ist|sind|hast|habe|hab|weisst)$/.test(tokens[at]?.norm ?? "") &&
  /^(?:it|that|this|they|there|you|we|i|er|sie|es|die|das|du|ich|wir)$/.test(tokens[at + 1]?.norm ?? "")

/** Whether a statement begins at `at`: "…, somebody was late", "…, I need the room", "…, it should end on Friday". */
export const beginsStatement = ({ sentence: { tokens }, to }: Span, at: number): boolean =>
  at + 2 < to && tokens[at]!.kind === "word" && someone.test(tokens[at]!.norm) &&
  (saying.test(tokens[at + 1]!.norm) || /^(?:its|theres|thats|im|ive)$/.test(tokens[at]!.norm))

/** A reason to part with something limits nothing: "I don't need that any more". */
const reason =
  /^(?:(?:i|we|nobody|ich|wir|man|das|die|den|sie|es) )?(?:really |just )?(?:(?:do not|dont|no longer|don't|doesn't|does not) (?:need|want|use|require|like)|(?:brauch|brauche|brauchen|benotige|will|mag|nutze)(?: (?:ich|wir|man))?\b.*\b(?:nicht|nimmer|keine?n?)\b)/

/** "I don't need that any more": why something is asked for. */
export const isReason = (span: Span): boolean =>
  reason.test(span.sentence.tokens.slice(span.from, span.to).map(({ norm }) => norm).join(" ")) &&
  !saysAct(span)

/** Words with which a clause limits the others: none of them is done without it. */
const limiting =
  /^(?:if|when|unless|once|whenever|until|till|only|not|except|but|without|before|wenn|falls|sobald|sofern|bis|bevor|nur|nicht|ausser|aber|ohne|solange)$/

const limitingInside =
  /^(?:not|n't|dont|don't|only|except|keep|stay|stays|but|leave|unless|instead|nicht|nur|ausser|bleibt|bleiben|behalt|behalte|lass|kein|keine|keinen|no|never|nie)$/

/** Whether a clause that was not understood narrows what others ask for: then nothing may be done. */
export const isLimiting = (span: Span, isBehind: boolean): boolean => {
  const words = span.sentence.tokens.slice(span.from, span.to).map(({ norm }) => norm)
  if (isReason(span)) return false
  if (!limiting.test(words[0] ?? "") && isHarmless(span)) return false
  const isCondition = ["if", "when", "wait", "until", "except"].some((name) =>
    classAt(span.sentence, span.from, name, span.to) > 0
  )
  return isCondition || limiting.test(words[0] ?? "") ||
    (isBehind && words.some((word) => limitingInside.test(word) || word.endsWith("n't")))
}

const question =
  /^(?:who|whose|whom|what|whats|which|how|where|when|why|did|do|does|is|are|was|were|has|have|can|could|should|may|will|would|wer|wen|wem|was|welche[rsnm]?|wie|wo|wann|warum|hat|haben|ist|sind|kann|kannst|darf|soll|sollte|gibt|wurde|wurden)$/

const courtesy =
  /^(?:how are you|how is it going|how s it going|how do you do|what s up|whats up|hows it going|wie geht|how have you been|is that ok|is that okay|is this possible|do you understand|can you do that|ok|was geht)/

/** Whether words only ask something: what was not understood of them keeps nothing from being done. */
export const isQuestion = ({ from, sentence, to }: Span): boolean =>
  question.test(sentence.tokens[from]?.norm ?? "") &&
  !/^(?:can|could|may|will|would|kann|kannst|darf|soll|sollte)$/.test(
    sentence.tokens[from]!.norm
  ) && to > from

/** Whether words that were not understood ask for something, so that it must be said that nothing came of it. */
export const looksLikeRequest = (span: Span): boolean => {
  const words = span.sentence.tokens.slice(span.from, span.to).map(({ norm }) => norm)
  if (courtesy.test(words.join(" "))) return false
  return question.test(words[0] ?? "") || beginsRequest(span, span.from)
}
