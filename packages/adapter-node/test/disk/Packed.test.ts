/** Small objects of one piece, which the disk store keeps in one file each, beside objects in directories. */
import { assert, layer } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"
import { Layout } from "../../src/storage/disk/Layout.ts"
import { packedMaxBytes } from "../../src/storage/disk/Packed.ts"
import {
  filesIn,
  fresh,
  headers,
  inTwoDays,
  lifetime,
  Place,
  post,
  putAsBefore,
  putBytes,
  read,
  served
} from "./DiskStoreTest.ts"

const content = (length: number, seed = 0) => Uint8Array.from({ length }, (_, at) => (at * 31 + seed) % 251)

const send = Effect.fnUntraced(function*(at: Port.ObjectAddress, bytes: Uint8Array<ArrayBuffer>) {
  const store = yield* Port.ObjectStore
  const form = yield* store.signForm({ at, headers, sizeBytes: bytes.length, lifetime })
  assert.strictEqual(yield* post(form, bytes), 204)
  return form
})

const keys = Effect.gen(function*() {
  const store = yield* Port.ObjectStore
  return (yield* Stream.runCollect(store.list("private", ""))).map(({ key }) => key)
})

/** A second store on the same directory, as another process has it. */
const storeOfAnotherProcess = Effect.gen(function*() {
  const { port, root } = yield* Place
  const services = yield* Layer.build(DiskStore.layer({ root, endpoint: `http://127.0.0.1:${port}/storage` }))
  return Context.get(services, Port.ObjectStore)
})

const layoutOf = Effect.map(Place, ({ root }) => new Layout(root))

layer(served())("packed objects", (it) => {
  it.effect("STO-120 a small object of one piece is one file, a larger one or one of parts a directory", () =>
    Effect.gen(function*() {
      const { root } = yield* Place
      const store = yield* Port.ObjectStore
      const before = (yield* filesIn(root)).length
      const [small, large, sent, copied] = [fresh(), fresh(), fresh(), fresh("public")]
      yield* putBytes(small, content(packedMaxBytes))
      yield* putBytes(large, content(packedMaxBytes + 1))
      yield* send(sent, content(20_480))
      yield* store.copy(sent, copied, { ...headers, cacheControl: "public" })
      assert.strictEqual((yield* filesIn(root)).length, before + 1 + 2 + 1 + 1)
      for (const [at, size] of [[small, packedMaxBytes], [large, packedMaxBytes + 1], [sent, 20_480]] as const) {
        assert.deepStrictEqual(yield* read(at), content(size))
        assert.strictEqual(Option.getOrThrow(yield* store.head(at)).sizeBytes, size)
        assert.include(yield* keys, at.key)
      }
      assert.deepStrictEqual(yield* read(copied), content(20_480))
      assert.deepStrictEqual(yield* store.remove([small, large, sent, copied]), [])
      assert.strictEqual((yield* filesIn(root)).length, before)
    }))

  it.effect("STO-123 a copy with the same headers shares the file of a young object, and outlives it", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const layout = yield* layoutOf
      const [from, to, other, old] = [fresh(), fresh(), fresh(), fresh()]
      yield* send(from, content(1_000))
      const inode = (path: string | undefined) => statSync(path!).ino
      const shared = Option.getOrThrow(yield* store.copy(from, to, headers))
      assert.strictEqual(inode(layout.packed(to)), inode(layout.arrived(from)))
      assert.deepStrictEqual(Option.getOrThrow(yield* store.head(to)), shared)
      // Other headers are another description.
      yield* store.copy(from, other, { ...headers, contentType: "other/one" })
      assert.notStrictEqual(inode(layout.packed(other)), inode(layout.arrived(from)))
      // A new copy must not have the time of an old object.
      yield* TestClock.adjust("1 hour")
      const late = Option.getOrThrow(yield* store.copy(from, old, headers))
      assert.deepStrictEqual(late.storedTime, yield* DateTime.now)
      assert.notStrictEqual(inode(layout.packed(old)), inode(layout.arrived(from)))
      yield* store.remove([from])
      // Replaced, by a file of its own: the others stay as they are.
      yield* putBytes(to, content(1_000, 7))
      for (const at of [other, old]) assert.deepStrictEqual(yield* read(at), content(1_000))
      assert.deepStrictEqual(yield* read(to), content(1_000, 7))
    }))

  it.effect("STO-123 a small object can be copied to a key that no file can have as its name", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const [from, short] = [fresh(), fresh()]
      const long = { ...short, key: `${short.key}/${"long".repeat(60)}` }
      yield* send(from, content(1_000))
      for (const contentType of ["first/one", "other/one"]) {
        const copied = Option.getOrThrow(yield* store.copy(from, long, { ...headers, contentType }))
        assert.deepStrictEqual(Option.getOrThrow(yield* store.head(long)), copied)
        assert.deepStrictEqual(yield* read(long), content(1_000))
      }
      yield* store.copy(long, short, headers)
      yield* store.remove([from, long])
      assert.deepStrictEqual(yield* read(short), content(1_000))
    }))

  it.effect("STO-124 objects of an earlier release are read, listed, copied, replaced and removed as before", () =>
    Effect.gen(function*() {
      const { root } = yield* Place
      const store = yield* Port.ObjectStore
      const before = yield* filesIn(root)
      const [old, copy, replaced, twice] = [fresh(), fresh(), fresh(), fresh()]
      for (const at of [old, replaced, twice]) yield* putAsBefore(at, content(5_000))
      assert.deepStrictEqual(yield* read(old), content(5_000))
      assert.strictEqual((yield* store.verify(old, 0)).readBytes, 5_000)
      const listed = yield* keys
      for (const { key } of [old, replaced, twice]) assert.strictEqual(listed.filter((one) => one === key).length, 1)
      assert.isTrue(Option.isSome(yield* store.copy(old, copy, headers)))
      assert.deepStrictEqual(yield* read(copy), content(5_000))
      const directory = (yield* layoutOf).object(replaced)
      yield* putBytes(replaced, content(10, 1))
      assert.deepStrictEqual(yield* read(replaced), content(10, 1))
      assert.isFalse(existsSync(directory))
      // And back: a large one takes the place of a small one.
      yield* putBytes(replaced, content(packedMaxBytes + 1))
      assert.strictEqual((yield* read(replaced)).length, packedMaxBytes + 1)
      // A process was killed between making the new object and removing the old one.
      yield* putBytes(twice, content(10, 1))
      yield* putAsBefore(twice, content(5_000))
      assert.deepStrictEqual(yield* read(twice), content(10, 1))
      assert.strictEqual((yield* keys).filter((key) => key === twice.key).length, 1)
      assert.deepStrictEqual(yield* store.remove([old, copy, replaced, twice]), [])
      for (const at of [old, copy, replaced, twice]) assert.isTrue(Option.isNone(yield* store.head(at)))
      assert.deepStrictEqual(yield* filesIn(root), before)
    }))

  it.effect("STO-125 a form whose file an earlier release stored stores no other, before and after it is revoked", () =>
    Effect.gen(function*() {
      const { root } = yield* Place
      const store = yield* Port.ObjectStore
      const at = fresh()
      const form = yield* store.signForm({ at, headers, sizeBytes: 3, lifetime })
      // As it left them: the object in a directory, and an empty file for the form.
      yield* putAsBefore(at, content(3))
      const name = (yield* layoutOf).form(at)
      renameSync(join(root, "s", `${name}.open`), join(root, "s", `${name}.stored`))
      assert.strictEqual(yield* post(form, content(3)), 403)
      yield* store.revokeForms([at], yield* inTwoDays)
      assert.deepStrictEqual(readdirSync(join(root, "s")).filter((file) => file.includes(name)), [])
      assert.strictEqual(yield* post(form, content(3)), 403)
      assert.deepStrictEqual(yield* read(at), content(3))
    }))

  it.effect("STO-121 a packed file that was cut off, grew or has another description is lost, and others are listed", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const [broken, other] = [fresh(), fresh()]
      yield* putBytes(broken, content(1_000))
      yield* putBytes(other, content(1_000))
      const file = (yield* layoutOf).packed(broken)!
      const whole = readFileSync(file)
      const changed = Buffer.from(whole)
      changed[1_100]! ^= 1
      for (const damaged of [whole.subarray(0, 0), whole.subarray(0, -1), whole.subarray(0, 500), changed]) {
        writeFileSync(file, damaged)
        assert.isTrue(Option.isNone(yield* store.head(broken)))
        assert.isTrue(Option.isNone(yield* store.copy(broken, fresh(), headers)))
        assert.strictEqual((yield* Effect.flip(read(broken))).isLost, true)
        assert.strictEqual((yield* Effect.flip(store.verify(broken, 0))).isLost, true)
        const listed = yield* keys
        assert.include(listed, other.key)
        assert.notInclude(listed, broken.key)
      }
      writeFileSync(file, whole)
      assert.deepStrictEqual(yield* read(broken), content(1_000))
      yield* store.remove([broken])
      assert.isFalse(existsSync(file))
    }))

  it.effect("STO-147 a packed file whose bytes changed is not served, and neither is a range of it, until it is restored", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const at = fresh()
      yield* putBytes(at, content(1_000))
      const file = (yield* layoutOf).packed(at)!
      const whole = readFileSync(file)
      const url = yield* store.signGet({ at, headers, lifetime })
      const get = (range?: string) =>
        Effect.promise(async () => {
          const response = await fetch(url, range === undefined ? {} : { headers: { range } })
          return [response.status, (await response.arrayBuffer()).byteLength > 0 && response.ok]
        })
      const head = Effect.promise(async () => (await fetch(url, { method: "HEAD" })).status)
      for (const place of [0, 500, 999]) {
        const changed = Buffer.from(whole)
        changed[place]! ^= 1
        writeFileSync(file, changed)
        assert.deepStrictEqual(yield* get(), [404, false])
        assert.deepStrictEqual(yield* get("bytes=10-19"), [404, false])
        assert.strictEqual(yield* head, 404)
        const failure = yield* Effect.flip(read(at))
        assert.deepStrictEqual([failure.isLost, failure.isDamaged], [true, true])
      }
      writeFileSync(file, whole)
      assert.deepStrictEqual(yield* get(), [200, true])
      assert.deepStrictEqual(yield* get("bytes=10-19"), [206, true])
      assert.strictEqual(yield* head, 200)
      assert.deepStrictEqual(yield* read(at), content(1_000))
    }))

  it.effect("STO-147 changed bytes of a packed file are copied unchecked, and not served of the copy either", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const at = fresh()
      yield* putBytes(at, content(1_000))
      const file = (yield* layoutOf).packed(at)!
      const changed = readFileSync(file)
      changed[500]! ^= 1
      writeFileSync(file, changed)
      // The same file, and one with another description.
      for (const changes of [{}, { cacheControl: "public" }]) {
        const to = fresh()
        yield* store.copy(at, to, { ...headers, ...changes })
        const failure = yield* Effect.flip(read(to))
        assert.deepStrictEqual([failure.isLost, failure.isDamaged], [true, true])
      }
    }))

  it.effect("STO-126 nothing of a small form's file is written before all of it has arrived and was checked", () =>
    Effect.gen(function*() {
      const { root } = yield* Place
      const store = yield* Port.ObjectStore
      const at = fresh()
      const form = yield* store.signForm({ at, headers, sizeBytes: 1_000, lifetime })
      const before = yield* filesIn(root)
      for (const bytes of [content(999), content(1_001), content(5_000)]) {
        assert.strictEqual(yield* post(form, bytes), 400)
        assert.deepStrictEqual(yield* filesIn(root), before)
      }
      assert.deepStrictEqual(readdirSync(join(root, "t")), [])
      assert.strictEqual(yield* post(form, content(1_000)), 204)
      // Only its object is left: the form's permission was removed.
      assert.deepStrictEqual(
        readdirSync(join(root, "s")).filter((name) => name.includes((new Layout(root)).form(at))),
        []
      )
      assert.strictEqual(yield* post(form, content(1_000)), 403)
      yield* store.revokeForms([at], yield* inTwoDays)
      yield* store.remove([at])
      assert.strictEqual(yield* post(form, content(1_000)), 403)
    }))

  it.effect("STO-127 what came on a form is copied as it arrived, unless another process has removed it", () =>
    Effect.gen(function*() {
      const [store, other] = [yield* Port.ObjectStore, yield* storeOfAnotherProcess]
      const [kept, removed, copied, none] = [fresh(), fresh(), fresh(), fresh()]
      for (const at of [kept, removed]) yield* send(at, content(500))
      assert.deepStrictEqual(yield* other.remove([removed]), [])
      assert.isTrue(Option.isNone(yield* store.copy(removed, none, headers)))
      assert.isTrue(Option.isNone(yield* store.head(removed)))
      assert.isTrue(Option.isNone(yield* store.head(none)))
      const copy = Option.getOrThrow(yield* store.copy(kept, copied, headers))
      assert.strictEqual(copy.sizeBytes, 500)
      // Read once from memory, then from the disk.
      for (let times = 0; times < 2; times++) assert.deepStrictEqual(yield* read(copied), content(500))
      assert.deepStrictEqual(yield* other.remove([copied]), [])
      assert.isTrue(Option.isNone(yield* store.head(copied)))
      // Another object takes its place.
      yield* putBytes(kept, content(300, 1))
      assert.deepStrictEqual(yield* read(kept), content(300, 1))
      assert.deepStrictEqual(yield* store.remove([kept]), [])
      assert.isTrue(Option.isNone(yield* other.head(kept)))
    }))

  it.effect("STO-127 a form that another process has revoked stores nothing", () =>
    Effect.gen(function*() {
      const { root } = yield* Place
      const [store, other] = [yield* Port.ObjectStore, yield* storeOfAnotherProcess]
      const before = (yield* filesIn(root)).length
      const at = fresh()
      const form = yield* store.signForm({ at, headers, sizeBytes: 500, lifetime })
      yield* other.revokeForms([at], yield* inTwoDays)
      assert.strictEqual(yield* post(form, content(500)), 403)
      assert.isTrue(Option.isNone(yield* store.head(at)))
      assert.strictEqual((yield* filesIn(root)).length, before)
    }))
})
