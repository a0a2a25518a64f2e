/** A disk store on a disk that is full, nearly full, or can't be written. */
import { assert, describe, it } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { DateTime, Duration, Effect, Exit, Layer, Option, Stream } from "effect"
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DiskReserve } from "../../src/DiskReserve.ts"
import { DiskRoutes } from "../../src/storage/disk/DiskRoutes.ts"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"
import { Layout } from "../../src/storage/disk/Layout.ts"
import { packedMaxBytes } from "../../src/storage/disk/Packed.ts"
import { Room } from "../../src/storage/disk/Room.ts"
import { filesIn, fresh, headers, putBytes, temporaryRoot } from "./DiskStoreTest.ts"
import { cannotMount, fill, freeBytes, makeReadOnly, smallDisk } from "./SmallDisk.ts"

const MiB = 1024 * 1024
const content = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) % 251)
const endpoint = "http://drive.test/storage"
const lifetime = Duration.hours(1)

const withoutTmpfs = cannotMount("tmpfs")
const withoutExt4 = cannotMount("ext4")

const opened = (root: string, reserveBytes: number) =>
  Effect.flatMap(
    Layer.build(DiskStore.layer({ root, endpoint, reserveBytes })),
    (context) => Effect.provideContext(Effect.all({ store: Port.ObjectStore, routes: DiskRoutes }), context)
  )

type Opened = Effect.Success<ReturnType<typeof opened>>

const answerTo = async (sent: Promise<Response>) => {
  const answer = await sent
  return [answer.status, /<Code>(.*?)<\/Code>/.exec(await answer.text())?.[1]]
}

const postForm = Effect.fnUntraced(function*({ routes, store }: Opened, sizeBytes: number) {
  const signed = yield* store.signForm({ at: fresh(), headers, sizeBytes, lifetime })
  const body = new FormData()
  for (const [name, value] of Object.entries(signed.fields)) body.set(name, value)
  body.set("file", new Blob([new Uint8Array(sizeBytes)]))
  return yield* Effect.promise(() => answerTo(routes.handleWeb(new Request(signed.url, { method: "POST", body }))))
})

const openUpload = Effect.fnUntraced(function*({ store }: Opened) {
  const at = fresh()
  return { at, uploadId: yield* store.createUpload(at, headers) }
})

const putPart = Effect.fnUntraced(
  function*({ routes, store }: Opened, upload: Effect.Success<ReturnType<typeof openUpload>>, sizeBytes: number) {
    const parts = [{ partNumber: 1, sizeBytes }]
    const [url = ""] = yield* store.signParts({ ...upload, parts, lifetime })
    const request = new Request(url, {
      method: "PUT",
      body: new Uint8Array(sizeBytes),
      headers: { "content-length": String(sizeBytes) }
    })
    request.headers.set("content-length", String(sizeBytes))
    return yield* Effect.promise(() => answerTo(routes.handleWeb(request)))
  }
)

const put = ({ store }: Opened, at: Port.ObjectAddress, bytes: Uint8Array) =>
  Effect.provideService(putBytes(at, bytes), Port.ObjectStore, store)

const failsFull = <A>(run: Effect.Effect<A, { readonly code: string }>) =>
  Effect.map(Effect.flip(run), ({ code }) => assert.strictEqual(code, "no_space"))

describe("the room that stays free", () => {
  it.effect("STO-60 bytes on their way count once, and uploads at once don't all count on the same room", () =>
    Effect.gen(function*() {
      const root = yield* temporaryRoot
      // The disk is others' too: what they write meanwhile is small beside this.
      const room = new Room(root, Math.max(0, freeBytes(root) - 1024 * MiB))
      const first = yield* Effect.promise(() => room.hold(700 * MiB))
      yield* Effect.flip(Effect.tryPromise(() => room.hold(700 * MiB)))
      // A refused one holds nothing.
      const second = yield* Effect.promise(() => room.hold(200 * MiB))
      second.release()
      second.release()
      first.arrived(500 * MiB)
      const third = yield* Effect.promise(() => room.hold(700 * MiB))
      first.arrived(900 * MiB)
      first.release()
      yield* Effect.flip(Effect.tryPromise(() => room.hold(700 * MiB)))
      third.release()
      yield* Effect.promise(() => room.check(700 * MiB))
    }))

  it.effect("STO-60 unless it is said, 256 MiB stay free, and one percent of a larger disk", () =>
    Effect.gen(function*() {
      const root = yield* temporaryRoot
      const [own, none] = yield* Effect.promise(() =>
        Promise.all([new Room(root, undefined).left(), new Room(root, 0).left()])
      )
      assert.isAtLeast(none - own, 255 * MiB)
    }))
})

describe.skipIf(withoutTmpfs !== undefined)(`a full disk ${withoutTmpfs ?? ""}`, () => {
  it.effect.skipIf(withoutExt4 !== undefined)(
    "STO-101 where no file can be made there is no room, whatever is free, and no reserve is given up for it (needs root on Linux: mounts an ext4)",
    () =>
      Effect.gen(function*() {
        const disk = yield* smallDisk("ext4", 64 * MiB)
        const full = Object.assign(new Error("no space"), { code: "ENOSPC" })
        const reserve = new DiskReserve(join(disk, "reserve"), {
          bytes: MiB,
          marginBytes: 0,
          isFull: (e) => e === full
        })
        const room = new Room(disk, 0)
        assert.isAbove(yield* Effect.promise(() => room.left()), 0)
        for (let n = 0; statfsSync(disk).ffree > 0; n++) writeFileSync(join(disk, `file-${n}`), "")
        assert.isBelow(yield* Effect.promise(() => room.left()), 0)
        assert.throws(() =>
          reserve.lend(1, () => {
            throw full
          })
        )
        assert.strictEqual(statSync(join(disk, "reserve")).size, MiB)
        rmSync(join(disk, "file-0"))
        assert.isAbove(yield* Effect.promise(() => room.left()), 0)
      })
  )

  it.effect("STO-60 what would leave less than the reserve is refused by no_space, and nothing of it is kept", () =>
    Effect.gen(function*() {
      const root = yield* smallDisk("tmpfs", 32 * MiB)
      const drive = yield* opened(root, 16 * MiB)
      const upload = yield* openUpload(drive)
      const { store } = drive
      assert.deepStrictEqual(yield* postForm(drive, 6 * MiB), [204, undefined])
      yield* store.room(6 * MiB)
      yield* store.check
      const before = yield* filesIn(root)
      assert.deepStrictEqual(yield* postForm(drive, 12 * MiB), [503, "no_space"])
      assert.deepStrictEqual(yield* putPart(drive, upload, 12 * MiB), [503, "no_space"])
      yield* failsFull(store.room(12 * MiB))
      yield* failsFull(put(drive, fresh(), content(12 * MiB)))
      const part = { ...upload, partNumber: 1, sizeBytes: 12 * MiB, body: Stream.make(new Uint8Array(12 * MiB)) }
      yield* failsFull(store.putPart(part))
      assert.deepStrictEqual(yield* filesIn(root), before)
      // A smaller one has room.
      assert.deepStrictEqual((yield* putPart(drive, upload, MiB))[0], 200)
      writeFileSync(join(root, "anybody's"), new Uint8Array(12 * MiB))
      yield* failsFull(store.check)
      yield* failsFull(store.room(0))
    }))

  it.effect("STO-61 a disk that fills up while bytes come is no_space; removing works on it, and makes room", () =>
    Effect.gen(function*() {
      const root = yield* smallDisk("tmpfs", 16 * MiB)
      // It believes that there is room, as when others fill the disk while bytes come: here the system says no.
      const drive = yield* opened(root, -1024 * MiB)
      const { store } = drive
      const [at, other] = [fresh(), fresh("public")]
      const kept = content(2 * MiB)
      yield* put(drive, at, kept)
      yield* put(drive, other, kept)
      const upload = yield* openUpload(drive)
      assert.strictEqual((yield* putPart(drive, upload, MiB))[0], 200)
      const before = yield* filesIn(root)
      fill(root)
      assert.deepStrictEqual(yield* postForm(drive, MiB), [503, "no_space"])
      assert.deepStrictEqual(yield* putPart(drive, upload, MiB), [503, "no_space"])
      yield* failsFull(put(drive, fresh(), content(MiB)))
      const part = { ...upload, partNumber: 2, sizeBytes: MiB, body: Stream.make(new Uint8Array(MiB)) }
      yield* failsFull(store.putPart(part))
      const range = { start: 0, end: MiB }
      yield* failsFull(store.copyPart({ ...upload, from: at, to: upload.at, range, partNumber: 3 }))
      yield* failsFull(store.copy(at, fresh("public"), headers))
      yield* failsFull(store.createUpload(fresh(), headers))
      assert.deepStrictEqual((yield* filesIn(root)).filter((file) => file !== "ballast"), before)
      assert.deepStrictEqual(new Uint8Array(yield* Stream.mkUint8Array(store.get(at))), kept)
      assert.deepStrictEqual(yield* store.remove([at, other]), [])
      yield* store.abortUpload(upload.at, upload.uploadId)
      assert.isTrue(Option.isNone(yield* store.head(at)))
      assert.deepStrictEqual(yield* filesIn(root), ["ballast"])
      yield* put(drive, at, kept)
    }))

  it.effect("STO-97 on a full disk an object is copied to the private bucket, so that the public one can be removed", () =>
    Effect.gen(function*() {
      const root = yield* smallDisk("tmpfs", 16 * MiB)
      const drive = yield* opened(root, 0)
      const { store } = drive
      const kept = content(MiB)
      const open = Array.from({ length: 20 }, () => fresh("public"))
      for (const at of open.slice(0, 4)) yield* put(drive, at, kept)
      for (const at of open.slice(4, 12)) yield* put(drive, at, content(1_000))
      for (const at of open.slice(12)) yield* put(drive, at, content(packedMaxBytes))
      // Other headers, as a copy to another bucket has: it can't share the file of a small object.
      const other = { ...headers, cacheControl: "private" }
      const rest = fill(root)
      for (const at of open) {
        const to = fresh()
        yield* failsFull(store.copy(at, fresh("public"), other))
        assert.isTrue(Option.isSome(yield* store.copy(at, to, other)))
        assert.deepStrictEqual(yield* store.remove([at]), [])
        assert.isTrue(Option.isSome(yield* store.head(to)))
        fill(root)
      }
      rest()
      yield* store.copy(open[0]!, fresh(), headers)
      assert.strictEqual(statSync(join(root, "copies.reserve")).size, 2 * MiB)
    }))

  it.effect("STO-62 a full or read-only disk, and a path that is not a directory, are reported in a sentence", () =>
    Effect.gen(function*() {
      const root = yield* smallDisk("tmpfs", 4 * MiB)
      const why = Effect.map(Effect.flip(Effect.scoped(opened(join(root, "storage"), 0))), ({ message }) => message)
      writeFileSync(join(root, "storage"), "")
      assert.match(yield* why, /^The directory .*storage can't be used: it is no directory\.$/)
      const other = yield* smallDisk("tmpfs", 4 * MiB)
      const rest = fill(other)
      assert.match(
        (yield* Effect.flip(Effect.scoped(opened(join(other, "storage"), 0)))).message,
        /^The directory .*storage can't be used: its disk is full: make room, then start again\.$/
      )
      rest()
      mkdirSync(join(other, "storage"), { recursive: true })
      yield* Effect.scoped(opened(join(other, "storage"), 0))
      const { store } = yield* opened(join(other, "storage"), 0)
      yield* store.check
      yield* makeReadOnly(other)
      assert.match(
        (yield* Effect.flip(Effect.scoped(opened(join(other, "storage"), 0)))).message,
        /^The directory .*storage can't be used: its disk is read-only\.$/
      )
      // Node says of directories within each other that they are not there.
      assert.match(
        (yield* Effect.flip(Effect.scoped(opened(join(other, "new", "storage"), 0)))).message,
        /^The directory .*storage can't be used: its disk is read-only\.$/
      )
      assert.strictEqual((yield* Effect.flip(store.check)).code, "storage_unavailable")
    }))

  it.effect("STO-62 a store that is full starts, so that what is in it can be read and removed", () =>
    Effect.gen(function*() {
      const root = yield* smallDisk("tmpfs", 8 * MiB)
      const at = fresh()
      yield* Effect.scoped(Effect.flatMap(opened(root, 0), (drive) => put(drive, at, content(MiB))))
      fill(root)
      const { store } = yield* opened(root, 0)
      yield* failsFull(store.check)
      assert.deepStrictEqual(new Uint8Array(yield* Stream.mkUint8Array(store.get(at))), content(MiB))
      assert.deepStrictEqual(yield* store.remove([at]), [])
      yield* store.check
    }))
})

describe.skipIf(withoutExt4 !== undefined)(`a full disk of blocks ${withoutExt4 ?? ""}`, () => {
  it.effect("STO-61 removing works where there is no room for another name", () =>
    Effect.gen(function*() {
      const root = yield* smallDisk("ext4", 12 * MiB)
      const drive = yield* opened(root, 0)
      const { store } = drive
      const [at, later] = [fresh(), fresh()]
      yield* put(drive, at, content(1_000))
      yield* put(drive, later, content(1_000))
      const upload = { at: fresh(), uploadId: "" }
      upload.uploadId = yield* store.createUpload(upload.at, headers)
      // The directory of what is unfinished is full to its block's end: one more name needs a block.
      const { unfinished } = new Layout(root)
      fill(root)
      const name = (count: number) => join(unfinished, `${count}`.padStart(200, "x"))
      let count = 0
      try {
        for (;;) mkdirSync(name(count++))
      } catch {
        // Not even a directory goes any longer.
      }
      try {
        for (;;) writeFileSync(name(count++), "")
      } catch {
        // Nor a name.
      }
      const names = readdirSync(unfinished).length
      assert.throws(() => writeFileSync(name(count++), ""), /ENOSPC/)
      const place = new Layout(root).object(at)
      assert.deepStrictEqual(yield* store.remove([at]), [])
      assert.isFalse(existsSync(place))
      yield* store.abortUpload(upload.at, upload.uploadId)
      assert.isTrue(Option.isNone(yield* store.listParts(upload.at, upload.uploadId)))
      assert.deepStrictEqual(yield* store.remove([later]), [])
      assert.strictEqual(readdirSync(unfinished).length, names)
    }))

  it.effect("STO-73 a form is revoked on a full disk by the room of what was on its way on it", () =>
    Effect.gen(function*() {
      const root = yield* smallDisk("ext4", 8 * MiB)
      const { store } = yield* opened(root, 0)
      const layout = new Layout(root)
      const sent = fresh()
      // As a process leaves it that was killed while the file came.
      const onItsWay = join(layout.unfinished, `form.${layout.form(sent)}.killed`)
      mkdirSync(onItsWay)
      writeFileSync(join(onItsWay, "p00001"), new Uint8Array(64 * 1024))
      const issued = fresh()
      yield* store.signForm({ at: issued, headers, sizeBytes: 3, lifetime })
      fill(root)
      const until = DateTime.makeUnsafe(lifetime.pipe(Duration.toMillis))
      const revoke = (at: Port.ObjectAddress) => store.revokeForms([at], until)
      // Forms of an earlier release take a mark each, until there is no room for one.
      let marks = 0
      while (Exit.isSuccess(yield* Effect.exit(revoke(fresh())))) assert.isBelow(marks++, 5_000)
      yield* failsFull(revoke(fresh()))
      yield* revoke(sent)
      assert.isFalse(existsSync(onItsWay))
      assert.isTrue(existsSync(join(layout.forms, `${layout.form(sent)}.revoked`)))
      // Others take none.
      yield* revoke(issued)
      assert.isFalse(existsSync(join(layout.forms, `${layout.form(issued)}.open`)))
    }))
})
