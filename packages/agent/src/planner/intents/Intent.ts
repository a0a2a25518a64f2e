/** Something that people ask for: the forms in which they do, and what is then done. */
import type { Plan, PlanReply } from "../Plan.ts"
import type { PlanContext } from "../PlanContext.ts"
import type { Slots } from "../Slots.ts"

export interface Intent {
  readonly name: string
  /** See {@link "../grammar/Form.ts"}. */
  readonly forms: ReadonlyArray<string>
  /** How plausible the slots are together, added to the score; null when this is not meant. */
  readonly judge?: (slots: Slots) => number | null
  readonly plan: (slots: Slots, it: PlanContext) => Plan<PlanReply>
}

/** Intents about one thing, with what people may write. A test reads every example. */
export interface Family {
  readonly name: string
  readonly examples: { readonly en: ReadonlyArray<string>; readonly de: ReadonlyArray<string> }
  readonly intents: ReadonlyArray<Intent>
}
