/** Reading: by the drive itself, by signed links and by public ones. */
import { assert, type Vitest } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { Duration, Effect, Option, Schema, Stream } from "effect"
import {
  ago,
  cacheControlOf,
  content,
  type DataPlane,
  freshAddress,
  headers,
  read,
  request,
  sendPart,
  stored
} from "./DataPlane.ts"
import type { ObjectStoreSuiteOptions } from "./SuiteOptions.ts"

export const readingSuite = (
  it: Vitest.MethodsNonLive<Port.ObjectStore | DataPlane>,
  options: ObjectStoreSuiteOptions
) => {
  const partBytes = Math.max(options.minPartBytes ?? 1, 10)

  /** An object of four parts, the last of 7 bytes. */
  const ofParts = Effect.fnUntraced(function*() {
    const store = yield* Port.ObjectStore
    const at = freshAddress()
    const uploadId = yield* store.createUpload(at, headers)
    const parts = [partBytes, partBytes + 3, partBytes, 7].map((sizeBytes, i) => ({ partNumber: i + 1, sizeBytes }))
    const whole = content(parts.reduce((sum, part) => sum + part.sizeBytes, 0))
    const urls = yield* store.signParts({ at, uploadId, parts, lifetime: Duration.days(1) })
    let sent = 0
    for (const [i, { sizeBytes }] of parts.entries()) {
      yield* sendPart(urls[i] ?? "", whole.slice(sent, sent += sizeBytes))
    }
    yield* store.completeUpload(at, uploadId, Option.getOrThrow(yield* store.listParts(at, uploadId)))
    return { at, whole }
  })

  const linkTo = Effect.fnUntraced(function*(at: Port.ObjectAddress, asked: Port.ObjectHeaders = headers) {
    const store = yield* Port.ObjectStore
    return yield* store.signGet({ at, headers: asked, lifetime: Duration.hours(6) })
  })

  const fraction = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
  it.effect("STO-11 any range is read, across the borders of parts too", () =>
    Effect.gen(function*() {
      const { at, whole } = yield* ofParts()
      assert.deepStrictEqual(yield* read(at), whole)
      const borders = [0, partBytes - 1, partBytes, partBytes * 2 + 3, whole.length - 8, whole.length - 1]
      for (const start of borders) {
        for (const end of borders.filter((end) => end >= start)) {
          assert.deepStrictEqual(yield* read(at, { start, end }), whole.slice(start, end + 1))
        }
      }
    }))

  it.effect.prop(
    "STO-11 ranges come over HTTP as they are asked for",
    [fraction, fraction],
    ([a, b]) =>
      Effect.gen(function*() {
        const { at, whole } = yield* ofParts()
        const [start, end] = [a, b].map((part) => Math.floor(part * (whole.length - 1))).sort((x, y) => x - y)
        const answer = yield* request(yield* linkTo(at), { headers: { range: `bytes=${start}-${end}` } })
        assert.strictEqual(answer.status, 206)
        assert.strictEqual(answer.headers.get("content-range"), `bytes ${start}-${end}/${whole.length}`)
        assert.deepStrictEqual(answer.bytes, whole.slice(start, (end ?? 0) + 1))
      }),
    { timeout: 60_000, arbitrary: { runs: partBytes > 1024 ? 2 : 8 } }
  )

  it.effect("STO-11 reading what is not there fails with fetching_file_failed", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const failure = yield* Effect.flip(Stream.runDrain(store.get(freshAddress())))
      assert.strictEqual(failure.code, "fetching_file_failed")
    }))

  it.effect.each([
    { range: "bytes=-5", status: 206, from: 95, to: 100 },
    { range: "bytes=95-", status: 206, from: 95, to: 100 },
    { range: "bytes=90-1000", status: 206, from: 90, to: 100 },
    { range: "bytes=0-0", status: 206, from: 0, to: 1 },
    { range: "bytes=-1000", status: 206, from: 0, to: 100 }
  ])("STO-19 a link answers $range as RFC 9110 says", ({ from, range, status, to }) =>
    Effect.gen(function*() {
      const { at } = yield* stored(content(100))
      const answer = yield* request(yield* linkTo(at), { headers: { range } })
      assert.strictEqual(answer.status, status)
      assert.deepStrictEqual(answer.bytes, content(100).slice(from, to))
    }))

  it.effect("STO-19 a range past the end is answered 416", () =>
    Effect.gen(function*() {
      const { at } = yield* stored(content(100))
      const answer = yield* request(yield* linkTo(at), { headers: { range: "bytes=100-" } })
      assert.strictEqual(answer.status, 416)
    }))

  it.effect("STO-19 a link answers with the headers it was signed with", () =>
    Effect.gen(function*() {
      const { at } = yield* stored(content(100))
      const asked = {
        contentType: "text/plain; charset=utf-8",
        contentDisposition: `attachment; filename="b \\"c\\".txt"; filename*=UTF-8''b%20%22c%22.txt`,
        cacheControl: "private, max-age=5"
      }
      const answer = yield* request(yield* linkTo(at, asked))
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.bytes, content(100))
      assert.strictEqual(answer.headers.get("content-type"), asked.contentType)
      assert.strictEqual(answer.headers.get("content-disposition"), asked.contentDisposition)
      assert.strictEqual(cacheControlOf(answer), asked.cacheControl)
    }))

  it.effect("STO-19 an empty object is served", () =>
    Effect.gen(function*() {
      const { at } = yield* stored(content(0))
      const answer = yield* request(yield* linkTo(at))
      assert.deepStrictEqual([answer.status, answer.bytes.length], [200, 0])
      assert.strictEqual((yield* read(at)).length, 0)
    }))

  it.effect("STO-19 a link past its lifetime, changed, or for another object is refused", () =>
    Effect.gen(function*() {
      const { at } = yield* stored(content(100))
      const { at: other } = yield* stored(content(100))
      const link = yield* linkTo(at)
      const refused = [
        yield* ago("7 hours", linkTo(at)),
        link.replace(at.key, other.key),
        link.replace("image%2Fpng", "text%2Fhtml"),
        link.replace(/Signature=../, (start) => start.endsWith("00") ? "Signature=11" : "Signature=00")
      ]
      for (const url of refused) {
        assert.notStrictEqual(url, link)
        assert.strictEqual((yield* request(url)).status, 403)
      }
    }))

  it.effect("STO-19 a link to what is not there is answered 404", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* request(yield* linkTo(freshAddress()))).status, 404)
    }))

  it.effect("STO-18 a public object is served to anyone, with its own headers", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const { at } = yield* stored(content(100), freshAddress("public"))
      const answer = yield* request(store.publicUrl(at.key))
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.bytes, content(100))
      assert.strictEqual(answer.headers.get("content-type"), headers.contentType)
      assert.strictEqual(answer.headers.get("content-disposition"), headers.contentDisposition)
      assert.strictEqual(cacheControlOf(answer), headers.cacheControl)
    }))

  it.effect("STO-18 a private object is served to nobody without a signature", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const { at } = yield* stored(content(100))
      const unsigned = (yield* linkTo(at)).replace(/\?.*/, "")
      assert.strictEqual((yield* request(unsigned)).status, 403)
      assert.isAtLeast((yield* request(store.publicUrl(at.key))).status, 400)
    }))
}
