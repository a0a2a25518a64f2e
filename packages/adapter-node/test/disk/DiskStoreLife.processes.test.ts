/** A disk store over time: stalls, sweeps, restarts and crashes. */
import { assert, it, layer } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { Context, DateTime, Duration, Effect, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { spawn } from "node:child_process"
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"
import { Layout } from "../../src/storage/disk/Layout.ts"
import { Sealing } from "../../src/storage/disk/Seal.ts"
import * as StallWatch from "../../src/storage/disk/StallWatch.ts"
import {
  connect,
  eventually,
  filesIn,
  fresh,
  headers,
  lifetime,
  openFiles,
  openUpload,
  Place,
  post,
  putBytes,
  read,
  served,
  temporaryRoot,
  turn
} from "./DiskStoreTest.ts"

const endpoint = "http://127.0.0.1:1/storage"

layer(served())("a disk store over time", (it) => {
  it.effect("STO-25 a body that stands still for 60 seconds is cut, and not before", () =>
    Effect.gen(function*() {
      const { port, root } = yield* Place
      const socket = yield* connect(port, (yield* openUpload(1_000_000)).start)
      socket.resume()
      socket.write("x".repeat(1_000))
      const receiving = Effect.sync(() => openFiles(root).some((path) => path.startsWith(join(root, "t"))))
      yield* eventually(receiving)
      yield* TestClock.adjust("59 seconds")
      assert.isTrue(yield* receiving)
      assert.isFalse(socket.closed)
      yield* TestClock.adjust("1 second")
      yield* eventually(Effect.sync(() => socket.closed))
      yield* eventually(Effect.map(filesIn(root), (files) => !files.some((file) => file.startsWith("t/"))))
      assert.deepStrictEqual(openFiles(root), [])
    }))

  it.effect("HOST-22 what is left of a refused upload has 10 seconds, however much of it comes", () =>
    Effect.gen(function*() {
      const { port } = yield* Place
      const socket = yield* connect(
        port,
        "PUT /storage/private/files/a HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n"
      )
      let answer = ""
      socket.on("data", (chunk) => answer += chunk)
      yield* eventually(Effect.sync(() => answer.startsWith("HTTP/1.1 403")))
      for (let second = 1; second < 10; second++) {
        socket.write("x".repeat(100_000))
        yield* TestClock.adjust("1 second")
      }
      yield* turn
      assert.isFalse(socket.closed)
      yield* TestClock.adjust("1 second")
      yield* eventually(Effect.sync(() => socket.closed))
    }))

  it.effect("HOST-22 the fields of a form have 30 seconds to come, however they drip", () =>
    Effect.gen(function*() {
      const { port } = yield* Place
      const socket = yield* connect(
        port,
        "POST /storage/private HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=XX\r\n" +
          "Content-Length: 100000\r\n\r\n--XX\r\n"
      )
      let answer = ""
      socket.on("data", (chunk) => answer += chunk)
      // Until the store waits for the fields.
      for (let turns = 0; turns < 50; turns++) yield* turn
      yield* TestClock.adjust("29 seconds")
      yield* turn
      assert.strictEqual(answer, "")
      yield* TestClock.adjust("1 second")
      yield* eventually(Effect.sync(() => answer.includes("RequestTimeout")))
      yield* TestClock.adjust("10 seconds")
      yield* eventually(Effect.sync(() => socket.closed))
    }))

  it.effect("STO-25 what makes enough progress in each interval is never cut", () =>
    Effect.gen(function*() {
      const stalls = StallWatch.make(Duration.seconds(60), Effect.runForkWith(yield* Effect.context()))
      let cuts = 0
      const watch = stalls.watch(16_384, () => cuts++)
      for (let minute = 0; minute < 90; minute++) {
        watch.progress(16_000)
        yield* TestClock.adjust("30 seconds")
        watch.progress(384)
        yield* TestClock.adjust("30 seconds")
      }
      assert.strictEqual(cuts, 0)
      watch.progress(16_383)
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(cuts, 1)
      watch.stop()
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(cuts, 1)
    }))

  it.effect("STO-43 parts carry the drive's time", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const from = fresh()
      yield* putBytes(from, new Uint8Array(10))
      const at = fresh()
      const uploadId = yield* store.createUpload(at, headers)
      yield* TestClock.adjust("5 days")
      yield* store.copyPart({ from, range: { start: 0, end: 9 }, to: at, uploadId, partNumber: 1 })
      const [part] = Option.getOrThrow(yield* store.listParts(at, uploadId))
      assert.deepStrictEqual(part?.storedTime, yield* DateTime.now)
    }))

  it.effect("STO-26 what is unfinished for a day is removed daily, and marks of forms when those lapse", () =>
    Effect.gen(function*() {
      const { root } = yield* Place
      const store = yield* Port.ObjectStore
      const [small, large] = [fresh(), fresh()]
      for (const [at, sizeBytes] of [[small, 3], [large, 200_000]] as const) {
        const form = yield* store.signForm({ at, headers, sizeBytes, lifetime })
        assert.strictEqual(yield* post(form, new Uint8Array(sizeBytes)), 204)
      }
      const unfinished = join(root, "t", "cut")
      const hourAgo = DateTime.toEpochMillis(yield* DateTime.now) / 1000 - 3600
      yield* Effect.promise(() => writeFile(unfinished, "").then(() => utimes(unfinished, hourAgo, hourAgo)))
      const growing = join(root, "t", "growing")
      yield* Effect.promise(async () => {
        await mkdir(growing)
        await writeFile(join(growing, "p00001"), "")
        await utimes(growing, hourAgo, hourAgo)
      })
      const left = (folder: string) =>
        Effect.map(
          Effect.promise(() => readdir(join(root, folder))),
          (files) => files.filter((name) => !name.startsWith("arrived.")).length
        )
      assert.deepStrictEqual([yield* left("t"), yield* left("s")], [2, 1])
      for (let hour = 0; hour < 47; hour++) {
        yield* Effect.andThen(TestClock.adjust("1 hour"), Effect.repeat(turn, { times: 20 }))
      }
      yield* eventually(Effect.map(left("t"), (count) => count === 1))
      assert.strictEqual(yield* left("s"), 1)
      yield* TestClock.adjust("1 hour")
      yield* eventually(Effect.andThen(TestClock.adjust("1 hour"), Effect.map(left("s"), (count) => count === 0)))
      // The objects are not the store's to remove.
      for (const at of [small, large]) assert.isTrue(Option.isSome(yield* store.head(at)))
    }))
})

it.live("STO-25 a client that stops reading is cut", () =>
  Effect.gen(function*() {
    const { port, root } = yield* Place
    const store = yield* Port.ObjectStore
    const at = fresh("public")
    yield* putBytes(at, new Uint8Array(40_000_000))
    const socket = yield* connect(port, `GET ${new URL(store.publicUrl(at.key)).pathname} HTTP/1.1\r\nHost: a\r\n\r\n`)
    socket.pause()
    yield* eventually(Effect.sync(() => openFiles(root).length === 1))
    yield* eventually(Effect.sync(() => openFiles(root).length === 0))
  }).pipe(Effect.provide(served({ idleTimeout: "50 millis" }))))

it.live("STO-29 processes that start together share one set of credentials, readable by their user only", () =>
  Effect.gen(function*() {
    const root = yield* temporaryRoot
    const stores = yield* Effect.all(
      Array.from({ length: 5 }, () => Layer.build(DiskStore.layer({ root, endpoint }))),
      { concurrency: "unbounded" }
    )
    const path = join(root, "credentials.json")
    const { accessKeyId } = JSON.parse(yield* Effect.promise(() => readFile(path, "utf8")))
    for (const store of stores) {
      const lifetime = Duration.hours(1)
      const link = yield* Context.get(store, Port.ObjectStore).signGet({ at: fresh(), headers, lifetime })
      assert.include(link, accessKeyId)
    }
    assert.strictEqual((yield* Effect.promise(() => stat(path))).mode & 0o777, 0o600)
  }))

it.live("STO-85 credentials that are damaged are told in a sentence that quotes nothing of them", () =>
  Effect.gen(function*() {
    for (
      const kept of ["", "{\"secretAccessKey\":\"hush", "null", "[]", "{\"accessKeyId\":\"a\",\"secretAccessKey\":7}"]
    ) {
      const root = yield* temporaryRoot
      yield* Effect.promise(() => writeFile(join(root, "credentials.json"), kept))
      const failure = yield* Effect.flip(Layer.build(DiskStore.layer({ root, endpoint })))
      assert.match(failure.message, /^The directory \S+ can't be used: its credentials\.json is damaged: restore it /)
      assert.notInclude(failure.message, "hush")
    }
    const root = yield* temporaryRoot
    yield* Effect.promise(() => mkdir(join(root, "credentials.json")))
    const failure = yield* Effect.flip(Layer.build(DiskStore.layer({ root, endpoint })))
    assert.match(failure.message, /can't be used: its credentials\.json can't be read by this process \(EISDIR\)\.$/)
  }))

it.live("STO-24 an upload whose completion fails is open again, parts and all", () =>
  Effect.gen(function*() {
    const root = yield* temporaryRoot
    yield* Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const [from, at] = [fresh(), fresh()]
      yield* putBytes(from, new Uint8Array(10))
      const uploadId = yield* store.createUpload(at, headers)
      yield* store.copyPart({ from, range: { start: 0, end: 9 }, to: at, uploadId, partNumber: 1 })
      const parts = Option.getOrThrow(yield* store.listParts(at, uploadId))
      const obstacle = new Layout(root).object(at)
      yield* Effect.promise(() => writeFile(obstacle, ""))
      yield* Effect.flip(store.completeUpload(at, uploadId, parts))
      assert.deepStrictEqual(Option.getOrThrow(yield* store.listParts(at, uploadId)), parts)
      yield* Effect.promise(() => rm(obstacle))
      assert.isTrue(yield* store.completeUpload(at, uploadId, parts))
    }).pipe(Effect.provide(DiskStore.layer({ root, endpoint })))
  }))

/** Runs a writer until it has acknowledged `count` objects, then kills it; returns the acknowledged. */
const writeAndKill = (root: string, first: number, count: number) =>
  Effect.callback<ReadonlyArray<number>>((resume) => {
    const script = new URL("./diskWriter.ts", import.meta.url).pathname
    const child = spawn(process.execPath, ["--conditions=@filedrive/source", script, root, String(first)], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const acknowledged: Array<number> = []
    createInterface(child.stdout).on("line", (line) => {
      acknowledged.push(Number(line))
      if (acknowledged.length === count) child.kill("SIGKILL")
    })
    child.on("close", () => resume(Effect.succeed(acknowledged)))
  })

it.live(
  "STO-24 after kill -9 every acknowledged object is there whole, none half, and uploads can continue",
  () =>
    Effect.gen(function*() {
      const root = yield* temporaryRoot
      let next = 1
      for (let life = 0; life < 4; life++) {
        const acknowledged = yield* writeAndKill(root, next, 25 + life * 7)
        assert.isNotEmpty(acknowledged)
        yield* Effect.gen(function*() {
          const store = yield* Port.ObjectStore
          const listed = yield* Stream.runCollect(store.list("private", "files/"))
          const keys = new Set(listed.map(({ key }) => key))
          for (const n of acknowledged) assert.isTrue(keys.has(`files/${n}`), `object ${n}`)
          assert.isTrue(keys.has("files/replaced"))
          for (const { key, sizeBytes } of listed) {
            const bytes = yield* read({ bucket: "private", key })
            assert.strictEqual(bytes.length, sizeBytes)
            assert.deepStrictEqual(new Set(bytes), new Set([sizeBytes % 256]))
          }
          for (const { key, uploadId } of yield* Stream.runCollect(store.listUploads("private"))) {
            const parts = Option.getOrThrow(yield* store.listParts({ bucket: "private", key }, uploadId))
            if (parts.length > 0) {
              assert.isTrue(yield* store.completeUpload({ bucket: "private", key }, uploadId, parts))
            }
          }
        }).pipe(Effect.provide(DiskStore.layer({ root, endpoint })))
        next = Math.max(...acknowledged) + 2
      }
    }),
  60_000
)

it.live("STO-43 completing and copying 10,000 parts copies nothing", () =>
  Effect.gen(function*() {
    const root = yield* temporaryRoot
    yield* Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const [at, copy] = [fresh(), fresh("public")]
      const uploadId = yield* store.createUpload(at, headers)
      // As PUTs would have left them, without waiting for 10,000 syncs.
      const whole = new Uint8Array(10_000).map((_, i) => i % 251)
      const sealed = (byte: number) => {
        const sealing = new Sealing()
        sealing.add(Uint8Array.of(byte))
        return Uint8Array.from([byte, ...sealing.end()])
      }
      yield* Effect.promise(() =>
        Promise.all(Array.from(whole, (byte, i) =>
          writeFile(join(root, "u", uploadId, `p${String(i + 1).padStart(5, "0")}`), sealed(byte))))
      )
      const parts = Option.getOrThrow(yield* store.listParts(at, uploadId))
      const [duration, made] = yield* Effect.timed(store.completeUpload(at, uploadId, parts))
      assert.isTrue(made)
      const [copying] = yield* Effect.timed(store.copy(at, copy, headers))
      yield* Effect.logDebug(`completed in ${Duration.format(duration)}, copied in ${Duration.format(copying)}`)
      assert.deepStrictEqual(yield* read(at), whole)
      const { ino } = yield* partFile(root, at)
      assert.strictEqual((yield* partFile(root, copy)).ino, ino)
    }).pipe(Effect.provide(DiskStore.layer({ root, endpoint })))
  }), 60_000)

const partFile = (root: string, at: Port.ObjectAddress) =>
  Effect.promise(() => stat(join(new Layout(root).object(at), "p00042")))
