/** Tasks for real: processes at work are killed, and others go on. */
import { assert, describe, it } from "@effect/vitest"
import { Database } from "@filedrive/core"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { type Child, start } from "../database/ChildProcess.ts"

const script = fileURLToPath(new URL("./AgentProcess.ts", import.meta.url))

const accounts = 4
const expected = { open: 0, completed: accounts * 6, made: accounts * 30, titles: accounts * 30 }

/** Waits until a line begins with `word`, and returns the rest of it. Others are logs. */
const said = (child: Child, word: string) =>
  Effect.promise(async () => {
    for (let count = 1;; count++) {
      await child.printed(count)
      const line = child.lines[count - 1]!
      if (line.startsWith(word)) return line.slice(word.length)
    }
  })

const resultOf = (child: Child) => Effect.map(said(child, "done "), (text): unknown => JSON.parse(text))

/** How long processes work before they are killed: some while they still take tasks, some in the middle of steps. */
const lives = [150, 900, 500]

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "filedrive-tasks-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const pause = (millis: number) => Effect.promise(() => new Promise<void>((resolve) => void setTimeout(resolve, millis)))

const processOf = (args: ReadonlyArray<string>) =>
  Effect.acquireRelease(Effect.sync(() => start(args, [], script)), (child) => Effect.promise(child.kill))

describe("Tasks of killed processes", () => {
  it.live(
    "TASK-30 on two servers with one PostgreSQL, killed again and again, every step of every task takes effect exactly once",
    () =>
      Effect.gen(function*() {
        const root = yield* directory
        const { schema } = yield* Database
        const url = yield* Effect.promise(postgresUrl)
        const args = [url, schema, root, String(accounts)]
        for (const life of lives) {
          const [one, two] = yield* Effect.all([processOf(args), processOf(args)])
          yield* Effect.all([said(one, "up"), said(two, "up")], { concurrency: 2 })
          yield* pause(life)
          yield* Effect.promise(one.kill)
          yield* pause(life / 2)
          yield* Effect.promise(two.kill)
        }
        const last = yield* processOf(args)
        assert.deepStrictEqual(yield* resultOf(last), expected)
      }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerPostgres)),
    240_000
  )

  it.live(
    "TASK-31 on the embedded database the next start goes on where the killed process was",
    () =>
      Effect.gen(function*() {
        const root = yield* directory
        const args = [join(root, "database"), "filedrive", join(root, "storage"), String(accounts)]
        for (const life of lives) {
          const child = yield* processOf(args)
          yield* said(child, "up")
          yield* pause(life)
          yield* Effect.promise(child.kill)
        }
        const last = yield* processOf(args)
        assert.deepStrictEqual(yield* resultOf(last), expected)
      }).pipe(Effect.scoped),
    240_000
  )
})
