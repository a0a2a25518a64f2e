import { assert, describe, it } from "@effect/vitest"
import {
  events,
  hasEnded,
  isSettled,
  isTold,
  next,
  type Phase,
  phases,
  phasesOf,
  stateOf,
  type TaskEvent
} from "./TaskState.ts"

const goes: ReadonlyArray<readonly [Phase, TaskEvent, Phase]> = [
  ["queued", "started", "running"],
  ["running", "waits", "waiting"],
  ["running", "completed", "completed"],
  ["waiting", "woken", "woken"],
  ["woken", "started", "running"]
]

describe("TaskState", () => {
  it("TASK-1 the next phase of a task is a function of its phase and the event; all that the table lacks is refused", () => {
    for (const phase of phases) {
      for (const event of events) {
        const expected = hasEnded(phase)
          ? { refused: "ended" }
          : event === "failed" || event === "canceled"
          ? { phase: event }
          : (([row]) => row === undefined ? { refused: "not now" } : { phase: row[2] })(
            goes.filter(([from, by]) => from === phase && by === event)
          )
        assert.deepStrictEqual(next(phase, event) as unknown, expected, `${phase} ${event}`)
      }
    }
  })

  it("TASK-2 callers see the five states of the specification: waiting is working, and only a working or submitted task can be cancelled", () => {
    assert.deepStrictEqual(phases.map(stateOf), [
      "submitted",
      "working",
      "working",
      "working",
      "completed",
      "failed",
      "canceled"
    ])
    assert.deepStrictEqual(phasesOf("working"), ["running", "waiting", "woken"])
    for (const phase of phases) {
      const isOpen = stateOf(phase) === "submitted" || stateOf(phase) === "working"
      assert.strictEqual("phase" in next(phase, "canceled"), isOpen, phase)
    }
  })

  it("TASK-3 a caller who waits for a task is answered when it has ended or waits itself", () => {
    assert.deepStrictEqual(phases.filter(isSettled), ["waiting", "completed", "failed", "canceled"])
  })

  it("TASK-4 told are other states, the beginning of a wait, and that it goes on after one", () => {
    const told = phases.flatMap((before) =>
      phases.filter((after) => goes.some(([from, , to]) => from === before && to === after) && isTold(before, after))
        .map((after) => `${before} ${after}`)
    )
    assert.deepStrictEqual(told, ["queued running", "running waiting", "running completed", "woken running"])
  })
})
