/** What becomes of processes that decode, and of who waits for them, whatever they are given. */
import { assert, describe, it } from "@effect/vitest"
import { DriveError } from "@filedrive/core"
import { Effect, Exit, Fiber, Scope, Stream } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import sharp from "sharp"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import { awaited, pngBomb, quadrants, useBomb } from "./PictureFixtures.ts"
import { childrenOf, gone } from "./Processes.ts"
import { options, still, works } from "./SandboxFixtures.ts"

const linux = process.platform === "linux"

/** A bitmap of so many pixels a side, one bit each. */
const bmpBomb = (side: number): Buffer => {
  const bytes = Buffer.alloc(62 + Math.ceil(side / 32) * 4 * side)
  bytes.write("BM")
  for (const [at, value] of [[2, bytes.length], [10, 62], [14, 40], [18, side], [22, side]] as const) {
    bytes.writeUInt32LE(value, at)
  }
  bytes.set([1, 0, 1, 0], 26)
  return bytes
}

const unreadable = <A, E>(work: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(work), (error) => {
    assert.instanceOf(error, DriveError.Unreadable)
    return error.message
  })

describe("the sandbox", () => {
  it.live(
    "HOSTILE-40 a drawing that takes hours is ended, and the next picture is answered",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 1, cpuMaxSeconds: 1 })
        assert.match(yield* unreadable(still(sandbox, useBomb())), /too much time or memory/)
        yield* works(sandbox)
      })),
    60_000
  )

  it.live("HOSTILE-40 what does nothing for too long is ended as well", () =>
    Effect.scoped(Effect.gen(function*() {
      const sandbox = yield* Sandbox.make({ processes: 1, deadlineMillis: 5_000 })
      assert.match(yield* unreadable(still(sandbox, useBomb())), /too much time or memory/)
      yield* works(sandbox)
    })), 240_000)

  it.live("HOSTILE-40 more pixels than are shown are refused unseen", () =>
    Effect.scoped(Effect.gen(function*() {
      const sandbox = yield* Sandbox.make({ processes: 1 })
      assert.match(yield* unreadable(still(sandbox, pngBomb(30_000))), /too large to open: 30000 × 30000/)
      yield* works(sandbox)
    })), 60_000)

  it.live("HOSTILE-40 a process that takes too much memory is ended", () =>
    Effect.scoped(Effect.gen(function*() {
      const sandbox = yield* Sandbox.make({ processes: 1, memoryMaxBytes: 400e6 })
      // A bitmap that ImageMagick takes whole, at four bytes a pixel.
      const bytes = bmpBomb(12_000)
      assert.match(yield* unreadable(still(sandbox, bytes)), /too much time or memory/)
      yield* works(sandbox)
    })), 60_000)

  it.live(
    "HOSTILE-41 what is cut anywhere, or noise, is read or unreadable",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 1 })
        const whole = yield* awaited(() =>
          Promise.all([
            quadrants().jpeg().toBuffer(),
            quadrants().png().toBuffer(),
            quadrants().webp({ lossless: true }).toBuffer(),
            quadrants().tiff({ compression: "lzw" }).toBuffer()
          ])
        )
        for (const bytes of whole) {
          for (const part of [0.02, 0.3, 0.9]) {
            const shown = still(sandbox, bytes.subarray(0, Math.ceil(bytes.length * part)))
            // Where much of it is there, that may be shown.
            if (part < 0.1) yield* unreadable(shown)
            else yield* Effect.catchTag(shown, "Unreadable", () => Effect.void)
          }
        }
        for (const task of ["still", "imageFacts"] as const) {
          const noise = Buffer.from(whole[0]!).fill(0x5a, 200)
          yield* Effect.exit(sandbox.run(task, options, Sandbox.contentOf(noise)))
        }
        yield* works(sandbox)
      })),
    120_000
  )

  it.live("HOSTILE-42 a drawing shows nothing from outside itself", () =>
    Effect.scoped(Effect.gen(function*() {
      const sandbox = yield* Sandbox.make({ processes: 1 })
      const secret = fileURLToPath(new URL("./secret.png", import.meta.url))
      const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90">
        <image href="file://${secret}" width="90" height="90"/><image href="${secret}" width="90" height="90"/>
        <image href="http://127.0.0.1:9/x.png" width="90" height="90"/></svg>`
      const picture = yield* still(sandbox, Buffer.from(drawing))
      const { channels } = yield* awaited(() => sharp(picture.jpeg).stats())
      assert.deepStrictEqual(channels.map(({ min }) => min), [255, 255, 255])
      const entity =
        `<!DOCTYPE svg [<!ENTITY e SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&e;</text></svg>`
      yield* Effect.exit(still(sandbox, Buffer.from(entity)))
      yield* works(sandbox)
    })), 60_000)

  it.live.skipIf(!linux)(
    "HOSTILE-43 a process knows nothing of ours, may do little, and yields to all others (needs Linux)",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 1 })
        yield* works(sandbox)
        const [pid] = childrenOf(process.pid)
        // A session of its own, and where sessions take turns, the last of them.
        assert.strictEqual(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ")[3], String(pid))
        const group = `/proc/${pid}/autogroup`
        if (existsSync(group)) assert.match(readFileSync(group, "utf8"), / nice 10\n$/)
        const names = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").map((pair) => pair.split("=")[0]!)
        assert.deepStrictEqual(names.filter((name) => name !== "" && !name.startsWith("NODE_CHANNEL_")), [])
        const flags = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")
        assert.include(flags, "--permission")
        assert.notInclude(flags.join(), "--allow-fs-write")
        assert.notInclude(flags.join(), "--allow-child-process")
        const nice = readdirSync(`/proc/${pid}/task`).map((thread) =>
          Number(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8").replace(/^.*\) /, "").split(" ")[16])
        )
        assert.deepStrictEqual([...new Set(nice)], [19])
      })),
    60_000
  )

  it.live.skipIf(!linux)(
    "HOSTILE-44 one process serves many tasks, and is replaced after its share or a failure (needs Linux)",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 1, tasksMax: 3 })
        const after = Effect.fnUntraced(function*(work: Effect.Effect<unknown, unknown>) {
          yield* Effect.exit(work)
          return childrenOf(process.pid)
        })
        const first = yield* after(works(sandbox))
        assert.lengthOf(first, 1)
        assert.deepStrictEqual(yield* after(still(sandbox, Buffer.from("refused"))), first)
        const second = yield* after(works(sandbox))
        assert.lengthOf(second, 1)
        assert.notDeepEqual(second, first)
        const third = yield* after(still(sandbox, Buffer.from("<svg xmlns='a'><")))
        assert.lengthOf(third, 1)
        assert.notDeepEqual(third, second)
        assert.deepStrictEqual(yield* after(works(sandbox)), third)
      })),
    60_000
  )

  it.live.skipIf(!linux)(
    "HOSTILE-44 one that a large picture has made large is replaced, and leaves the next file all the memory there is (needs Linux)",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 1, memoryMaxBytes: 8e8 })
        yield* works(sandbox)
        const before = childrenOf(process.pid)
        assert.lengthOf(before, 1)
        yield* still(sandbox, bmpBomb(5_000))
        assert.lengthOf(childrenOf(process.pid), 1)
        assert.notDeepEqual(childrenOf(process.pid), before)
        yield* works(sandbox)
      })),
    60_000
  )

  it.live.skipIf(!linux)(
    "HOSTILE-44 a process that nobody waits for any longer is ended, and so are all with their drive (needs Linux)",
    () =>
      Effect.gen(function*() {
        const scope = yield* Scope.make()
        const sandbox = yield* Sandbox.make({ processes: 2 }).pipe(Scope.provide(scope))
        const abandoned = yield* Effect.forkChild(still(sandbox, useBomb()))
        yield* works(sandbox)
        const before = childrenOf(process.pid)
        assert.lengthOf(before, 2)
        yield* Fiber.interrupt(abandoned)
        assert.lengthOf(childrenOf(process.pid).filter((pid) => before.includes(pid)), 1)

        const waiting = yield* Effect.forkChild(still(sandbox, useBomb()))
        yield* works(sandbox)
        yield* Scope.close(scope, Exit.void)
        assert.deepStrictEqual(childrenOf(process.pid), [])
        assert.isTrue(Exit.isFailure(yield* Fiber.await(waiting)))
      }),
    60_000
  )

  it.live.skipIf(!linux)(
    "HOSTILE-44 a drive that is killed takes even a busy process with it (needs Linux)",
    () =>
      Effect.gen(function*() {
        const script = fileURLToPath(new URL("./SandboxHost.ts", import.meta.url))
        const host = spawn(process.execPath, ["--conditions=@filedrive/source", script], {
          stdio: ["pipe", "pipe", "inherit"]
        })
        host.stdin.end(useBomb())
        yield* awaited(() => once(host.stdout, "data"))
        const processes = childrenOf(host.pid!)
        assert.lengthOf(processes, 1)
        host.kill("SIGKILL")
        yield* gone(processes)
      }),
    60_000
  )

  it.live(
    "HOSTILE-45 a store that fails or hands over too little is told as such, and the next is answered",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 1 })
        const away = new DriveError.Unavailable({ code: "storage_unavailable", cause: "away" })
        const some = Stream.succeed(new Uint8Array(100))
        const failing = { sizeBytes: 1_000, bytes: Stream.concat(some, Stream.fail(away)) }
        assert.strictEqual(yield* Effect.flip(sandbox.run("still", options, failing)), away)
        const short = yield* Effect.flip(sandbox.run("still", options, { sizeBytes: 1_000, bytes: some }))
        assert.deepInclude(short, { _tag: "Unavailable", code: "fetching_file_failed" })
        yield* works(sandbox)
      })),
    60_000
  )

  it.live(
    "HOSTILE-45 processes that this machine does not let run are no fault of the file's",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 1 })
        const node = process.execPath
        process.execPath = "/nowhere/node"
        const told = yield* Effect.flip(still(sandbox, new Uint8Array(9))).pipe(
          Effect.ensuring(Effect.sync(() => (process.execPath = node)))
        )
        assert.deepInclude(told, { _tag: "Unavailable", code: "unavailable" })
        yield* works(sandbox)
      })),
    60_000
  )

  it.live(
    "HOSTILE-45 work waits its turn, and what is too much is told to come again",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 1, waitingMax: 3 })
        const results = yield* Effect.all(
          Array.from({ length: 6 }, () => Effect.result(works(sandbox))),
          { concurrency: "unbounded" }
        )
        const refused = results.flatMap((result) => result._tag === "Failure" ? [result.failure] : [])
        assert.deepStrictEqual(refused.map((error) => error._tag === "Unavailable" && error.code), [
          "unavailable",
          "unavailable"
        ])
      })),
    60_000
  )
})
