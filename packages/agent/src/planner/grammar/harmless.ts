/** Whether a statement leaves what is asked for as it is, or takes something away from it. */
import { classAt, type Span } from "./Sentence.ts"

const denial =
  /^(?:not|never|no|nobody|noone|none|nothing|neither|dont|doesnt|didnt|cant|cannot|couldnt|wont|wouldnt|shouldnt|isnt|arent|wasnt|werent|hasnt|havent|hadnt|nicht|nie|niemals|nimmer|kein|keine|keinen|keiner|niemand|nichts)$/

/** Words that make an exception, wherever they stand. */
const narrowing =
  /^(?:only|except|excluding|unless|instead|keep|stay|stays|leave|rather|but|besides|nur|ausser|ausgenommen|stattdessen|sondern|bleibt|bleiben|behalte|behalt|behalten|lass|lasst|aber)$/

/** Classes of verbs that ask for an act on the drive. */
const acts =
  /^(?:delete|move|label|share|publish|unpublish|rename|pack|empty|restore|create|add|describe|close|change|remove|touch|untag|unshare)$/

/** Verbs of these classes that seldom ask for an act when they stand in a reason. */
const vagueVerbs =
  /^(?:want|wants|need|needs|get|gets|got|give|gives|make|makes|made|show|shows|see|send|sent|keep|put|let|open|start|end|stop|use|lose|clear|find|know|tell|hand|pass|call|name|brauche|brauchen|brauch|mach|machen|macht|gibt|gib|geben|zeigen|sehen|finden|haben|ab|auf|an|ein|weg|aus|her|zu)$/

/** One or some of what is asked for. */
const someOf =
  /^(?:one|ones|rest|others|other|first|second|third|last|some|both|which|whose|those|rest|anderen|andere|ubrigen|restlichen|erste|ersten|zweite|zweiten|letzte|letzten|davon)$/

/** Whether words speak of one or some of the files that are asked for. */
export const isPart = ({ from, sentence, to }: Span): boolean =>
  sentence.tokens.slice(from, to).some(({ kind, norm, raw }, n) =>
    someOf.test(norm) || /^(?:file|quoted|path|hashtag)$/.test(kind) ||
    (kind === "number" && !/^(?:19|20)\d\d$/.test(raw)) ||
    sentence.hits[from + n]!.some(({ className, isCorrected }) =>
      !isCorrected && /^n:(?:any|image|video|audio|document|text|archivefile)$/.test(className) &&
      !/^(?:anything|something|everything|data|text|stuff|thing|things|etwas|alles)$/.test(norm)
    )
  )

/** Whether words name an act, as in "I don't want the plan tagged". */
export const saysAct = ({ from, sentence, to }: Span): boolean =>
  sentence.hits.slice(from, to).some((hits, n) =>
    /(?:ed|en|ing)$|^ge.*t$/.test(sentence.tokens[from + n]!.norm) &&
    !vagueVerbs.test(sentence.tokens[from + n]!.norm) &&
    hits.some(({ className, isCorrected }) => !isCorrected && acts.test(className))
  )

/** "I never want to see them again", "nobody else should open it": what is denied is no part of what is asked for. */
const isDenialOnly = (span: Span): boolean => {
  const { from, sentence, to } = span
  const isAct = sentence.hits.slice(from, to).some((hits, n) =>
    !vagueVerbs.test(sentence.tokens[from + n]!.norm) &&
    hits.some(({ className, isCorrected }) => !isCorrected && acts.test(className))
  )
  return !isAct && !isPart(span)
}

export const isDenied = ({ from, sentence, to }: Span): boolean =>
  sentence.tokens.slice(from, to).some(({ norm }) => denial.test(norm) || norm.endsWith("n't"))

/** Nothing that is asked for changes by it. Where that is not sure, it does. */
export const isHarmless = (span: Span): boolean => {
  const { from, sentence, to } = span
  const words = sentence.tokens.slice(from, to).map(({ norm }) => norm)
  for (let at = from; at < to; at++) {
    const isTerm = ["nodownload", "except", "password", "due"].some((name) =>
      classAt(sentence, at, name, to) > (name === "due" || name === "except" ? 1 : 0)
    )
    if (isTerm) return false
  }
  if (["if", "when", "wait", "until"].some((name) => classAt(sentence, from, name, to) > 0)) return false
  if (words.some((word) => narrowing.test(word))) return false
  return !isDenied(span) || isDenialOnly(span)
}

const rest =
  /^(?:(?:and|but|please|just|the|all the|und|aber|bitte|den|der|die|das) )*(?:leave|keep|lass|lasst|behalte)? ?(?:(?:the|all the|den|die|das|der) )*(?:rest|others|remaining (?:ones|files)|other (?:ones|files|stuff)|everything else|anything else|nothing else|rest davon|anderen|ubrigen|alles andere|sonst nichts)(?: (?:as|where|how|is|it|they|them|are|be|alone|untouched|unchanged|stays?|remains?|should|must|can|may|stay|put|there|here|in place|kann|konnen|soll|sollen|bleibt|bleiben|bleib|liegen|so|da|wo|es|sie|ist|sind|wie|unberuhrt|in ruhe|stehen|unverandert|please|bitte))*$/

/** "leave the rest where it is": nothing more is asked for. */
export const isRestLeft = ({ from, sentence, to }: Span): boolean =>
  rest.test(sentence.tokens.slice(from, to).flatMap(({ kind, norm }) => kind === "mark" ? [] : [norm]).join(" "))
