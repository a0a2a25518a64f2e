/** Checksums that senders give with parts and forms, at the disk store and at the relay. */
import { assert, describe, layer } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { createHash } from "node:crypto"
import { crc32 } from "node:zlib"
import { serveFakeS3 } from "../FakeS3.ts"
import { formBody } from "../formBody.ts"
import { relayedLayer } from "../RelayServer.ts"
import { filesIn, fresh, headers, lifetime, openFiles, Place, read, served } from "./DiskStoreTest.ts"

const send = (url: string, init: RequestInit) =>
  Effect.promise(async () => {
    const answer = await fetch(url, init)
    return { status: answer.status, code: /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1] }
  })

const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("base64")
const crc = (bytes: Uint8Array) => {
  const four = Buffer.alloc(4)
  four.writeUInt32BE(crc32(bytes))
  return four.toString("base64")
}

const content = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_, at) => at % 251)

const small = content(5_000)
const large = content(3_000_000)

describe("Checksums", () => {
  layer(served(), { excludeTestServices: true })("on disk", (it) => {
    it.effect("STO-133 a part whose bytes or checksum are wrong is 400 and not stored, whatever was there before stays", () =>
      Effect.gen(function*() {
        const store = yield* Port.ObjectStore
        const { root } = yield* Place
        const at = fresh()
        const uploadId = yield* store.createUpload(at, headers)
        const parts = [{ partNumber: 1, sizeBytes: large.length }]
        const [url = ""] = yield* store.signParts({ at, uploadId, parts, lifetime: Duration.days(1) })
        const put = (sent: Record<string, string>) => send(url, { method: "PUT", body: large, headers: sent })
        assert.deepStrictEqual(yield* put({ "content-md5": md5(small) }), { status: 400, code: "BadDigest" })
        assert.deepStrictEqual(yield* put({ "x-amz-checksum-crc32": crc(small) }), { status: 400, code: "BadDigest" })
        assert.deepStrictEqual(yield* put({ "content-md5": "no" }), { status: 400, code: "InvalidDigest" })
        assert.deepStrictEqual(yield* store.listParts(at, uploadId), Option.some([]))
        assert.isTrue((yield* filesIn(root)).every((file) => !file.startsWith("t/")))
        const right = { "content-md5": md5(large), "x-amz-checksum-crc32": crc(large) }
        assert.strictEqual((yield* put(right)).status, 200)
        const before = yield* store.listParts(at, uploadId)
        assert.strictEqual((yield* put({ ...right, "content-md5": md5(small) })).status, 400)
        assert.deepStrictEqual(yield* store.listParts(at, uploadId), before)
        assert.deepStrictEqual(openFiles(root), [])
      }))

    it.effect.each([{ bytes: small }, { bytes: large }])(
      "STO-133 a form whose file doesn't match a checksum in a header or field is 400, stores nothing and can be sent again",
      ({ bytes }) =>
        Effect.gen(function*() {
          const store = yield* Port.ObjectStore
          const { root } = yield* Place
          const at = fresh()
          const form = yield* store.signForm({ at, headers, lifetime, sizeBytes: bytes.length })
          const before = yield* filesIn(root)
          const post = (fields: Record<string, string>, sent: Record<string, string> = {}) =>
            send(form.url, { method: "POST", body: formBody({ ...form.fields, ...fields }, bytes), headers: sent })
          const wrong = { status: 400, code: "BadDigest" }
          assert.deepStrictEqual(yield* post({}, { "content-md5": md5(content(7)) }), wrong)
          assert.deepStrictEqual(yield* post({ "Content-MD5": md5(content(7)) }), wrong)
          assert.deepStrictEqual(yield* post({ "x-amz-checksum-crc32": crc(content(7)) }), wrong)
          assert.deepStrictEqual(yield* post({ "x-amz-checksum-crc32": "x" }), { status: 400, code: "InvalidRequest" })
          assert.deepStrictEqual(yield* filesIn(root), before)
          assert.deepStrictEqual(openFiles(root), [])
          const right = { "x-amz-checksum-crc32": crc(bytes) }
          assert.strictEqual((yield* post(right, { "content-md5": md5(bytes) })).status, 204)
          assert.isTrue(Buffer.from(yield* read(at)).equals(bytes))
        })
    )
  })

  layer(Layer.empty, { excludeTestServices: true })("at the relay", (it) => {
    it.effect("STO-133 a form whose file doesn't match never arrives whole at the engine", () =>
      Effect.gen(function*() {
        let arrived = 0
        const fake = yield* serveFakeS3(({ method }, request, response) => {
          if (method !== "PUT") return undefined
          request.on("end", () => {
            arrived++
            response.end()
          })
          request.resume()
          return undefined
        })
        const store = Context.get(yield* Layer.build(relayedLayer(fake.options)), Port.ObjectStore)
        const form = yield* store.signForm({ at: fresh(), headers, lifetime, sizeBytes: large.length })
        const post = (sent: Record<string, string>) =>
          send(form.url, { method: "POST", body: formBody(form.fields, large), headers: sent })
        assert.deepStrictEqual(yield* post({ "content-md5": md5(small) }), { status: 400, code: "BadDigest" })
        assert.deepStrictEqual(yield* post({ "content-md5": "no" }), { status: 400, code: "InvalidDigest" })
        assert.strictEqual(arrived, 0)
        assert.strictEqual((yield* post({ "content-md5": md5(large) })).status, 204)
        assert.strictEqual(arrived, 1)
      }))
  })
})
