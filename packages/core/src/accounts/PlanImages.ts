/** Images that an account may generate a calendar month. Contract: "Image generation". */
import { Context } from "effect"
import * as Limits from "../limits/Limits.ts"
import type { Plan } from "../ports/Accounts.ts"

/** The allowance of each plan: images a month; null for no limit. A host may set its own. */
export const PlanImages = Context.Reference<Readonly<Record<Plan, number | null>>>(
  "@filedrive/core/accounts/PlanImages",
  { defaultValue: () => Limits.imagesPerMonth }
)

/** The allowance of an account: its own (null: no limit) or, when that is undefined, its plan's. An account without a plan has no allowance. */
export const monthlyImages = (
  own: number | null | undefined,
  plan: Plan | null,
  ofPlans: Readonly<Record<Plan, number | null>>
): number | null => own === undefined ? plan === null ? 0 : ofPlans[plan] : own
