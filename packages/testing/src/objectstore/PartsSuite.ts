/** Uploads in parts, from opening to completing or aborting. */
import { assert, type Vitest } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { Duration, Effect, Option, Schema, Stream } from "effect"
import { createHash } from "node:crypto"
import { ago, content, type DataPlane, freshAddress, headers, read, request, sendPart, stored } from "./DataPlane.ts"
import type { ObjectStoreSuiteOptions } from "./SuiteOptions.ts"

const joined = (parts: ReadonlyArray<Uint8Array>) => new Uint8Array(Buffer.concat(parts))

export const partsSuite = (
  it: Vitest.MethodsNonLive<Port.ObjectStore | DataPlane>,
  options: ObjectStoreSuiteOptions
) => {
  const partBytes = Math.max(options.minPartBytes ?? 1, 16)

  const open = Effect.fnUntraced(function*(at = freshAddress()) {
    const store = yield* Port.ObjectStore
    return { at, uploadId: yield* store.createUpload(at, headers) }
  })
  type Open = Effect.Success<ReturnType<typeof open>>

  const sign = Effect.fnUntraced(function*(upload: Open, partNumber: number, sizeBytes: number) {
    const store = yield* Port.ObjectStore
    const urls = yield* store.signParts({ ...upload, parts: [{ partNumber, sizeBytes }], lifetime: Duration.days(1) })
    return urls[0] ?? assert.fail("no URL came back")
  })

  const send = Effect.fnUntraced(function*(upload: Open, partNumber: number, part: Uint8Array<ArrayBuffer>) {
    const answer = yield* sendPart(yield* sign(upload, partNumber, part.length), part)
    assert.strictEqual(answer.status, 200)
  })

  const list = Effect.fnUntraced(function*({ at, uploadId }: Open) {
    const store = yield* Port.ObjectStore
    return Option.getOrUndefined(yield* store.listParts(at, uploadId))
  })

  const complete = Effect.fnUntraced(function*(upload: Open) {
    const store = yield* Port.ObjectStore
    return yield* store.completeUpload(upload.at, upload.uploadId, (yield* list(upload)) ?? [])
  })

  const isStored = Effect.fnUntraced(function*(at: Port.ObjectAddress) {
    const store = yield* Port.ObjectStore
    return Option.isSome(yield* store.head(at))
  })

  it.effect("STO-6 URLs come in the order asked, each for its own part", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const upload = yield* open()
      const parts = [3, 1, 2].map((partNumber) => ({ partNumber, sizeBytes: partBytes + partNumber }))
      const urls = yield* store.signParts({ ...upload, parts, lifetime: Duration.days(1) })
      for (const [at, { sizeBytes }] of parts.entries()) {
        assert.strictEqual((yield* sendPart(urls[at] ?? "", content(sizeBytes))).status, 200)
      }
      assert.deepStrictEqual(
        (yield* list(upload))?.map((part) => [part.partNumber, part.sizeBytes]),
        [1, 2, 3].map((partNumber) => [partNumber, partBytes + partNumber])
      )
    }))

  it.effect.each([{ sent: partBytes - 1 }, { sent: partBytes + 1 }, { sent: partBytes * 40_000 }, { sent: 0 }])(
    `STO-6 a part planned with ${partBytes} bytes refuses $sent bytes`,
    ({ sent }) =>
      Effect.gen(function*() {
        const upload = yield* open()
        const url = yield* sign(upload, 1, partBytes)
        assert.strictEqual((yield* sendPart(url, content(Math.min(sent, 2_000_000)))).status, 403)
        assert.deepStrictEqual(yield* list(upload), [])
      })
  )

  it.effect("STO-6 a part URL is refused for another number, another upload, another key, and without its signature", () =>
    Effect.gen(function*() {
      const upload = yield* open()
      const other = yield* open()
      const url = yield* sign(upload, 1, partBytes)
      const forgeries = [
        url.replace("partNumber=1", "partNumber=2"),
        url.replace(upload.uploadId, other.uploadId),
        url.replace(upload.at.key, other.at.key),
        url.replace(/Signature=../, (start) => start.endsWith("00") ? "Signature=11" : "Signature=00"),
        url.replace(/X-Amz-Expires=\d+/, "X-Amz-Expires=604800")
      ]
      for (const forgery of forgeries) {
        if (forgery === url) continue
        const { status } = yield* sendPart(forgery, content(partBytes))
        assert.isTrue(status === 403 || status === 404, `answered ${status} to ${forgery}`)
      }
      assert.deepStrictEqual([yield* list(upload), yield* list(other)], [[], []])
    }))

  it.effect("STO-133 a part whose bytes don't match the checksum sent with them is 400 and not stored", () =>
    Effect.gen(function*() {
      const upload = yield* open()
      const url = yield* sign(upload, 1, partBytes)
      const put = (md5: string) =>
        Effect.map(
          request(url, { method: "PUT", body: content(partBytes), headers: { "content-md5": md5 } }),
          ({ status }) => status
        )
      const of = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("base64")
      assert.strictEqual(yield* put(of(content(partBytes, 1))), 400)
      assert.strictEqual(yield* put("no checksum"), 400)
      assert.deepStrictEqual(yield* list(upload), [])
      assert.strictEqual(yield* put(of(content(partBytes))), 200)
    }))

  it.effect("STO-6 a part URL past its lifetime is refused", () =>
    Effect.gen(function*() {
      const upload = yield* open()
      const url = yield* ago("25 hours", sign(upload, 1, partBytes))
      assert.strictEqual((yield* sendPart(url, content(partBytes))).status, 403)
      assert.deepStrictEqual(yield* list(upload), [])
    }))

  it.effect("STO-6 no part is taken once the upload is complete, and the object stays as it is", () =>
    Effect.gen(function*() {
      const upload = yield* open()
      const url = yield* sign(upload, 1, partBytes)
      yield* sendPart(url, content(partBytes))
      yield* complete(upload)
      assert.strictEqual((yield* sendPart(url, content(partBytes, 1))).status, 404)
      assert.deepStrictEqual(yield* read(upload.at), content(partBytes))
    }))

  it.effect("STO-6 no part is taken once the upload is aborted", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const upload = yield* open()
      const url = yield* sign(upload, 1, partBytes)
      yield* store.abortUpload(upload.at, upload.uploadId)
      assert.strictEqual((yield* sendPart(url, content(partBytes))).status, 404)
      assert.isUndefined(yield* list(upload))
    }))

  it.effect("STO-7 parts are listed for an open upload only", () =>
    Effect.gen(function*() {
      const upload = yield* open()
      assert.deepStrictEqual(yield* list(upload), [])
      assert.isUndefined(yield* list({ ...upload, uploadId: "never-opened" }))
      yield* send(upload, 1, content(partBytes))
      yield* complete(upload)
      assert.isUndefined(yield* list(upload))
    }))

  it.effect.skipIf(partBytes > 1024)(
    "STO-7 more parts than a page holds are all listed in order of number (sends 1,005 parts: only where parts may be 1 KiB or less)",
    () =>
      Effect.gen(function*() {
        const store = yield* Port.ObjectStore
        const upload = yield* open()
        const parts = Array.from({ length: 1_005 }, (_, i) => ({ partNumber: i * 7 + 1, sizeBytes: partBytes }))
        const urls = yield* store.signParts({ ...upload, parts, lifetime: Duration.days(1) })
        yield* Effect.forEach(urls.toReversed(), (url) => sendPart(url, content(partBytes)), { concurrency: 16 })
        assert.deepStrictEqual(
          (yield* list(upload))?.map((part) => part.partNumber),
          parts.map((part) => part.partNumber)
        )
      }),
    60_000
  )

  it.effect("STO-8 complete makes the object of the parts; repeating it changes nothing", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const upload = yield* open()
      const parts = [content(partBytes, 1), content(partBytes, 2), content(3, 3)]
      for (const [at, part] of parts.entries()) yield* send(upload, at + 1, part)
      assert.isFalse(yield* isStored(upload.at))
      const named = (yield* list(upload)) ?? []
      assert.isTrue(yield* store.completeUpload(upload.at, upload.uploadId, named))
      assert.deepStrictEqual(yield* read(upload.at), joined(parts))
      const made = Option.getOrThrow(yield* store.head(upload.at))
      assert.strictEqual(made.sizeBytes, partBytes * 2 + 3)
      // Some stores remember and say yes again, the others no longer know the upload.
      yield* store.completeUpload(upload.at, upload.uploadId, named)
      assert.strictEqual(Option.getOrThrow(yield* store.head(upload.at)).etag, made.etag)
    }))

  it.effect("STO-8 complete of an upload that is not open answers false", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const at = freshAddress()
      assert.isFalse(yield* store.completeUpload(at, "never-opened", [{ partNumber: 1, etag: "a" }]))
      const upload = yield* open()
      yield* send(upload, 1, content(partBytes))
      const named = (yield* list(upload)) ?? []
      yield* store.abortUpload(upload.at, upload.uploadId)
      assert.isFalse(yield* store.completeUpload(upload.at, upload.uploadId, named))
      assert.isFalse(yield* isStored(upload.at))
    }))

  it.effect("STO-8 complete that names a part never sent, or since replaced, fails and the upload stays open", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const upload = yield* open()
      yield* send(upload, 1, content(partBytes))
      const named = (yield* list(upload)) ?? []
      const etag = named[0]?.etag ?? ""
      const unsent = [...named, { partNumber: 2, etag }]
      const refusal = yield* Effect.flip(store.completeUpload(upload.at, upload.uploadId, unsent))
      assert.strictEqual(refusal.code, "storage_unavailable")
      yield* send(upload, 1, content(partBytes, 1))
      yield* Effect.flip(store.completeUpload(upload.at, upload.uploadId, named))
      assert.isFalse(yield* isStored(upload.at))
      assert.isTrue(yield* complete(upload))
      assert.deepStrictEqual(yield* read(upload.at), content(partBytes, 1))
    }))

  it.effect.skipIf(options.needsEveryPart)(
    "STO-8 a stored part that complete does not name is left out (unless the store needs every part)",
    () =>
      Effect.gen(function*() {
        const store = yield* Port.ObjectStore
        const upload = yield* open()
        for (const partNumber of [1, 2, 5]) yield* send(upload, partNumber, content(partBytes, partNumber))
        const named = ((yield* list(upload)) ?? []).filter((part) => part.partNumber !== 2)
        assert.isTrue(yield* store.completeUpload(upload.at, upload.uploadId, named))
        assert.deepStrictEqual(yield* read(upload.at), joined([content(partBytes, 1), content(partBytes, 5)]))
      })
  )

  it.effect("STO-8 of two completes at once each ends well and one object is there", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const upload = yield* open()
      yield* send(upload, 1, content(partBytes))
      const named = (yield* list(upload)) ?? []
      const once = store.completeUpload(upload.at, upload.uploadId, named)
      const answers = yield* Effect.all([once, once], { concurrency: 2 })
      assert.isTrue(answers.includes(true))
      assert.deepStrictEqual(yield* read(upload.at), content(partBytes))
    }))

  it.effect("STO-10 abort discards parts and upload, and may be repeated", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const upload = yield* open()
      yield* send(upload, 1, content(partBytes))
      yield* store.abortUpload(upload.at, upload.uploadId)
      yield* store.abortUpload(upload.at, upload.uploadId)
      yield* store.abortUpload(upload.at, "never-opened")
      assert.isUndefined(yield* list(upload))
      assert.isFalse(yield* isStored(upload.at))
    }))

  it.effect("STO-14 parts put by the drive itself are parts like any, of exactly the bytes announced", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const upload = yield* open()
      const parts = [content(partBytes, 1), content(partBytes + 3, 2), content(5, 3)]
      const put = (partNumber: number, part: Uint8Array, sizeBytes = part.length) =>
        store.putPart({ ...upload, partNumber, sizeBytes, body: Stream.fromIterable([part]) })
      yield* put(1, content(partBytes, 9))
      const etags = yield* Effect.forEach(parts, (part, i) => put(i + 1, part), { concurrency: 3 })
      for (const wrong of [-1, 1]) {
        const refusal = yield* Effect.flip(put(2, parts[1]!, parts[1]!.length + wrong))
        assert.strictEqual(refusal.code, "storage_unavailable")
      }
      const cut = Stream.concat(Stream.fromIterable([parts[0]!]), Stream.fail("cut"))
      const broken = store.putPart({ ...upload, partNumber: 1, sizeBytes: parts[0]!.length + 1, body: cut })
      assert.strictEqual(yield* Effect.flip(broken), "cut")
      assert.deepStrictEqual((yield* list(upload))?.map(({ etag }) => etag), etags)
      assert.isTrue(yield* complete(upload))
      assert.deepStrictEqual(yield* read(upload.at), joined(parts))
      assert.strictEqual((yield* Effect.flip(put(1, parts[0]!))).code, "storage_unavailable")
    }))

  it.effect("STO-14 parts copied from ranges of an object make an equal object in the other bucket", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const whole = content(partBytes * 2 + 5)
      const { at: from } = yield* stored(whole)
      const upload = yield* open(freshAddress("public"))
      const ends = [partBytes, partBytes * 2, whole.length]
      const etags = yield* Effect.forEach(ends, (end, i) =>
        store.copyPart({
          from,
          range: { start: i * partBytes, end: end - 1 },
          to: upload.at,
          uploadId: upload.uploadId,
          partNumber: i + 1
        }), { concurrency: 3 })
      assert.deepStrictEqual((yield* list(upload))?.map(({ etag }) => etag), etags)
      assert.isTrue(yield* complete(upload))
      assert.deepStrictEqual(yield* read(upload.at), whole)
      const served = yield* request(store.publicUrl(upload.at.key))
      assert.deepStrictEqual([served.status, served.headers.get("content-type")], [200, headers.contentType])
    }))

  const sending = Schema.Struct({
    partNumber: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })),
    extraBytes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 })),
    seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 }))
  })
  it.effect.prop(
    "STO-9 parts come in any order and as often as they like: the last sending of each counts",
    [Schema.NonEmptyArray(sending)],
    ([sendings]) =>
      Effect.gen(function*() {
        const upload = yield* open()
        const last = new Map<number, Uint8Array>()
        for (const { extraBytes, partNumber, seed } of sendings) {
          const part = content(partBytes + extraBytes, seed)
          yield* send(upload, partNumber, part)
          last.set(partNumber, part)
        }
        const expected = [...last].sort(([a], [b]) => a - b)
        assert.deepStrictEqual(
          (yield* list(upload))?.map((part) => [part.partNumber, part.sizeBytes]),
          expected.map(([partNumber, part]) => [partNumber, part.length])
        )
        assert.isTrue(yield* complete(upload))
        assert.deepStrictEqual(yield* read(upload.at), joined(expected.map(([, part]) => part)))
      }),
    { timeout: 60_000, arbitrary: { runs: partBytes > 1024 ? 3 : 15 } }
  )
}
