/** Forms of the disk store that are sent more than once, revoked on the way, or cut off by kill -9. */
import { assert, it, layer } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { Context, DateTime, Duration, Effect, Fiber, Layer, Option } from "effect"
import { spawn } from "node:child_process"
import { DiskRoutes } from "../../src/storage/disk/DiskRoutes.ts"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"
import { sealBytes } from "../../src/storage/disk/Seal.ts"
import {
  answerOf,
  bytesIn,
  connect,
  eventually,
  fresh,
  headers,
  Place,
  served,
  temporaryRoot
} from "./DiskStoreTest.ts"

const lifetime = Duration.days(2)
const inTwoDays = Effect.map(DateTime.now, (now) => DateTime.addDuration(now, lifetime))

const stored = (at: Port.ObjectAddress) =>
  Port.ObjectStore.use((store) => store.head(at)).pipe(
    Effect.map((found) => Option.getOrUndefined(found)?.sizeBytes)
  )

/** The head of a sending, up to where the file's bytes begin, and what follows them. */
const sending = (form: Port.SignedForm, sizeBytes: number) => {
  const part = (name: string) => `--XX\r\nContent-Disposition: form-data; name="${name}"`
  const fields = Object.entries(form.fields).map(([name, value]) => `${part(name)}\r\n\r\n${value}\r\n`).join("")
  const before = `${fields}${part("file")}; filename="x"\r\n\r\n`
  const after = "\r\n--XX--\r\n"
  const head = `POST /storage/private HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`
    + `Content-Type: multipart/form-data; boundary=XX\r\n`
    + `Content-Length: ${before.length + sizeBytes + after.length}\r\n\r\n`
  return { start: head + before, after }
}

layer(served())("forms of a disk store", (it) => {
  it.effect("STO-54 a form that is sent many times at once has no more bytes on disk than one file, and the last is taken", () =>
    Effect.gen(function*() {
      const { port, root } = yield* Place
      const store = yield* Port.ObjectStore
      const [at, sizeBytes] = [fresh(), 3_000_000]
      const { after, start } = sending(yield* store.signForm({ at, headers, sizeBytes, lifetime }), sizeBytes)
      const almost = "x".repeat(sizeBytes - 1)
      const arrived = Effect.map(bytesIn(root), (bytes) => bytes > 2_000_000)
      for (let n = 0; n < 5; n++) {
        const socket = yield* connect(port, start + almost)
        const answer = yield* Effect.forkScoped(answerOf(socket))
        yield* eventually(arrived)
        assert.isAtMost(yield* bytesIn(root), sizeBytes + sealBytes(sizeBytes))
        let isAnswered = false
        socket.once("data", () => {
          isAnswered = true
        })
        const next = yield* connect(port, start + almost)
        yield* eventually(Effect.sync(() => isAnswered))
        // Read to its end, so that it gets to see why it was refused.
        socket.write(`x${after}`)
        yield* eventually(Effect.sync(() => socket.closed))
        assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 403 [^]*This form was sent again\./)
        yield* eventually(arrived)
        assert.isAtMost(yield* bytesIn(root), sizeBytes + sealBytes(sizeBytes))
        if (n < 4) {
          next.destroy()
          continue
        }
        const taken = yield* Effect.forkScoped(answerOf(next))
        next.write(`x${after}`)
        assert.match(yield* Fiber.join(taken), /^HTTP\/1.1 204 /)
      }
      assert.strictEqual(yield* stored(at), sizeBytes)
      assert.strictEqual(yield* bytesIn(root), sizeBytes + sealBytes(sizeBytes))
    }))

  it.effect("STO-55 a form that is revoked while its file is on its way stores nothing", () =>
    Effect.gen(function*() {
      const { port, root } = yield* Place
      const store = yield* Port.ObjectStore
      const before = yield* bytesIn(root)
      const [at, sizeBytes] = [fresh(), 3_000_000]
      const { after, start } = sending(yield* store.signForm({ at, headers, sizeBytes, lifetime }), sizeBytes)
      const socket = yield* connect(port, start + "x".repeat(sizeBytes - 1))
      const answer = yield* Effect.forkScoped(answerOf(socket))
      yield* eventually(Effect.map(bytesIn(root), (bytes) => bytes > before))
      yield* store.revokeForms([at], yield* inTwoDays)
      assert.strictEqual(yield* bytesIn(root), before)
      socket.write(`x${after}`)
      assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 403 [^]*This form was revoked\./)
      assert.strictEqual(yield* stored(at), undefined)
    }))
})

const endpoint = "http://drive.test/storage"

/** Sends a form in a process that is killed before its nth step; whether it came to its end. */
const sendAndKill = (root: string, form: Port.SignedForm, sizeBytes: number, step: number) =>
  Effect.callback<boolean>((resume) => {
    const script = new URL("./formWriter.ts", import.meta.url).pathname
    const args = ["--conditions=@filedrive/source", script, root, JSON.stringify(form), String(sizeBytes), String(step)]
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
    let said = ""
    child.stdout.on("data", (chunk) => {
      said += String(chunk)
    })
    child.on("close", () => resume(Effect.succeed(said.trim() === "204")))
  })

it.live(
  "STO-56 a form whose sending is killed at any step has stored its file whole, or can be sent again",
  () =>
    Effect.gen(function*() {
      const root = yield* temporaryRoot
      const sizeBytes = 100_000
      const context = yield* Layer.build(DiskStore.layer({ root, endpoint }))
      const store = Context.get(context, Port.ObjectStore)
      const sendHere = (form: Port.SignedForm) =>
        Effect.promise(() => {
          const body = new FormData()
          for (const [name, value] of Object.entries(form.fields)) body.append(name, value)
          body.append("file", new Blob([new Uint8Array(sizeBytes)]))
          return Context.get(context, DiskRoutes).handleWeb(new Request(form.url, { method: "POST", body }))
        })
      const outcomes = new Set<string>()
      for (let step = 1, isDone = false; !isDone; step++) {
        const at = fresh()
        const form = yield* store.signForm({ at, headers, sizeBytes, lifetime })
        isDone = yield* sendAndKill(root, form, sizeBytes, step)
        assert.isAtMost(yield* bytesIn(root), sizeBytes + sealBytes(sizeBytes), `step ${step}`)
        const left = Option.getOrUndefined(yield* store.head(at))
        // The process that goes on takes it again, unless it is there already.
        const { status } = yield* sendHere(form)
        assert.strictEqual(status, left === undefined ? 204 : 403, `step ${step}`)
        assert.strictEqual(Option.getOrThrow(yield* store.head(at)).sizeBytes, sizeBytes)
        assert.strictEqual(yield* bytesIn(root), sizeBytes + sealBytes(sizeBytes), `step ${step}`)
        outcomes.add(isDone ? "done" : left === undefined ? "sent again" : "stored")
        // And it is over then, wherever the other was killed.
        yield* store.revokeForms([at], yield* inTwoDays)
        yield* store.remove([at])
        assert.strictEqual((yield* sendHere(form)).status, 403, `step ${step}`)
        assert.strictEqual(yield* bytesIn(root), 0, `step ${step}`)
      }
      assert.deepStrictEqual([...outcomes], ["sent again", "stored", "done"])
    }),
  300_000
)
