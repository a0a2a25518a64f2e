/** What is said beside a request inside its sentence: why it is wanted, what for, and that what a list or folder holds stays. */
import { beginsRequest } from "./clauses.ts"
import { isDenied, isHarmless, isPart, isRestLeft, saysAct } from "./harmless.ts"
import { isKeeping } from "./keeping.ts"
import { classAt, type Sentence, slice, type Span } from "./Sentence.ts"

export interface Piece {
  readonly kind: "request" | "aside" | "purpose" | "keep" | "except" | "denial"
  readonly span: Span
}

const subject =
  /^(?:i|im|ive|id|ill|we|were|weve|well|you|he|she|they|it|its|theyre|hes|shes|thats|that|theres|everyone|everybody|people|nobody|noone|somebody|someone|anyone|none|ich|wir|du|er|sie|es|man|niemand|keiner|jeder|alle|jemand)$/

const article =
  /^(?:the|my|our|his|her|their|your|a|some|all|this|der|die|das|den|mein|meine|unser|unsere|seine|ihre|ein|eine)$/

/** "two pupils were sick": who, by how many; files are none. */
const quantity =
  /^(?:\d+|two|three|four|five|six|seven|eight|nine|ten|a few|few|many|most|several|both|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|einige|mehrere|viele|manche)$/

const verb =
  /^(?:am|is|are|was|were|be|been|'s|'m|'re|'ve|'d|'ll|have|has|had|can|could|will|would|may|might|must|should|shall|do|does|did|dont|doesnt|didnt|cant|couldnt|wont|wouldnt|isnt|arent|wasnt|hasnt|havent|cannot|needs?|needed|wants?|wanted|keeps?|kept|asked|asks|says?|said|told|tells|gets?|got|likes?|loves?|hates?|looks?|looked|sent|made|makes|takes?|took|comes?|came|goes|went|never|always|only|just|already|finally|really|no|ist|sind|war|waren|hat|habe|hab|haben|hatte|hatten|kann|konnen|konnte|konnten|will|wollen|wollte|wollten|mochte|mochten|muss|mussen|musste|mussten|soll|sollen|darf|durfen|wird|werden|wurde|wurden|braucht|brauche|brauch|brauchen|geht|gehen|kommt|kommen|nervt|nerven|fehlt|fehlen|fragt|fragen|sagt|sagte)$/

/** Behind a mark a pronoun begins a sentence of its own. */
const pronoun = /^(?:i|im|ive|id|we|weve|he|she|they|theyre|its|nobody|noone|thats|theres|ich|wir|niemand|keiner|man)$/

const word = ({ tokens }: Sentence, at: number): string => tokens[at]?.kind === "word" ? tokens[at]!.norm : ""

/** Who does something begins at `at`, and what they do follows within a few words. */
const isClause = (sentence: Sentence, at: number, to: number): boolean => {
  const first = word(sentence, at)
  const isNo = first === "no" && word(sentence, at + 1) === "one"
  const isNamed = /^\p{Lu}/u.test(sentence.tokens[at]?.raw ?? "") && !article.test(first)
  if (subject.test(first) || isNo) return at + 1 < to && sentence.tokens[at + 1]!.kind === "word"
  const isCounted = quantity.test(sentence.tokens[at]?.norm ?? "") && at + 2 < to &&
    !isPart({ sentence, from: at + 1, to })
  if (!article.test(first) && !isNamed && !isCounted) return false
  for (let next = at + 1; next < Math.min(to, at + 5); next++) if (verb.test(word(sentence, next))) return true
  return false
}

/** What is wanted besides: no reason, but another request. */
const isWish = (sentence: Sentence, at: number, to: number): boolean => {
  const text = sentence.tokens.slice(at, Math.min(to, at + 7)).map(({ norm }) => norm).join(" ")
  return /^(?:it|they|this|that|these|those|everyone|everybody|people|anyone|anybody|all|both|sie|es|er|das|die|der|alle|jeder) (?:all |both )?(?:should|shall|must|has to|have to|needs?|ought|can|may|soll|sollen|sollte|sollten|muss|mussen|darf|durfen|kann|konnen)\b/
    .test(text) ||
    /^(?:i|we|id|wed) (?:also |just |really |still |only |'d |would )?(?:want|need|like|love|prefer)\b(?! (?:it|them|that|this|those) (?:for|today|tomorrow|by|next|soon|urgently|at|before|when|on)\b| (?:the|some|more|all the) (?:room|space|storage)\b)/
      .test(text) ||
    /^(?:ich|wir) (?:will|wollen|mochte|mochten|brauche|brauchen|brauch|hatte|hatten)\b(?!.*\b(?:nie|nicht|nimmer|keine?n?|platz|speicher)\b)/
      .test(text)
}

/** How many tokens say at `at` that a reason or a purpose follows; 0 where none does. */
const markerAt = (sentence: Sentence, at: number, to: number): number => {
  const text = sentence.tokens.slice(at, Math.min(to, at + 4)).map(({ norm }) => norm).join(" ")
  const fixed =
    /^(?:so that|in order (?:to|that)|so as to|because|cause|cuz|cos|coz|given that|now that|seeing (?:as|that)|just so|sodass|so dass|weil|damit (?=ich|wir|er|sie|es|man|die|der|das|mein|meine|unser|unsere|niemand|keiner|alle|jeder|andere))\b/
      .exec(text)
  if (fixed !== null) return fixed[0].trim().split(" ").length
  if (
    /^to (?:make|free|free up|save|clear|get|have) (?:up )?(?:some |more |a bit of )?(?:room|space|disk|storage)\b|^to (?:be safe|be sure|tidy up|keep (?:things|it|everything) (?:tidy|neat|clean|organi[sz]ed|in order))\b/
      .test(sentence.tokens.slice(at, Math.min(to, at + 6)).map(({ norm }) => norm).join(" "))
  ) return 1
  const first = word(sentence, at)
  if (/^(?:so|since|as|da|denn)$/.test(first) && isClause(sentence, at + 1, to)) {
    const second = word(sentence, at + 1)
    if (first === "so") {
      return isWish(sentence, at + 1, to) && !/^(?:i|we)$/.test(second) && !hasCan(sentence, at)
        ? 0
        : 1
    }
    if (first === "as") return sentence.tokens[at - 1]?.raw === "," && subject.test(second) ? 1 : 0
    if (first === "since") return subject.test(second) || article.test(second) ? 1 : 0
    return 1
  }
  return 0
}

/** "so everybody can see it", "so the crew can send me theirs": a purpose. */
const hasCan = (sentence: Sentence, at: number): boolean =>
  [2, 3, 4, 5].some((n) =>
    /^(?:can|could|will|wont|cant|dont|may|might|know|knows|have|has|get|gets)$/.test(word(sentence, at + n))
  )

/** Where what is said beside it ends: at the end, or where another request begins behind a comma. */
const endOf = (span: Span, from: number, isPurpose: boolean): { readonly end: number; readonly next: number } => {
  const { sentence, to } = span
  for (let at = from; at + 1 < to; at++) {
    if (!/^(?:,|[–—-]+|\))$/.test(sentence.tokens[at]!.raw)) continue
    const and = Math.max(
      classAt(sentence, at + 1, "and", to),
      classAt(sentence, at + 1, "afterwards", to),
      /^(?:please|bitte|then|dann|so|but|aber)$/.test(word(sentence, at + 1)) ? 1 : 0
    )
    if ((!isPurpose || and > 0) && beginsRequest(span, at + 1 + and)) return { end: at, next: at + 1 + and }
  }
  return { end: to, next: to }
}

/** Behind a colon, or words that announce a message, everything is what somebody wants written. */
const isWritten = ({ sentence }: Span, from: number, at: number): boolean => {
  for (let before = from; before < at; before++) {
    if (sentence.tokens[before]!.raw === ":" || classAt(sentence, before, "message", at) > 0) return true
  }
  return false
}

/** "Since we are done with it, delete …": a reason in front of the request. */
const leadOf = (span: Span): { readonly end: number; readonly next: number } | null => {
  const { from, sentence, to } = span
  const first = word(sentence, from)
  const isReason = markerAt(sentence, from, to) > 0 ||
    (/^(?:as|since|da|weil)$/.test(first) && isClause(sentence, from + 1, to))
  if (!isReason) return null
  for (let at = from + 2; at + 1 < to; at++) {
    if (sentence.tokens[at]!.raw === "," && beginsRequest(span, at + 1)) return { end: at, next: at + 1 }
  }
  return null
}

const isPrivate =
  /^(?:(?:but|and|though|just|please|only|it|this|that) )*(?:(?:dont|don't|do not|never|not|without) (?:(?:making|make|set|setting|it|them|that|this|the|file|files|to|be) )*(?:public|publish it|publishing it|publicly|publicly available|for everyone|for everybody)|(?:keep|leave|stays?|must stay|should stay|has to stay|remains?) (?:(?:it|them|this|that|the|file|files) )*private)$|^(?:(?:aber|und|doch|bitte|nur) )*(?:(?:mach|mache|stell|stelle|schalte?) (?:es|sie|ihn|das|die|den) (?:(?:aber|bitte|dabei|damit|deswegen) )*nicht öffentlich|ohne (?:es|sie|ihn|das|die|den) öffentlich zu machen|nicht öffentlich(?: machen)?|(?:es|sie|er|das) (?:soll|darf|muss) (?:(?:aber|bitte|dabei) )*(?:nicht öffentlich (?:werden|sein)|privat bleiben)|(?:lass|lasse) (?:es|sie|ihn|das) privat)$/

/** "…, but don't make it public", behind a request that makes nothing public. */
const isKeptPrivate = ({ from, sentence }: Span, at: number, rest: Span): boolean => {
  const words = sentence.text.slice(sentence.tokens[rest.from]!.start, sentence.tokens[rest.to - 1]!.end)
  if (!isPrivate.test(words.toLowerCase().replaceAll("’", "'").replace(/[.!,]+$/, ""))) return false
  for (let before = from; before < at; before++) {
    if (["public", "people", "publish"].some((name) => classAt(sentence, before, name, at) > 0)) return false
  }
  return true
}

/** "…, but not", "… and keep": what begins an exception inside a sentence. */
const excepting = /^(?:not|keep|leave|skip|spare|ignore|nicht|behalte?|lass|lasst|dont|don't)$/

const isLeavingOut = (sentence: Sentence, at: number, start: number, to: number): boolean => {
  let next = start
  while (next < to && /^(?:but|and|please|just|aber|und|bitte|nur)$/.test(word(sentence, next))) next++
  return excepting.test(word(sentence, next)) || classAt(sentence, next, "except", to) > 0 ||
    // "…, the PDFs stay", "…, aber die Rechnung nicht"
    (/^(?:,|[–—-]+)$/.test(sentence.tokens[at]!.raw) || /^(?:but|aber)$/.test(word(sentence, at))) &&
      /^(?:not|nicht|stays?|remains?|bleibt|bleiben|bleibt|untouched|alone)$/.test(word(sentence, to - 1))
}

/**
 * A sentence cut into its requests and what is said beside them; null where nothing is. `isException`: whether a part leaves files out
 * of what is asked for.
 */
export const piecesOf = (span: Span, isException: (part: Span) => boolean): ReadonlyArray<Piece> | null => {
  const { sentence } = span
  const pieces: Array<Piece> = []
  let { from } = span
  const { to } = span
  const lead = leadOf(span)
  if (lead !== null && isHarmless(slice(span, from, lead.end))) {
    pieces.push({ kind: "aside", span: slice(span, from, lead.end) })
    from = lead.next
  }
  for (let at = from + 1; at < to; at++) {
    const isMark = /^(?:,|[–—-]+|\(|…|\.\.\.)$/.test(sentence.tokens[at]!.raw)
    const start = isMark ? at + 1 : at
    if (start + 1 >= to || isWritten(span, from, at)) continue
    const rest = slice(span, start, to)
    const isJoint = (isMark || /^(?:but|and|aber|und|though|doch)$/.test(word(sentence, at))) && at > from + 1
    const isKept = isJoint && isKeeping(rest)
    const isWithout = /^(?:without|ohne)$/.test(word(sentence, at)) && at > from + 1
    if ((isJoint || isWithout) && isKeptPrivate(slice(span, from, to), at, rest) || isJoint && isRestLeft(rest)) {
      pieces.push({ kind: "request", span: slice(span, from, at) }, { kind: "aside", span: rest })
      from = to
      break
    }
    const isLeftOut = isJoint && !isKept && isLeavingOut(sentence, at, start, to) && isException(rest)
    if (isLeftOut) {
      pieces.push({ kind: "request", span: slice(span, from, at) }, { kind: "except", span: rest })
      from = to
      break
    }
    const isPurpose = !isKept && markerAt(sentence, start, to) > 0
    const isTold = isMark && !isKept && !isPurpose && isClause(sentence, start, to) &&
      (pronoun.test(word(sentence, start)) || verb.test(word(sentence, start + 1)) ||
        verb.test(word(sentence, start + 2))) &&
      !isWish(sentence, start, to)
    if (!isKept && !isPurpose && !isTold) continue
    const { end, next } = isKept ? { end: to, next: to } : endOf(span, start, isPurpose)
    const aside = slice(span, start, end)
    if (!isKept && !isHarmless(aside)) {
      // "…, I don't want the plan tagged": of what is asked for, something is not to be done.
      if (isTold && saysAct(aside) && isDenied(aside)) return [{ kind: "denial", span: aside }]
      continue
    }
    pieces.push({ kind: "request", span: slice(span, from, at) }, {
      kind: isKept ? "keep" : isPurpose ? "purpose" : "aside",
      span: aside
    })
    from = next
    at = next
  }
  if (pieces.length === 0) return null
  if (from < to) pieces.push({ kind: "request", span: slice(span, from, to) })
  return pieces
}
