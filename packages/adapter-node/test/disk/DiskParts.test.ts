/** Parts that are sent to a disk store more than once, also by two processes, and uploads that end on the way. */
import { assert, layer } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { Context, Duration, Effect, Fiber, Layer, Option, Stream } from "effect"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DiskRoutes } from "../../src/storage/disk/DiskRoutes.ts"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"
import { sealBytes } from "../../src/storage/disk/Seal.ts"
import { answerOf, bytesIn, connect, eventually, filesIn, openUpload, Place, served, turn } from "./DiskStoreTest.ts"

const sizeBytes = 3_000_000
const storedBytes = sizeBytes + sealBytes(sizeBytes)
const almost = "x".repeat(sizeBytes - 1)

const ownSize = ({ at, uploadId }: { readonly at: Port.ObjectAddress; readonly uploadId: string }) =>
  Effect.flatMap(Port.ObjectStore, (store) => store.listParts(at, uploadId)).pipe(
    Effect.map((parts) => Option.getOrThrow(parts).map((part) => part.sizeBytes))
  )

/** Waits until `socket` has heard something. */
const heard = (socket: { readonly bytesRead: number }) => eventually(Effect.sync(() => socket.bytesRead > 0))

/** What is unfinished in the store. */
const unfinished = (root: string) => Effect.map(filesIn(root), (files) => files.filter((file) => file.startsWith("t/")))

layer(served())("parts of a disk store", (it) => {
  it.effect("STO-74 a part that is sent many times at once has one sending's bytes on their way, and the last is taken", () =>
    Effect.gen(function*() {
      const { port, root } = yield* Place
      const upload = yield* openUpload(sizeBytes)
      const before = yield* bytesIn(root)
      const grown = Effect.map(bytesIn(root), (bytes) => bytes - before)
      const arrived = (stored: number) => eventually(Effect.map(grown, (bytes) => bytes > stored + 2_000_000))
      // Once where nothing is stored, and once where the part is there already.
      for (const stored of [0, storedBytes]) {
        let socket = yield* connect(port, upload.start + almost)
        yield* arrived(stored)
        for (let n = 0; n < 5; n++) {
          const answer = yield* Effect.forkScoped(answerOf(socket))
          const next = yield* connect(port, upload.start + almost)
          yield* heard(socket)
          socket.write("x")
          assert.match(
            yield* Fiber.join(answer),
            /^HTTP\/1.1 403 [^]*<Code>AccessDenied<[^]*This part was sent again\./
          )
          yield* arrived(stored)
          assert.isAtMost(yield* grown, stored + sizeBytes)
          assert.strictEqual((yield* unfinished(root)).length, 1)
          socket = next
        }
        const taken = yield* Effect.forkScoped(answerOf(socket))
        socket.write("x")
        assert.match(yield* Fiber.join(taken), /^HTTP\/1.1 200 /)
        assert.strictEqual(yield* grown, storedBytes)
        assert.deepStrictEqual(yield* ownSize(upload), [sizeBytes])
      }
    }))

  it.effect("STO-74 two parts of an upload and two uploads don't end each other's sendings", () =>
    Effect.gen(function*() {
      const { port, root } = yield* Place
      const store = yield* Port.ObjectStore
      const [one, two] = [yield* openUpload(sizeBytes), yield* openUpload(sizeBytes)]
      const [url = ""] = yield* store.signParts({
        ...one,
        parts: [{ partNumber: 10, sizeBytes }],
        lifetime: Duration.days(1)
      })
      const { pathname, search } = new URL(url)
      const tenth = one.start.replace(/^PUT \S+/, () => `PUT ${pathname}${search}`)
      const sockets = yield* Effect.forEach([tenth, two.start, one.start], (start) => connect(port, start + almost))
      yield* eventually(Effect.map(unfinished(root), (files) => files.length === 3))
      for (const socket of sockets) {
        const answer = yield* Effect.forkScoped(answerOf(socket))
        socket.write("x")
        assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 200 /)
      }
    }))

  /** Connections that send parts which are stored already, each but for its last byte. */
  const replacing = Effect.fnUntraced(function*(...numbers: ReadonlyArray<number>) {
    const { port, root } = yield* Place
    const store = yield* Port.ObjectStore
    const upload = yield* openUpload(sizeBytes)
    const parts = numbers.map((partNumber) => ({ partNumber, sizeBytes }))
    const urls = yield* store.signParts({ ...upload, parts, lifetime: Duration.days(1) })
    const starts = urls.map((url) => {
      const { pathname, search } = new URL(url)
      return upload.start.replace(/^PUT \S+/, () => `PUT ${pathname}${search}`)
    })
    for (const start of starts) {
      assert.match(yield* answerOf(yield* connect(port, `${start}${almost}x`)), /^HTTP\/1.1 200 /)
    }
    const stored = yield* bytesIn(root)
    const sockets = yield* Effect.forEach(starts, (start) => connect(port, start + almost))
    yield* eventually(Effect.map(bytesIn(root), (bytes) => bytes > stored + 2_000_000))
    return { ...upload, starts, sockets, stored }
  })

  it.effect("STO-76 of parts that are stored already four of an account are replaced at a time, and all are taken", () =>
    Effect.gen(function*() {
      const { root } = yield* Place
      const { sockets, stored, ...upload } = yield* replacing(1, 2, 3, 4, 5, 6, 7, 8, 9)
      const answers = yield* Effect.forEach(sockets, (socket) => Effect.forkScoped(answerOf(socket)))
      // The others wait, however much of them has come to this machine.
      yield* eventually(Effect.map(unfinished(root), (files) => files.length === 4))
      yield* Effect.repeat(turn, { times: 500 })
      assert.strictEqual((yield* unfinished(root)).length, 4)
      for (const socket of sockets) {
        socket.write("x")
        yield* Effect.repeat(turn, { times: 50 })
        assert.isAtMost(yield* bytesIn(root), stored + 4 * storedBytes)
      }
      for (const answer of answers) assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 200 /)
      assert.deepStrictEqual(yield* ownSize(upload), Array.from({ length: 9 }, () => sizeBytes))
      assert.strictEqual(yield* bytesIn(root), stored)
    }))

  it.effect("STO-76 what waits to be sent again makes way for a newer sending, and ends with its upload", () =>
    Effect.gen(function*() {
      const { port, root } = yield* Place
      const store = yield* Port.ObjectStore
      const { at, sockets: [, second, third], starts, uploadId } = yield* replacing(1, 5, 9)
      const answer = yield* Effect.forkScoped(answerOf(second!))
      const newer = yield* connect(port, starts[1]! + almost)
      yield* heard(second!)
      second!.write("x")
      assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 403 [^]*This part was sent again\./)
      const answers = yield* Effect.forEach([newer, third!], (socket) => Effect.forkScoped(answerOf(socket)))
      yield* store.abortUpload(at, uploadId)
      for (const [i, socket] of [newer, third!].entries()) {
        yield* heard(socket)
        socket.write("x")
        assert.match(yield* Fiber.join(answers[i]!), /^HTTP\/1.1 404 [^]*<Code>NoSuchUpload</)
      }
      yield* eventually(Effect.map(unfinished(root), (files) => files.length === 0))
    }))

  for (const end of ["aborted", "completed"] as const) {
    it.effect(`STO-74 when an upload is ${end}, so is what is on its way, and nothing of it is kept`, () =>
      Effect.gen(function*() {
        const { port, root } = yield* Place
        const store = yield* Port.ObjectStore
        const { at, start, uploadId } = yield* openUpload(sizeBytes)
        const first = yield* connect(port, `${start}${almost}x`)
        assert.match(yield* answerOf(first), /^HTTP\/1.1 200 /)
        const stored = yield* bytesIn(root)
        const socket = yield* connect(port, start + almost)
        const answer = yield* Effect.forkScoped(answerOf(socket))
        yield* eventually(Effect.map(bytesIn(root), (bytes) => bytes > stored + 2_000_000))
        if (end === "aborted") yield* store.abortUpload(at, uploadId)
        else yield* store.completeUpload(at, uploadId, Option.getOrThrow(yield* store.listParts(at, uploadId)))
        assert.strictEqual(yield* bytesIn(root), end === "aborted" ? stored - storedBytes : stored)
        // Its sender hears of it before the body has come to its end.
        yield* heard(socket)
        socket.write("x")
        assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 404 [^]*<Code>NoSuchUpload</)
        assert.deepStrictEqual(yield* unfinished(root), [])
      }))
  }

  for (const end of ["stored again", "aborted"] as const) {
    it.effect(`STO-100 what a killed process left of a part that the drive stores itself goes when it is ${end}`, () =>
      Effect.gen(function*() {
        const { root } = yield* Place
        const store = yield* Port.ObjectStore
        const { at, uploadId } = yield* openUpload(sizeBytes)
        const part = { at, uploadId, partNumber: 1, sizeBytes: 10 }
        // The process stands still in the middle, and never comes to remove anything.
        const body = Stream.concat(Stream.make(new Uint8Array(5)), Stream.never)
        yield* Effect.forkScoped(store.putPart({ ...part, body }))
        yield* eventually(Effect.map(unfinished(root), (files) => files.length === 1))
        if (end === "aborted") yield* store.abortUpload(at, uploadId)
        else yield* store.putPart({ ...part, body: Stream.make(new Uint8Array(10)) })
        assert.deepStrictEqual(yield* unfinished(root), [])
      }))
  }

  it.effect("STO-74 a sending ends that of another process, and removes what a killed one left", () =>
    Effect.gen(function*() {
      const { port, root } = yield* Place
      const upload = yield* openUpload(sizeBytes)
      yield* Effect.promise(() => writeFile(join(root, "t", `part.${upload.uploadId}.1.killed`), "x"))
      const socket = yield* connect(port, upload.start + almost)
      const answer = yield* Effect.forkScoped(answerOf(socket))
      yield* eventually(Effect.map(bytesIn(root), (bytes) => bytes > 2_000_000))
      yield* eventually(Effect.map(unfinished(root), (files) => files.length === 1 && !files[0]?.endsWith("killed")))
      const { origin } = new URL(upload.url)
      const other = Context.get(
        yield* Layer.build(DiskStore.layer({ root, endpoint: `${origin}/storage` })),
        DiskRoutes
      )
      const { status } = yield* Effect.promise(() =>
        other.handleWeb(
          new Request(upload.url, {
            method: "PUT",
            headers: { "content-length": String(sizeBytes) },
            body: new Uint8Array(sizeBytes)
          })
        )
      )
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(yield* unfinished(root), [])
      socket.write("x")
      assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 403 [^]*This part was sent again\./)
      assert.deepStrictEqual(yield* ownSize(upload), [sizeBytes])
    }))
})
