/** Finds what a clause asks for: the intent whose form accounts for most of it. */
import type { Intent } from "../intents/Intent.ts"
import { fit, Slots } from "../Slots.ts"
import { type Form, form, presentIn, readings } from "./Form.ts"
import { remembered } from "./remembered.ts"
import type { Moment, Span } from "./Sentence.ts"

export interface Parsed {
  readonly intent: Intent
  readonly form: string
  readonly slots: Slots
  readonly score: number
}

/** Below this, a reading is a guess. */
const leastScore = 1

export interface CompiledIntent {
  readonly intent: Intent
  readonly forms: ReadonlyArray<Form>
}

export const compileIntents = (intents: ReadonlyArray<Intent>): ReadonlyArray<CompiledIntent> =>
  intents.map((intent) => ({ intent, forms: intent.forms.map(form) }))

const question =
  /^(?:what|whats|which|who|whose|whom|how|where|when|why|did|does|has|was|welche[rsnm]?|wer|wem|wen|wie|wieviele?|wo|wann|warum|wieso|hat)$/

/** Intents that change something: no question asks for them. */
const changes =
  /^(?:trash|delete|empty|restore|move|tag|untag|share files|unshare|make|rename|create|close|reopen|add|remove|put|sort|feature|resolve|unresolve|answer|limit|change|generate)\b/

type Fit = ReturnType<typeof fit>

const fits = new Map<string, (span: Span) => Fit>()

const fitOf = (slot: string, part: Span): Fit => {
  const known = fits.get(slot) ?? remembered((span) => fit(slot, span))
  fits.set(slot, known)
  return known(part)
}

const readers = new WeakMap<ReadonlyArray<CompiledIntent>, (span: Span) => Parsed | null>()

/**
 * Words that are read of one message, each as often as a part or a rewording has it that is tried. Messages of people need up to 150,
 * and reading holds up everything else in the process.
 */
const wordsRead = 1_000

/** There are too many ways to cut a message: to try them all would keep the process from everything else. */
export class TooLong extends Error {}

/** By the moment, of which each message has its own. */
const spent = new WeakMap<Moment, number>()

const spend = ({ from, sentence, to }: Span): void => {
  const words = (spent.get(sentence.moment) ?? 0) + to - from
  if (words > wordsRead) throw new TooLong("The message has too many parts.")
  spent.set(sentence.moment, words)
}

/** The best reading of a span, or null where none is plausible. Throws {@link TooLong}. */
export const parseClause = (span: Span, intents: ReadonlyArray<CompiledIntent>): Parsed | null => {
  const known = readers.get(intents) ?? remembered((one) => {
    spend(one)
    return bestOf(one, intents)
  })
  readers.set(intents, known)
  return known(span)
}

const bestOf = (span: Span, intents: ReadonlyArray<CompiledIntent>): Parsed | null => {
  const isQuestion = question.test(span.sentence.tokens[span.from]?.norm ?? "")
  const present = presentIn(span.sentence)
  let best: Parsed | null = null
  for (const { forms, intent } of intents) {
    if (isQuestion && changes.test(intent.name)) continue
    for (const form of forms) {
      if (!form.needs.every((need) => present.has(need))) continue
      for (const reading of readings(form, span)) {
        let score = reading.score
        const values = new Map<string, unknown>()
        for (const [name, { slot, span: part }] of reading.slots) {
          const found = fitOf(slot, part)
          if (found === null) {
            score = -Infinity
            break
          }
          score += found.score
          values.set(name, found.value)
        }
        if (score === -Infinity) continue
        const slots = new Slots(values)
        const judged = intent.judge?.(slots) ?? (intent.judge === undefined ? 0 : null)
        if (judged === null || score + judged < leastScore || score + judged <= (best?.score ?? 0)) continue
        best = { intent, form: form.text, slots, score: score + judged }
      }
    }
  }
  return best
}
