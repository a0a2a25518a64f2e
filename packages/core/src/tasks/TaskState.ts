/**
 * The life of a task, as a function of (phase, event). Pure.
 *
 * ```text
 *   (none) ──sent──▶ queued ──started──▶ running ──completed──▶ completed
 *                                         ▲   │
 *                                  started│   │waits
 *                                         │   ▼
 *                                      woken ◀── waiting
 *                                           woken
 *   every phase that has not ended ──failed──▶ failed
 *                                  ──canceled──▶ canceled
 * ```
 *
 * Spec: "Agent task (`state`)": `queued` is shown as submitted; `running`, `waiting` and `woken` as working.
 */
import type { TaskState } from "./Task.ts"

export const phases = [
  /** It waits for its turn. */
  "queued",
  "running",
  /** It waits for something to happen on the drive. */
  "waiting",
  /** That has happened, or a message has come: it waits for its turn. */
  "woken",
  "completed",
  "failed",
  "canceled"
] as const
export type Phase = typeof phases[number]

export const events = ["started", "waits", "woken", "completed", "failed", "canceled"] as const
export type TaskEvent = typeof events[number]

/** What becomes of a task, or why the event is refused. */
export type Next = { readonly phase: Phase } | { readonly refused: "ended" | "not now" }

const ended: ReadonlySet<Phase> = new Set(["completed", "failed", "canceled"])

const table: { readonly [P in Phase]?: { readonly [E in TaskEvent]?: Phase } } = {
  queued: { started: "running" },
  running: { waits: "waiting", completed: "completed" },
  waiting: { woken: "woken" },
  woken: { started: "running" }
}

export const hasEnded = (phase: Phase): boolean => ended.has(phase)

export const next = (phase: Phase, event: TaskEvent): Next => {
  if (hasEnded(phase)) return { refused: "ended" }
  if (event === "failed" || event === "canceled") return { phase: event }
  const after = table[phase]?.[event]
  return after === undefined ? { refused: "not now" } : { phase: after }
}

/** The state that callers see. */
export const stateOf = (phase: Phase): TaskState => {
  switch (phase) {
    case "queued":
      return "submitted"
    case "running":
    case "waiting":
    case "woken":
      return "working"
    default:
      return phase
  }
}

/** The phases in which a task is shown in a state. */
export const phasesOf = (state: TaskState): ReadonlyArray<Phase> => phases.filter((phase) => stateOf(phase) === state)

/** Whether a caller who waits for the task is answered. */
export const isSettled = (phase: Phase): boolean => hasEnded(phase) || phase === "waiting"

/** Whether the task is at work or about to be: then it may begin to wait for what happens now. */
export const isActive = (phase: Phase): boolean => !hasEnded(phase) && phase !== "waiting"

/** Whether a change of phase is one that callers are told of: another state, or that it begins to wait or goes on. */
export const isTold = (before: Phase, after: Phase): boolean =>
  stateOf(before) !== stateOf(after) || after === "waiting" || before === "woken"
