/** How much a task of the agent's may cost. */
import { Context, Duration } from "effect"
import * as Limits from "../limits/Limits.ts"

export interface TaskBounds {
  /** Calls of the brain and of tools. */
  readonly steps: number
  /** Tokens of all calls of the brain, in and out; null: no bound. */
  readonly tokens: number | null
  /** How long it may be at work at a stretch. What it waits for doesn't count. */
  readonly time: Duration.Duration
  /** How long one call of the brain may take. */
  readonly modelTime: Duration.Duration
}

/** A host sets it by this. */
export const AgentLimits = Context.Reference<TaskBounds>("@filedrive/core/agent/AgentLimits", {
  defaultValue: () => ({
    steps: Limits.taskSteps,
    tokens: null,
    time: Duration.minutes(15),
    modelTime: Duration.minutes(2)
  })
})
