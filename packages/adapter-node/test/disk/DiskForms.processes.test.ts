/** Forms of the disk store that are sent more than once, revoked on the way, or cut off by kill -9. */
import { assert, it, layer } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { Context, DateTime, Effect, Fiber, Layer, Option } from "effect"
import { spawn } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DiskRoutes } from "../../src/storage/disk/DiskRoutes.ts"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"
import { Layout } from "../../src/storage/disk/Layout.ts"
import { packedMaxBytes } from "../../src/storage/disk/Packed.ts"
import { sealBytes } from "../../src/storage/disk/Seal.ts"
import { presignForm } from "../../src/storage/Signature.ts"
import { formBody, formText } from "../formBody.ts"
import {
  answerOf,
  bytesIn,
  connect,
  eventually,
  filesIn,
  fresh,
  headers,
  inTwoDays,
  lifetime,
  Place,
  post,
  served,
  temporaryRoot
} from "./DiskStoreTest.ts"

const stored = (at: Port.ObjectAddress) =>
  Port.ObjectStore.use((store) => store.head(at)).pipe(
    Effect.map((found) => Option.getOrUndefined(found)?.sizeBytes)
  )

/** The head of a sending, up to where the file's bytes begin, and what follows them. */
const sending = (form: Port.SignedForm, sizeBytes: number) => {
  const { after, before } = formText(form.fields)
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

layer(served())("the permissions of a disk store's forms", (it) => {
  const permissions = Effect.gen(function*() {
    const { root } = yield* Place
    return readdirSync(join(root, "s")).filter((name) => !name.startsWith("arrived."))
  })

  it.effect("STO-75 a form that has ended leaves no file, however many are issued and ended", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const until = yield* inTwoDays
      const kept = fresh()
      const form = yield* store.signForm({ at: kept, headers, sizeBytes: 3, lifetime })
      for (let n = 0; n < 50; n++) {
        const at = fresh()
        const one = yield* store.signForm({ at, headers, sizeBytes: 3, lifetime })
        if (n % 2 === 0) assert.strictEqual(yield* post(one, "abc"), 204)
        yield* store.revokeForms([at], until)
        yield* store.remove([at])
        assert.strictEqual(yield* post(one, "abc"), 403)
      }
      assert.strictEqual((yield* permissions).length, 1)
      assert.strictEqual(yield* post(form, "abc"), 204)
      assert.strictEqual(yield* stored(kept), 3)
      yield* store.revokeForms([kept], until)
      assert.deepStrictEqual(yield* permissions, [])
    }))

  it.effect("STO-75 a form of an earlier release stores its file once, and none once it is revoked", () =>
    Effect.gen(function*() {
      const { port, root } = yield* Place
      const store = yield* Port.ObjectStore
      const credentials = JSON.parse(readFileSync(join(root, "credentials.json"), "utf8"))
      const signing = {
        endpoint: `http://127.0.0.1:${port}/storage`,
        region: "local",
        forcePathStyle: true,
        credentials
      }
      const early = Effect.fnUntraced(function*() {
        const at = fresh()
        const fields = { "Content-Type": "a/b", "Content-Disposition": "inline", "Cache-Control": "x" }
        const now = yield* DateTime.now
        const form = presignForm(signing, { ...at, sizeBytes: 3, fields, now, lifetimeSeconds: 3_600 })
        return { at, form }
      })
      const [sent, revoked] = [yield* early(), yield* early()]
      assert.strictEqual(yield* post(sent.form, "abc"), 204)
      assert.strictEqual(yield* post(sent.form, "abc"), 403)
      yield* store.remove([sent.at])
      assert.strictEqual(yield* post(sent.form, "abc"), 403)
      yield* store.revokeForms([revoked.at], yield* inTwoDays)
      assert.strictEqual(yield* post(revoked.form, "abc"), 403)
      assert.strictEqual(yield* stored(revoked.at), undefined)
    }))

  it.effect("STO-56 a form whose file could not be noted as stored can be sent again", () =>
    Effect.gen(function*() {
      const { root } = yield* Place
      const store = yield* Port.ObjectStore
      const at = fresh()
      const [sizeBytes, bytes] = [200_000, "x".repeat(200_000)]
      const form = yield* store.signForm({ at, headers, sizeBytes, lifetime })
      // What takes the place of the note, and can't be replaced by it.
      const inTheWay = join(root, "s", `${new Layout(root).form(at)}.stored`)
      mkdirSync(join(inTheWay, "x"), { recursive: true })
      assert.strictEqual(yield* post(form, bytes), 500)
      assert.strictEqual(yield* stored(at), undefined)
      rmSync(inTheWay, { recursive: true })
      assert.strictEqual(yield* post(form, bytes), 204)
      assert.strictEqual(yield* stored(at), sizeBytes)
      yield* store.revokeForms([at], yield* inTwoDays)
    }))

  it.effect("STO-56 a form whose small file was stored, but whose permission could not be removed, can be sent again", () =>
    Effect.gen(function*() {
      const { root } = yield* Place
      const store = yield* Port.ObjectStore
      const at = fresh()
      const form = yield* store.signForm({ at, headers, sizeBytes: 3, lifetime })
      const permission = join(root, "s", `${new Layout(root).form(at)}.open`)
      // A directory can't be removed as a file is.
      rmSync(permission)
      mkdirSync(permission)
      const before = yield* filesIn(root)
      assert.strictEqual(yield* post(form, "abc"), 500)
      assert.strictEqual(yield* stored(at), undefined)
      assert.deepStrictEqual(yield* filesIn(root), before)
      rmdirSync(permission)
      writeFileSync(permission, "")
      assert.strictEqual(yield* post(form, "abc"), 204)
      assert.strictEqual(yield* stored(at), 3)
      yield* store.revokeForms([at], yield* inTwoDays)
    }))
})

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

it.live.each([100_000, 200_000])(
  "STO-56 a form of %i bytes whose sending is killed at any step has stored its file whole, or can be sent again",
  (sizeBytes) =>
    Effect.gen(function*() {
      const root = yield* temporaryRoot
      const fileBytes = sizeBytes + sealBytes(sizeBytes)
      // The description of a packed object.
      const mostBytes = fileBytes + (sizeBytes > packedMaxBytes ? 0 : 400)
      const context = yield* Layer.build(DiskStore.layer({ root, endpoint }))
      const store = Context.get(context, Port.ObjectStore)
      const sendHere = (form: Port.SignedForm) =>
        Effect.promise(() => {
          const body = formBody(form.fields, new Uint8Array(sizeBytes))
          return Context.get(context, DiskRoutes).handleWeb(new Request(form.url, { method: "POST", body }))
        })
      const outcomes = new Set<string>()
      for (let step = 1, isDone = false; !isDone; step++) {
        const at = fresh()
        const form = yield* store.signForm({ at, headers, sizeBytes, lifetime })
        isDone = yield* sendAndKill(root, form, sizeBytes, step)
        assert.isAtMost(yield* bytesIn(root), mostBytes, `step ${step}`)
        const left = Option.getOrUndefined(yield* store.head(at))
        // The process that continues takes it again, unless it is there already.
        const { status } = yield* sendHere(form)
        assert.strictEqual(status, left === undefined ? 204 : 403, `step ${step}`)
        assert.strictEqual(Option.getOrThrow(yield* store.head(at)).sizeBytes, sizeBytes)
        const bytes = yield* bytesIn(root)
        assert.isTrue(bytes >= fileBytes && bytes <= mostBytes, `step ${step}: ${bytes} bytes`)
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
