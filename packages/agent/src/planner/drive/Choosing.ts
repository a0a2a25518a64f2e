/** Asking back where a name fits several things or none. */
import { ask, type Plan, Stopped } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"

/** Choices that a question shows. */
const choicesShown = 12

/** The one of `candidates` that the user chooses. */
export function* choose<A>(
  it: PlanContext,
  candidates: ReadonlyArray<A>,
  question: string,
  name: (candidate: A) => string,
  pick: (shown: ReadonlyArray<A>, text: string) => number | null = () => null
): Plan<A> {
  const shown = candidates.slice(0, choicesShown)
  const names = shown.map(name)
  const list = names.map((text, at) => `${at + 1}. ${text}`).join("\n")
  const more = candidates.length - shown.length
  const rest = more === 0 ? "" : say(it, `\n… and ${more} more`, `\n… und ${more} weitere`)
  const answer = yield* ask({
    text: `${question}\n${list}${rest}`,
    choices: names,
    expects: "choice",
    pick: (text) => pick(shown, text)
  })
  const chosen = answer._tag === "Choice" ? shown[answer.at] : undefined
  if (chosen === undefined) throw new Stopped({ text: say(it, "Then I did nothing.", "Dann habe ich nichts getan.") })
  return chosen
}

/** Goes on only after a yes. */
export function* confirm(it: PlanContext, question: string): Plan<void> {
  const answer = yield* ask({ text: question, choices: [], expects: "yes" })
  if (answer._tag === "Choice" && answer.at === 0) return
  throw new Stopped({ text: say(it, "All right, I did nothing.", "In Ordnung, ich habe nichts getan.") })
}

/** A free answer, never empty. */
export function* askText(it: PlanContext, question: string): Plan<string> {
  const answer = yield* ask({ text: question, choices: [], expects: "text" })
  const text = answer._tag === "Text" ? answer.text.trim() : ""
  if (text === "") {
    throw new Stopped({ text: say(it, "All right, I did nothing.", "In Ordnung, ich habe nichts getan.") })
  }
  return text
}
