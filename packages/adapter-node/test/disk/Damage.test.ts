/** Bytes that are not any longer what was stored: what the disk store sees of it. */
import { assert, describe, it, layer } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { DataPlane } from "@filedrive/testing/suites"
import { Duration, Effect, Layer, Option, Stream } from "effect"
import { existsSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"
import { Layout, partName } from "../../src/storage/disk/Layout.ts"
import { blockBytes, lengthTells, sealBytes, sealedSize, Sealing } from "../../src/storage/disk/Seal.ts"
import { fresh, headers, Place, putAsBefore, putBytes, read, served } from "./DiskStoreTest.ts"

const content = (length: number, seed = 0) => Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8) + seed) % 251)

describe("a part's seal", () => {
  it("STO-63 a sealed part's length tells that of its bytes, also at the edges of a block", () => {
    for (const blocks of [0, 1, 2, 3, 1000, 32_768]) {
      for (const more of [-17, -16, -1, 0, 1, 15, 16, 17]) {
        const sizeBytes = blocks * blockBytes + more
        if (sizeBytes < 0) continue
        assert.strictEqual(sealedSize(sizeBytes + sealBytes(sizeBytes)), sizeBytes)
        assert.strictEqual(lengthTells(sizeBytes + sealBytes(sizeBytes), sizeBytes), "sealed")
        assert.strictEqual(lengthTells(sizeBytes, sizeBytes), "unsealed")
        assert.strictEqual(lengthTells(sizeBytes + 1, sizeBytes), "damaged")
      }
    }
    assert.isBelow(sealedSize(10), 0)
  })

  it("STO-63 the same bytes have the same seal, however they come, and others another", () => {
    const bytes = content(300_001)
    const sealOf = (...pieces: ReadonlyArray<Uint8Array>) => {
      const sealing = new Sealing()
      for (const piece of pieces) sealing.add(piece)
      return sealing.end().toString("hex")
    }
    const whole = sealOf(bytes)
    for (const cut of [1, 7, 16, 65_535, 65_536, 300_000]) {
      assert.strictEqual(sealOf(bytes.subarray(0, cut), bytes.subarray(cut)), whole)
    }
    assert.strictEqual(
      sealOf(...Array.from({ length: 3_001 }, (_, i) => bytes.subarray(i * 100, i * 100 + 100))),
      whole
    )
    for (const at of [0, 1, 150_000, 300_000]) {
      const changed = Uint8Array.from(bytes)
      changed[at]! ^= 1
      assert.notStrictEqual(sealOf(changed), whole)
    }
  })
})

layer(Layer.merge(served(), DataPlane.layerHttp), { excludeTestServices: true })("damage on disk", (it) => {
  const put = Effect.fnUntraced(function*(bytes: Uint8Array) {
    const at = fresh()
    yield* putBytes(at, bytes)
    return at
  })

  /** An object of parts that came over HTTP. */
  const inParts = Effect.fnUntraced(function*(...parts: ReadonlyArray<Uint8Array<ArrayBuffer>>) {
    const store = yield* Port.ObjectStore
    const { fetch } = yield* DataPlane
    const at = fresh()
    const uploadId = yield* store.createUpload(at, headers)
    const planned = parts.map(({ length }, i) => ({ partNumber: i + 1, sizeBytes: length }))
    const urls = yield* store.signParts({ at, uploadId, parts: planned, lifetime: Duration.days(1) })
    for (const [i, url] of urls.entries()) {
      const sent = yield* Effect.promise(() => fetch(url, { method: "PUT", body: parts[i]! }))
      assert.strictEqual(sent.status, 200)
    }
    const stored = Option.getOrThrow(yield* store.listParts(at, uploadId))
    assert.deepStrictEqual(stored.map(({ partNumber, sizeBytes }) => ({ partNumber, sizeBytes })), planned)
    assert.isTrue(yield* store.completeUpload(at, uploadId, stored))
    return at
  })

  const verify = Effect.fnUntraced(function*(at: Port.ObjectAddress) {
    const store = yield* Port.ObjectStore
    let [read, from]: [number, number | null] = [0, 0]
    while (from !== null) {
      const verified: { readonly readBytes: number; readonly next: number | null } = yield* store.verify(at, from)
      read += verified.readBytes
      from = verified.next
    }
    return read
  })

  const fileOf = Effect.fnUntraced(function*(at: Port.ObjectAddress, partNumber = 1) {
    const { root } = yield* Place
    const layout = new Layout(root)
    const packed = [layout.packed(at), layout.arrived(at)].find((path) => path !== undefined && existsSync(path))
    return packed ?? join(layout.object(at), partName(partNumber))
  })

  const isLost = <A, R>(run: Effect.Effect<A, { readonly isLost?: boolean; readonly message: string }, R>) =>
    Effect.map(Effect.flip(run), (error) => {
      assert.strictEqual(error.isLost, true)
      assert.strictEqual(error.message, "The stored bytes of this file are lost or damaged.")
    })

  it.effect("STO-64 a link to lost bytes is answered as one to an object that is gone", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const { fetch } = yield* DataPlane
      for (const [sizeBytes, damage] of [[1_000, truncateSync], [200_000, truncateSync], [200_000, rmSync]] as const) {
        const at = yield* put(content(sizeBytes))
        const url = yield* store.signGet({ at, headers, lifetime: Duration.hours(6) })
        damage(yield* fileOf(at))
        const answer = yield* Effect.promise(() => fetch(url))
        assert.strictEqual(answer.status, 404)
        assert.include(yield* Effect.promise(() => answer.text()), "The bytes of this object are lost.")
      }
    }))

  it.effect("STO-70 an object whose description makes no sense is lost and damaged, and others are listed beside it", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const [broken, other] = [fresh(), yield* put(content(10))]
      const meta = join(yield* putAsBefore(broken, content(10)), "meta.json")
      const whole = readFileSync(meta, "utf8")
      for (
        const text of ["", whole.slice(0, -20), "null", "{}", whole.replace("\"sizeBytes\":10", "\"sizeBytes\":11")]
      ) {
        writeFileSync(meta, text)
        assert.isTrue(Option.isNone(yield* store.head(broken)))
        yield* isLost(read(broken))
        yield* isLost(verify(broken))
        const keys = (yield* Stream.runCollect(store.list("private", ""))).map(({ key }) => key)
        assert.include(keys, other.key)
        assert.notInclude(keys, broken.key)
      }
      writeFileSync(meta, whole)
      assert.strictEqual(yield* verify(broken), 10)
      writeFileSync(meta, "")
      yield* putBytes(broken, content(10))
      assert.strictEqual(yield* verify(broken), 10)
    }))

  it.effect("STO-77 an open upload whose description makes no sense keeps no other from being listed, and goes after a day", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const { root } = yield* Place
      const [broken, other] = [fresh(), fresh()]
      const uploadId = yield* store.createUpload(broken, headers)
      yield* store.createUpload(other, headers)
      yield* store.putPart({ at: broken, uploadId, partNumber: 1, sizeBytes: 3, body: Stream.make(content(3)) })
      const directory = new Layout(root).upload(uploadId)!
      for (const text of ["", "{\"at\":", "null", "{}"]) {
        writeFileSync(join(directory, "upload.json"), text)
        const keys = (yield* Stream.runCollect(store.listUploads("private"))).map(({ key }) => key)
        assert.include(keys, other.key)
        assert.notInclude(keys, broken.key)
        assert.isTrue(Option.isNone(yield* store.listParts(broken, uploadId)))
        assert.isFalse(yield* store.completeUpload(broken, uploadId, [{ partNumber: 1, etag: "x" }]))
      }
      const reopened = Layer.build(DiskStore.layer({ root, endpoint: "http://drive.test/storage" }))
      yield* reopened
      assert.isTrue(existsSync(directory))
      const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60
      utimesSync(directory, twoDaysAgo, twoDaysAgo)
      yield* reopened
      assert.isFalse(existsSync(directory))
    }))

  it.effect("STO-63 whatever way bytes come they get a checksum, which a copy keeps", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const { fetch } = yield* DataPlane
      const bytes = content(200_000)
      const byForm = fresh()
      const signed = yield* store.signForm({ at: byForm, headers, sizeBytes: bytes.length, lifetime: Duration.days(1) })
      const form = new FormData()
      for (const [name, value] of Object.entries(signed.fields)) form.set(name, value)
      form.set("file", new Blob([bytes]))
      assert.strictEqual((yield* Effect.promise(() => fetch(signed.url, { method: "POST", body: form }))).status, 204)
      const byPut = yield* put(bytes)
      const byParts = yield* inParts(content(100_000), content(100_000, 1), content(5))
      const copied = fresh("public")
      yield* store.copy(byParts, copied, headers)
      const uploadTo = fresh()
      const uploadId = yield* store.createUpload(uploadTo, headers)
      const range = { start: 50_000, end: 199_999 }
      const etag = yield* store.copyPart({ from: byParts, to: uploadTo, uploadId, partNumber: 1, range })
      yield* store.completeUpload(uploadTo, uploadId, [{ partNumber: 1, etag }])
      const empty = yield* put(new Uint8Array(0))
      for (
        const [at, size] of [[byForm, 200_000], [byPut, 200_000], [byParts, 200_005], [copied, 200_005], [
          uploadTo,
          150_000
        ]] as const
      ) {
        assert.strictEqual(yield* verify(at), size)
        assert.strictEqual((yield* read(at)).length, size)
        assert.strictEqual(Option.getOrThrow(yield* store.head(at)).sizeBytes, size)
      }
      // The copy shares its files with what it was made of.
      for (const at of [byForm, byPut, copied, uploadTo]) {
        const file = yield* fileOf(at)
        const stored = readFileSync(file)
        stored[1_000]! ^= 16
        writeFileSync(file, stored)
        yield* isLost(verify(at))
      }
      yield* isLost(verify(byParts))
      assert.strictEqual(yield* verify(empty), 0)
      assert.strictEqual((yield* read(empty)).length, 0)
    }))

  it.effect("STO-63 of a large part each stretch is checked by itself, and a damaged seal is damage", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const at = fresh()
      const piece = content(1024 * 1024)
      const sizeBytes = blockBytes + piece.length
      const body = Stream.fromIterable(Array.from({ length: sizeBytes / piece.length }, () => piece))
      yield* store.put({ at, headers, sizeBytes, body })
      assert.deepStrictEqual(yield* store.verify(at, 0), { readBytes: blockBytes, next: blockBytes })
      assert.deepStrictEqual(yield* store.verify(at, blockBytes), { readBytes: piece.length, next: null })
      const file = yield* fileOf(at)
      const bytes = readFileSync(file)
      bytes[blockBytes + 77]! ^= 1
      writeFileSync(file, bytes)
      assert.strictEqual((yield* store.verify(at, 0)).next, blockBytes)
      yield* isLost(store.verify(at, blockBytes))
      bytes[blockBytes + 77]! ^= 1
      bytes[sizeBytes + 3]! ^= 1
      writeFileSync(file, bytes)
      yield* isLost(store.verify(at, 0))
    }))

  it.effect("STO-64 head and copy see a part that is cut off or gone, and reading says that it is lost", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      for (
        const damage of [(file: string) => truncateSync(file, statSync(file).size - 1), (file: string) => rmSync(file)]
      ) {
        for (const partNumber of [1, 2, 3]) {
          const at = yield* inParts(content(10_000), content(10_000, 1), content(50))
          damage(yield* fileOf(at, partNumber))
          assert.isTrue(Option.isNone(yield* store.head(at)))
          const to = fresh()
          assert.isTrue(Option.isNone(yield* store.copy(at, to, headers)))
          assert.isTrue(Option.isNone(yield* store.head(to)))
          yield* isLost(read(at))
          yield* isLost(verify(at))
          assert.deepStrictEqual(yield* store.remove([at]), [])
        }
      }
      yield* isLost(read(fresh()))
      yield* isLost(verify(fresh()))
    }))

  it.effect("STO-64 a part that was cut off before its upload is completed has another size than it was sent with", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const { root } = yield* Place
      const at = fresh()
      const uploadId = yield* store.createUpload(at, headers)
      const part = { at, uploadId, sizeBytes: 100, body: Stream.make(content(100)) }
      yield* store.putPart({ ...part, partNumber: 1 })
      yield* store.putPart({ ...part, partNumber: 2 })
      const file = (partNumber: number) => join(new Layout(root).upload(uploadId)!, partName(partNumber))
      truncateSync(file(1), 70)
      truncateSync(file(2), 3)
      const parts = Option.getOrThrow(yield* store.listParts(at, uploadId))
      assert.deepStrictEqual(parts.map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes]), [[1, 38]])
    }))

  it.effect("STO-65 what was stored before there were checksums is read, copied and completed as ever", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const { root } = yield* Place
      const old = fresh()
      yield* putAsBefore(old, content(5_000), false)
      assert.deepStrictEqual(yield* read(old), content(5_000))
      assert.strictEqual(yield* verify(old), 0)
      const copy = fresh()
      assert.strictEqual(Option.getOrThrow(yield* store.copy(old, copy, headers)).sizeBytes, 5_000)
      truncateSync(yield* fileOf(copy), 4_999)
      assert.isTrue(Option.isNone(yield* store.head(old)))

      const at = fresh()
      const uploadId = yield* store.createUpload(at, headers)
      const upload = join(new Layout(root).upload(uploadId)!, "upload.json")
      const { sealed: _, ...unsealed } = JSON.parse(readFileSync(upload, "utf8"))
      writeFileSync(upload, JSON.stringify(unsealed))
      const { fetch } = yield* DataPlane
      const [url = ""] = yield* store.signParts({
        at,
        uploadId,
        parts: [{ partNumber: 1, sizeBytes: 100 }],
        lifetime: Duration.days(1)
      })
      assert.strictEqual((yield* Effect.promise(() => fetch(url, { method: "PUT", body: content(100) }))).status, 200)
      yield* store.putPart({ at, uploadId, partNumber: 2, sizeBytes: 30, body: Stream.make(content(30)) })
      const parts = Option.getOrThrow(yield* store.listParts(at, uploadId))
      assert.deepStrictEqual(parts.map(({ sizeBytes }) => sizeBytes), [100, 30])
      assert.isTrue(yield* store.completeUpload(at, uploadId, parts))
      assert.deepStrictEqual(yield* read(at), Uint8Array.from([...content(100), ...content(30)]))
      assert.isFalse(existsSync(upload))
    }))
})
