/** A list of features in the wrong order is refused where it is written, with the names of both features. */
import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { root } from "../scripts/workspace.ts"
import { breach } from "./Breach.ts"

const text = `
import { Context, Effect, Layer } from "effect"
import type { Feature, Ordered } from "${join(root, "packages/core/src/Feature.ts")}"

class Notes extends Context.Service<Notes, { readonly a: 1 }>()("@filedrive/core/notes/Notes") {}
class Tasks extends Context.Service<Tasks, { readonly a: 1 }>()("@filedrive/core/tasks/Tasks") {}
class Port extends Context.Service<Port, { readonly a: 1 }>()("@filedrive/core/ports/Port") {}
class Lost extends Context.Service<Lost, { readonly a: 1 }>()("@filedrive/core/lost/Lost") {}

const plain = { name: "plain" } as const satisfies Feature
const notes = { name: "notes", layer: Layer.effect(Notes, Effect.as(Port, Notes.of({ a: 1 }))) } as const satisfies Feature
const tasks = { name: "tasks", layer: Layer.effect(Tasks, Effect.as(Notes, Tasks.of({ a: 1 }))) } as const satisfies Feature
const loses = { name: "loses", layer: Layer.effectDiscard(Lost) } as const satisfies Feature

const good = [plain, tasks, notes] as const
export const ordered = good satisfies Ordered<typeof good, Port>

const low = [plain, notes, tasks] as const
export const tooLow = low satisfies Ordered<typeof low, Port>

const without = [loses, tasks, notes] as const
export const unknown = without satisfies Ordered<typeof without, Port>
`

describe("the list of features", { timeout: 120_000 }, () => {
  it("refuses a feature below one that uses it, and one that asks for what nobody gives", () => {
    using planted = breach({ "test/list.ts": text })
    const { output } = planted.types(".")
    const lines = text.split("\n")
    const told = (name: string) => {
      const at = lines.findIndex((line) => line.startsWith(`export const ${name} `)) + 1
      const from = output.indexOf(`test/list.ts(${at},`)
      return from === -1 ? "" : output.slice(from).split(/\n(?=\S)/)[0]!
    }
    assert.strictEqual(told("ordered"), "", output)
    assert.include(told("tooLow"), "tasks uses services of notes, so it belongs above it in the list")
    assert.include(told("unknown"), "loses asks for @filedrive/core/lost/Lost, which no feature gives")
  })
})
