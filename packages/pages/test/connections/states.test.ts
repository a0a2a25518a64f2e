import { assert, describe, it } from "@effect/vitest"
import { changedOf, type TaskState } from "../../browser/connections/states.ts"

const task = (id: string, state: TaskState["state"], waits = false) => ({ id, state, waits, reply: null })

describe("tasks that a reader is told of", () => {
  it("PAGE-99 are those that are in another state than before", () => {
    const before = [task("a", "working"), task("b", "working"), task("c", "completed")]
    const after = [task("a", "completed"), task("b", "working", true), task("c", "completed"), task("d", "completed")]
    assert.deepStrictEqual(changedOf(before, after, new Set()).map(({ id }) => id), ["a", "b"])
  })

  it("PAGE-99 also one that was given here and has ended before it was seen at work", () => {
    const after = [task("a", "completed"), task("b", "working")]
    assert.deepStrictEqual(changedOf([], after, new Set(["a", "b"])).map(({ id }) => id), ["a"])
  })
})
