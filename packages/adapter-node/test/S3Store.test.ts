import { assert, describe, it } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { DataPlane, objectStoreSuite, type ObjectStoreSuiteOptions } from "@filedrive/testing/suites"
import { Duration, Effect, Layer, Option } from "effect"
import { createServer, request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import * as S3Store from "../src/storage/s3/S3Store.ts"
import { formBody } from "./formBody.ts"
import { relayedLayer } from "./RelayServer.ts"
import { minPartBytes, onS3Engine, preparedLayer } from "./S3Engine.ts"

const suiteOptions: ObjectStoreSuiteOptions = {
  // The key a form wrote to is never a recorded file's, so writing it again does no harm.
  refusesReplay: false,
  needsEveryPart: true,
  minPartBytes
}

const at = { bucket: "private", key: "files/a/b" } as const
const headers = {
  contentType: "text/plain",
  contentDisposition: "attachment; filename=\"a\"",
  cacheControl: "no-store"
}
const lifetime = Duration.hours(1)

/** Stands before an engine and loses its answers to the first `losses` completions. */
const losing = (endpoint: string, losses: number) =>
  Effect.gen(function*() {
    let lost = 0
    const server = createServer((request, response) => {
      const forwarded = httpRequest(endpoint + request.url, { method: request.method, headers: request.headers })
      forwarded.on("response", (answer) => {
        if (request.method === "POST" && request.url?.includes("uploadId=") === true && lost < losses) {
          lost++
          return answer.resume().on("end", () => response.destroy())
        }
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      })
      request.pipe(forwarded)
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => void server.close().closeAllConnections())
    )
    return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lost: () => lost }
  })

onS3Engine("S3 store", (options) => {
  objectStoreSuite("s3", Layer.merge(preparedLayer(options), DataPlane.layerHttp), suiteOptions)

  describe("S3 store on a real engine", () => {
    const live = <A, E>(test: Effect.Effect<A, E, Port.ObjectStore>) =>
      test.pipe(Effect.provide(preparedLayer(options)), Effect.scoped)

    it.live.each([1, 3])(
      "STO-37 completing is known to be done though %i answers are lost",
      (losses) =>
        Effect.gen(function*() {
          const store = yield* Port.ObjectStore
          const proxy = yield* losing(options.endpoint ?? "", losses)
          const behind = yield* Effect.provide(
            Port.ObjectStore,
            yield* Layer.build(S3Store.layer({ ...options, endpoint: proxy.endpoint }))
          )
          const uploadId = yield* store.createUpload(at, headers)
          const [url = ""] = yield* store.signParts({
            at,
            uploadId,
            parts: [{ partNumber: 1, sizeBytes: 4 }],
            lifetime
          })
          yield* Effect.promise(() => fetch(url, { method: "PUT", body: "part" }))
          const parts = Option.getOrThrow(yield* store.listParts(at, uploadId))
          // One lost answer is covered by trying again; after three the upload is seen to be closed, and head tells.
          assert.strictEqual(yield* behind.completeUpload(at, uploadId, parts), losses < 3)
          assert.strictEqual(proxy.lost(), losses)
          assert.strictEqual(Option.getOrThrow(yield* store.head(at)).sizeBytes, 4)
        }).pipe(Effect.scoped, live)
    )

    it.live("STO-39 a link to what a form stored says all three headers", () =>
      Effect.gen(function*() {
        const store = yield* Port.ObjectStore
        const incoming = { bucket: "private", key: "incoming/a/b" } as const
        const form = yield* store.signForm({ at: incoming, headers, sizeBytes: 4, lifetime })
        const body = formBody(form.fields, "file")
        const taken = yield* Effect.promise(() => fetch(form.url, { method: "POST", body }))
        assert.strictEqual(taken.status, 204)
        const link = yield* store.signGet({ at: incoming, headers, lifetime })
        const answer = yield* Effect.promise(() => fetch(link))
        assert.deepStrictEqual(
          ["content-type", "content-disposition", "cache-control"].map((name) => answer.headers.get(name)),
          [headers.contentType, headers.contentDisposition, headers.cacheControl]
        )
      }).pipe(live))

    it.live("STO-39 preparing buckets again keeps what is in them, and pages may send and read", () =>
      Effect.gen(function*() {
        const store = yield* Port.ObjectStore
        yield* store.createUpload(at, headers)
        yield* S3Store.prepareBuckets(options)
        const preflight = yield* Effect.promise(() =>
          fetch(`${options.endpoint}/${options.privateBucket}/${at.key}`, {
            method: "OPTIONS",
            headers: { origin: "https://drive.example.org", "access-control-request-method": "PUT" }
          })
        )
        assert.strictEqual(preflight.status, 200)
        assert.include(["*", "https://drive.example.org"], preflight.headers.get("access-control-allow-origin"))
        assert.include(preflight.headers.get("access-control-allow-methods") ?? "", "PUT")
      }).pipe(live))

    it.live("STO-34 a missing bucket stops the start with its name", () =>
      Effect.gen(function*() {
        const missing = { ...options, publicBucket: "nobody-made-this" }
        const failure = yield* Effect.flip(Effect.scoped(Layer.build(S3Store.layer(missing))))
        assert.match(failure.message, /bucket "nobody-made-this" does not exist/)
      }).pipe(live))
  })
})

onS3Engine("S3 store with a relay", (options) => {
  const prepared = Layer.effectDiscard(Effect.orDie(S3Store.prepareBuckets(options)))
  const relayed = relayedLayer(options).pipe(Layer.provide(prepared))
  objectStoreSuite("s3, forms by relay", Layer.merge(relayed, DataPlane.layerHttp), suiteOptions)
})
