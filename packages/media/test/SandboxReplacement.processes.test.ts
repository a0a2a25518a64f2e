/** What ending processes, and starting others, costs whom. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope, Stream } from "effect"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { type Confinement, none } from "../src/sandbox/Confinement.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import { awaited, useBomb } from "./PictureFixtures.ts"
import { childrenOf } from "./Processes.ts"
import { options, still, works } from "./SandboxFixtures.ts"

const linux = process.platform === "linux"

const becomes = (isSo: () => boolean) =>
  awaited(async () => {
    while (!isSo()) await pause(10)
  })

/** Whether a process has loaded what makes pictures. */
const isLoaded = (pid: number) => /libvips/.test(readFileSync(`/proc/${pid}/maps`, "utf8"))

describe("the sandbox's processes", () => {
  it.live.skipIf(!linux)(
    "HOSTILE-50 whoever disconnects again and again, others find a process that is warm, and has what their task needs (needs Linux)",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 2 })
        yield* Effect.all([works(sandbox), works(sandbox)], { concurrency: 2 })
        for (let n = 0; n < 4; n++) {
          const before = childrenOf(process.pid)
          assert.lengthOf(before, 2)
          const abandoned = yield* Effect.forkChild(still(sandbox, useBomb()), { startImmediately: true })
          // One is busy for hours, so this shows that it has been given away.
          yield* works(sandbox)
          yield* Fiber.interrupt(abandoned)
          const after = childrenOf(process.pid)
          assert.lengthOf(after, 2)
          assert.lengthOf(after.filter((pid) => before.includes(pid)), 1)
          yield* becomes(() => after.every(isLoaded))
          yield* Effect.all([works(sandbox), works(sandbox)], { concurrency: 2 })
          assert.sameMembers([...childrenOf(process.pid)], [...after])
        }
      })),
    240_000
  )

  it.live.skipIf(!linux)(
    "HOSTILE-50 who disconnects while a process starts is no way to have none that is warm (needs Linux)",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 1 })
        const asked = yield* Deferred.make<void>()
        const bytes = Stream.fromEffect(Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
        const abandoned = yield* Effect.forkChild(sandbox.run("still", options, { sizeBytes: 9, bytes }))
        yield* Deferred.await(asked)
        const before = childrenOf(process.pid)
        assert.lengthOf(before, 1)
        yield* Fiber.interrupt(abandoned)
        const after = childrenOf(process.pid)
        assert.lengthOf(after, 1)
        assert.notDeepEqual(after, before)
        yield* works(sandbox)
        assert.deepStrictEqual(childrenOf(process.pid), after)
      })),
    240_000
  )

  it.live.skipIf(!linux)(
    "HOSTILE-44 a drive that closes waits for no process that is started in the place of one that it ends (needs Linux)",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const directory = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "sandbox-"))),
          (path) => Effect.sync(() => rmSync(path, { recursive: true }))
        )
        // Only the first is there in less than an hour.
        const script = `mkdir "${join(directory, "first")}" 2>/dev/null || sleep 3600; exec "$0" "$@"`
        const slow: Confinement = {
          ...none,
          start: (path, args) => ({ path: "/bin/sh", args: ["-c", script, path, ...args] })
        }
        const scope = yield* Scope.make()
        const sandbox = yield* Sandbox.make({ processes: 1, confinement: Effect.succeed(slow) }).pipe(
          Scope.provide(scope)
        )
        yield* works(sandbox)
        const asked = yield* Deferred.make<void>()
        const bytes = Stream.fromEffect(Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
        yield* Effect.forkIn(sandbox.run("still", options, { sizeBytes: 9, bytes }), scope)
        yield* Deferred.await(asked)
        yield* Scope.close(scope, Exit.void)
        assert.deepStrictEqual(childrenOf(process.pid), [])
      })),
    60_000
  )

  it.live.skipIf(!linux)(
    "HOSTILE-40 how long a process takes to start is no part of a task's time (needs Linux)",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const script = "sleep 7; exec \"$0\" \"$@\""
        const slow: Confinement = {
          ...none,
          start: (path, args) => ({ path: "/bin/sh", args: ["-c", script, path, ...args] })
        }
        const sandbox = yield* Sandbox.make({ processes: 1, deadlineMillis: 5_000, confinement: Effect.succeed(slow) })
        yield* works(sandbox)
      })),
    240_000
  )

  it.live(
    "HOSTILE-57 what a file leaves behind in its process, to be thrown later, is not taken for the next file's fault",
    () =>
      Effect.scoped(Effect.gen(function*() {
        // In each process the second file's bytes never come to an end, and something is thrown meanwhile.
        const leave = "const on = process.on; process.on = function(name, hear) {"
          + "let n = 0; return on.call(this, name, name !== 'message' ? hear : (message) => {"
          + "if (++n === 2) { process.stdin.read = () => null; process.stdin.once = () => {}; setImmediate(() => { throw new Error('late') }) }"
          + "return hear(message) }) }"
        const littering: Confinement = {
          ...none,
          start: (path, args) => ({
            path,
            args: [`--import=data:text/javascript,${encodeURIComponent(leave)}`, ...args]
          })
        }
        const sandbox = yield* Sandbox.make({ processes: 1, confinement: Effect.succeed(littering) })
        yield* works(sandbox)
        yield* works(sandbox)
      })),
    240_000
  )
})
