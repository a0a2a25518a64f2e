/** What a long task leaves to whoever asks next. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import { none } from "../src/sandbox/Confinement.ts"
import { ownReads, systemReads } from "../src/sandbox/ReadList.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import { SandboxPool } from "../src/sandbox/SandboxPool.ts"
import { awaited, useBomb } from "./PictureFixtures.ts"
import { childrenOf } from "./Processes.ts"
import { still, works } from "./SandboxFixtures.ts"

const linux = process.platform === "linux"
const hasGroups = linux && existsSync("/proc/self/autogroup")

const becomes = (isSo: () => boolean) =>
  awaited(async () => {
    while (!isSo()) await pause(10)
  })

const loaded = (pid: number) => /libvips/.test(readFileSync(`/proc/${pid}/maps`, "utf8"))
const shareOf = (pid: number) => Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, "utf8"))![1])

describe("a long task", () => {
  it.live.skipIf(!linux)(
    "HOSTILE-58 while one continues and nothing is idle, a spare process is made as warm as its own; never more than there may be (needs Linux)",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 2 })
        yield* works(sandbox)
        const first = yield* Effect.forkChild(still(sandbox, useBomb()), { startImmediately: true })
        yield* becomes(() => childrenOf(process.pid).length === 2 && childrenOf(process.pid).every(loaded))
        const both = childrenOf(process.pid)
        yield* works(sandbox)
        assert.sameMembers([...childrenOf(process.pid)], [...both], "who asks next has the spare")
        const second = yield* Effect.forkChild(still(sandbox, useBomb()), { startImmediately: true })
        if (hasGroups) yield* becomes(() => both.every((pid) => shareOf(pid) === 19))
        assert.sameMembers([...childrenOf(process.pid)], [...both])
        yield* Effect.all([Fiber.interrupt(first), Fiber.interrupt(second)])
      })),
    240_000
  )

  it.live.skipIf(!hasGroups)(
    "HOSTILE-59 one that continues comes after the others' tasks in the sharing of cores, until it is done (needs Linux with autogroups: /proc/self/autogroup)",
    () =>
      Effect.promise(async () => {
        const pool = new SandboxPool({ processes: 1, memoryMaxBytes: 1e9, deadlineMillis: 60_000, idleMillis: 60_000 })
        const bounds = {
          confinement: none,
          port: null,
          reads: [...ownReads(), ...systemReads()],
          startsPrograms: false
        }
        try {
          const taken = pool.take(bounds, "still", false)
          const [pid] = childrenOf(process.pid)
          assert.strictEqual(shareOf(pid!), 10)
          const answered = Promise.withResolvers<void>()
          const attended = pool.attend(taken, bounds, answered.promise)
          await Effect.runPromise(becomes(() => shareOf(pid!) === 19))
          answered.resolve()
          await attended
          assert.strictEqual(shareOf(pid!), 10)
        } finally {
          await pool.close()
        }
      })
  )
})
