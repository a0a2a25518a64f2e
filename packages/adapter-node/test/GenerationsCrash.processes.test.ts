/** Generations for real: processes that are killed at each step, and a provider that counts what it is asked. */
import { assert, it } from "@effect/vitest"
import { testImage } from "@filedrive/testing"
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { postgresUrl } from "../../testing/src/SharedPostgres.ts"
import { start } from "./database/ChildProcess.ts"
import { temporaryRoot } from "./disk/DiskStoreTest.ts"

const script = fileURLToPath(new URL("./GenerationsProcess.ts", import.meta.url))

/** Where the process is killed: at a request of its, before or after it is answered, and so many milliseconds later. */
interface Death {
  readonly at: "submit" | "poll"
  readonly isAnswered: boolean
  readonly afterMillis: number
}

const deaths: ReadonlyArray<Death> = [
  { at: "submit", isAnswered: false, afterMillis: 0 },
  { at: "submit", isAnswered: true, afterMillis: 0 },
  { at: "submit", isAnswered: true, afterMillis: 5 },
  { at: "submit", isAnswered: true, afterMillis: 15 },
  { at: "poll", isAnswered: false, afterMillis: 0 },
  { at: "poll", isAnswered: true, afterMillis: 0 },
  { at: "poll", isAnswered: true, afterMillis: 5 },
  { at: "poll", isAnswered: true, afterMillis: 15 }
]

/** A provider that gives an image to each submission, and to each job the second time it is looked at. */
const provider = Effect.acquireRelease(
  Effect.promise(async () => {
    const submissions = new Map<string, number>()
    const polls = new Map<string, number>()
    let onRequest: ((kind: string, isAnswered: boolean) => void) | undefined
    const server = createServer((request, response) => {
      const [, kind = "", ...rest] = (request.url ?? "").split("/")
      const id = rest.at(-1)!
      const counts = kind === "submit" ? submissions : polls
      counts.set(id, (counts.get(id) ?? 0) + 1)
      onRequest?.(kind, false)
      const isImage = rest[0] === "gptImage2" || (kind === "poll" && polls.get(id)! > 1)
      response.end(isImage ? testImage.bytes : "", () => onRequest?.(kind, true))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return {
      server,
      submissions,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      follow: (hook: typeof onRequest) => void (onRequest = hook)
    }
  }),
  ({ server }) =>
    Effect.promise(() =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(resolve)
      })
    )
)

interface Report {
  readonly states: ReadonlyArray<
    {
      readonly id: string
      readonly state: string
      readonly code: string | null
      readonly size: number
      readonly events: number
    }
  >
  readonly used: number
  readonly files: number
  readonly fileEvents: number
  readonly orphans: ReadonlyArray<string>
}

it.live.each(["embedded", "PostgreSQL"])(
  "GEN-30 whatever is killed where, each generation ends done or failed, is asked for once, counted once and told once (%s)",
  (database) =>
    Effect.gen(function*() {
      const root = yield* temporaryRoot
      const { follow, submissions, url } = yield* provider
      const place = database === "embedded" ? join(root, "database") : yield* Effect.promise(postgresUrl)
      const schema = `generations_${process.pid}`
      const run = (mode: string) =>
        Effect.acquireRelease(
          Effect.sync(() => start([place, schema, join(root, "storage"), url, mode], [], script)),
          (child) => Effect.promise(() => child.kill())
        )
      for (const death of deaths) {
        const child = yield* run("begin")
        yield* Effect.promise(() => child.printed(3))
        follow((kind, isAnswered) => {
          if (kind !== death.at || isAnswered !== death.isAnswered) return
          follow(undefined)
          if (death.afterMillis === 0) void child.kill()
          else setTimeout(() => void child.kill(), death.afterMillis)
        })
        yield* Effect.promise(() => child.ended)
      }
      const last = yield* run("finish")
      assert.strictEqual(yield* Effect.promise(() => last.ended), 0, last.errors())
      // Among lines of the log.
      const report = JSON.parse(last.lines.find((line) => line.startsWith("{\"states\""))!) as Report
      const done = report.states.filter(({ state }) => state === "done")
      assert.isAtLeast(report.states.length, deaths.length)
      assert.isNotEmpty(done)
      for (const { code, events, id, size, state } of report.states) {
        assert.strictEqual(events, 1)
        assert.isAtMost(submissions.get(id) ?? 0, 1)
        if (state === "done") assert.strictEqual(size, testImage.bytes.length)
        else assert.include(["failed interrupted", "failed not_saved"], `${state} ${code}`)
      }
      assert.strictEqual(report.used, done.length)
      assert.strictEqual(report.files, done.length)
      assert.strictEqual(report.fileEvents, 0)
      assert.deepStrictEqual(report.orphans, [])
      // A kill in the middle of a submission is there to see.
      assert.isNotEmpty(report.states.filter(({ code }) => code === "interrupted"))
    }).pipe(Effect.scoped),
  180_000
)
