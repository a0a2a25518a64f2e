/** What engines do on bad days, played by a server of our own. */
import { assert, describe, it } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { DateTime, Duration, Effect, Fiber, Layer, Logger, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as S3Store from "../src/storage/s3/S3Store.ts"
import { type Answer, error, type FakeS3, serveFakeS3, xml } from "./FakeS3.ts"

const at = { bucket: "private", key: "files/a/b" } as const
const headers = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "no-store" }

/** Runs `use` on a store whose engine answers by `answer`. */
const withEngine = <A, E>(
  answer: Parameters<typeof serveFakeS3>[0],
  use: (store: typeof Port.ObjectStore.Service, engine: FakeS3) => Effect.Effect<A, E>,
  change: Partial<S3Store.S3Options> = {}
) =>
  Effect.scoped(Effect.gen(function*() {
    const engine = yield* serveFakeS3(answer)
    const context = yield* Layer.build(S3Store.layer({ ...engine.options, ...change }))
    return yield* use(yield* Effect.provide(Port.ObjectStore, context), engine)
  }))

const completed = xml("<CompleteMultipartUploadResult><ETag>\"whole-1\"</ETag></CompleteMultipartUploadResult>")
const errorIn200: Answer = { ...error(503, "InternalError"), status: 200 }
const parts = [{ partNumber: 1, etag: "one" }]

describe("S3 store on an engine that fails", () => {
  it.effect("STO-30 an error that follows a 200 is an error, and tried again", () => {
    let calls = 0
    return withEngine(
      () => ++calls === 2 ? completed : errorIn200,
      (store, engine) =>
        Effect.gen(function*() {
          calls = 0
          assert.isTrue(yield* store.completeUpload(at, "u", parts))
          assert.strictEqual(engine.asked.length, 2)
        })
    )
  })

  it.effect("STO-30 an answer without what it promises is an error", () =>
    withEngine(
      ({ method }) => method === "PUT" ? xml("<CopyObjectResult></CopyObjectResult>") : undefined,
      (store) =>
        Effect.gen(function*() {
          const failure = yield* Effect.flip(store.copy(at, { ...at, key: "files/a/c" }, headers))
          assert.strictEqual(failure.code, "storage_unavailable")
        })
    ))

  it.effect("STO-32 a call is tried three times, and its failure shows nothing of the engine", () =>
    withEngine(
      ({ method }) => method === "POST" ? error(503, "SlowDown") : undefined,
      (store, engine) =>
        Effect.gen(function*() {
          const failure = yield* Effect.flip(store.createUpload(at, headers))
          assert.strictEqual(failure.code, "storage_unavailable")
          assert.strictEqual(engine.asked.length, 3)
          const shown = failure.message + JSON.stringify(failure) + String(failure.cause)
          assert.notMatch(shown, /secret-of|Signature|Credential/)
          assert.include(String(failure.cause), "CreateMultipartUpload: 503 SlowDown")
        })
    ))

  it.effect("STO-32 a refusal is not tried again", () =>
    withEngine(
      ({ method }) => method === "POST" ? error(403, "AccessDenied") : undefined,
      (store, engine) =>
        Effect.gen(function*() {
          yield* Effect.flip(store.createUpload(at, headers))
          assert.strictEqual(engine.asked.length, 1)
        })
    ))

  it.effect("STO-30 a bucket that is gone is no answer about what was in it", () =>
    withEngine(
      ({ method }) => method === "PUT" || method === "GET" ? error(404, "NoSuchBucket") : undefined,
      (store) =>
        Effect.gen(function*() {
          assert.strictEqual((yield* Effect.flip(store.copy(at, at, headers))).code, "storage_unavailable")
          assert.strictEqual((yield* Effect.flip(store.listParts(at, "u"))).code, "storage_unavailable")
        })
    ))

  it.effect("STO-38 a part that arrived during an abort makes it abort again", () => {
    let aborts = 0
    const listing = xml("<ListPartsResult><IsTruncated>false</IsTruncated></ListPartsResult>")
    return withEngine(
      ({ method }) =>
        method === "DELETE" ? { status: ++aborts > 2 ? 404 : 204 } : method === "GET" ? listing : undefined,
      (store) => Effect.map(store.abortUpload(at, "u"), () => assert.strictEqual(aborts, 2))
    )
  })
})

const partXml = (partNumber: number) =>
  `<Part><PartNumber>${partNumber}</PartNumber><Size>5</Size><ETag>"e"</ETag>` +
  "<LastModified>2026-01-01T00:00:00Z</LastModified></Part>"

/** Pages of the numbers after `marker`, as the protocol has them. */
const page = (numbers: ReadonlyArray<number>, marker: number) => {
  const rest = numbers.filter((number) => number > marker)
  return xml(
    `<ListPartsResult><IsTruncated>${rest.length > 1_000}</IsTruncated>${
      rest.slice(0, 1_000).map(partXml).join("")
    }</ListPartsResult>`
  )
}

const markerOf = (url: URL) => Number(url.searchParams.get("part-number-marker") ?? 0)
const allNumbers = Array.from({ length: 10_000 }, (_, i) => i + 1)
const listed = (store: typeof Port.ObjectStore.Service) =>
  Effect.map(store.listParts(at, "u"), (parts) => Option.getOrThrow(parts).map(({ partNumber }) => partNumber))

describe("S3 store listing parts", () => {
  it.effect.each([
    { name: "10,000 parts", numbers: allNumbers, pages: 10 },
    { name: "every seventh part", numbers: allNumbers.filter((n) => n % 7 === 0), pages: 4 },
    { name: "parts at the end only", numbers: allNumbers.slice(8_500), pages: 2 },
    { name: "one page", numbers: allNumbers.slice(0, 1_000), pages: 1 }
  ])("STO-31 $name come whole in $pages pages", ({ numbers, pages }) =>
    withEngine(
      ({ method, url }) => method === "GET" ? page(numbers, markerOf(url)) : undefined,
      (store, engine) =>
        Effect.gen(function*() {
          assert.deepStrictEqual(yield* listed(store), numbers)
          assert.strictEqual(engine.asked.length, pages)
        })
    ))

  it.effect("STO-31 the pages after the first are asked for together", () => {
    const waiting: Array<() => void> = []
    return withEngine(
      ({ method, url }, _, response) => {
        if (method !== "GET") return undefined
        const answer = page(allNumbers, markerOf(url))
        if (markerOf(url) === 0) return answer
        // Each waits for all nine: one after another they would wait for ever.
        waiting.push(() => response.writeHead(200, answer.headers).end(answer.body))
        if (waiting.length === 9) { for (const answerNow of waiting) answerNow() }
        return undefined
      },
      (store) => Effect.map(listed(store), (numbers) => assert.deepStrictEqual(numbers, allNumbers))
    )
  })

  it.effect("STO-31 an engine that knows only its own markers is asked page by page", () => {
    const sparse = allNumbers.filter((n) => n % 3 === 0)
    return withEngine(
      ({ method, url }) => {
        const marker = markerOf(url)
        // Like MinIO once did: a number that no part has lists from the start.
        return method === "GET" ? page(sparse, sparse.includes(marker) ? marker : 0) : undefined
      },
      (store) => Effect.map(listed(store), (numbers) => assert.deepStrictEqual(numbers, sparse))
    )
  })
})

describe("S3 store removing", () => {
  const [a, b, c] = ["a", "b", "c"].map((key) => ({ bucket: "private", key }) as const) as [
    Port.ObjectAddress,
    Port.ObjectAddress,
    Port.ObjectAddress
  ]
  const some = [a, b, c]
  const isBatch = ({ method, url }: { readonly method: string; readonly url: URL }) =>
    method === "POST" && url.searchParams.has("delete")

  it.effect("STO-33 objects that a batch reports are still there", () =>
    withEngine(
      (asked) =>
        isBatch(asked)
          ? xml(
            "<DeleteResult><Error><Key>b</Key><Code>InternalError</Code></Error>" +
              "<Error><Key>c</Key><Code>NoSuchKey</Code></Error></DeleteResult>"
          )
          : undefined,
      (store) => Effect.map(store.remove(some), (left) => assert.deepStrictEqual(left, [b]))
    ))

  it.effect.each([400, 501])(
    "STO-33 an engine that answers %i to batches gets single deletes from then on",
    (status) =>
      withEngine(
        (asked) =>
          isBatch(asked)
            ? error(status, "NotImplemented")
            : asked.method === "DELETE"
            ? asked.url.pathname.endsWith("/b") ? error(403, "AccessDenied") : { status: 204 }
            : undefined,
        (store, engine) =>
          Effect.gen(function*() {
            assert.deepStrictEqual(yield* store.remove(some), [b])
            assert.deepStrictEqual(yield* store.remove([a]), [])
            assert.strictEqual(engine.asked.filter(isBatch).length, 1)
          })
      )
  )

  it.effect("STO-33 everything is still there while the engine is down", () =>
    withEngine(
      (asked) => isBatch(asked) ? error(503, "SlowDown") : undefined,
      (store) => Effect.map(store.remove(some), (left) => assert.deepStrictEqual(left, some))
    ))
})

describe("S3 store starting", () => {
  const start = (answer: Parameters<typeof serveFakeS3>[0], change: Partial<S3Store.S3Options> = {}) => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    return withEngine(answer, () => Effect.succeed(lines), change).pipe(Effect.provide(Logger.layer([logger])))
  }

  it.effect.each([{ status: 404, says: /"drive-public" does not exist on http.*create it/ }, {
    status: 403,
    says: /"drive-public".*refuses these credentials/
  }])(
    "STO-34 a bucket that answers $status stops the start with its name",
    ({ says, status }) =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(
          start(({ url }) => url.pathname.includes("drive-public") ? { status } : undefined)
        )
        assert.match(failure.message, says)
      })
  )

  it.effect("STO-34 a clock that is off is warned of, with the minutes", () =>
    Effect.gen(function*() {
      const lines = yield* start(() => ({ status: 200, headers: { date: "Thu, 01 Jan 1970 00:20:00 GMT" } }))
      assert.match(lines.join(), /clock is 20 minutes behind/)
      const near = yield* start(() => ({ status: 200, headers: { date: "Thu, 01 Jan 1970 00:01:00 GMT" } }))
      assert.deepStrictEqual(near, [])
    }))

  it.effect("STO-34 credentials that end before the links do are warned of", () =>
    Effect.gen(function*() {
      const date = { status: 200, headers: { date: "Thu, 01 Jan 1970 00:00:00 GMT" } }
      const temporary = (hours: number) => ({
        credentials: {
          accessKeyId: "k",
          secretAccessKey: "s",
          sessionToken: "t",
          expiration: DateTime.toDateUtc(DateTime.makeUnsafe(hours * 3_600_000))
        }
      })
      assert.match((yield* start(() => date, temporary(12))).join(), /temporary and expire in 12 hours/)
      assert.deepStrictEqual(yield* start(() => date, temporary(49)), [])
    }))

  it.effect("STO-35 credentials are asked for again when they end, and their token is in every signature", () => {
    let given = 0
    const credentials = () =>
      Promise.resolve({
        accessKeyId: `key${++given}`,
        secretAccessKey: "s",
        sessionToken: `token${given}`,
        // Over already: each use must ask again.
        expiration: DateTime.toDateUtc(DateTime.makeUnsafe(0))
      })
    return withEngine(() => undefined, (store) =>
      Effect.gen(function*() {
        const lifetime = Duration.hours(1)
        const first = yield* store.signForm({ at, headers, sizeBytes: 1, lifetime })
        const second = yield* store.signForm({ at, headers, sizeBytes: 1, lifetime })
        const number = Number(first.fields["X-Amz-Security-Token"]?.slice("token".length))
        assert.isAbove(number, 0)
        assert.strictEqual(second.fields["X-Amz-Security-Token"], `token${number + 1}`)
        assert.match(second.fields["X-Amz-Credential"] ?? "", new RegExp(`^key${number + 1}/`))
        const link = yield* store.signGet({ at, headers, lifetime })
        assert.include(link, "X-Amz-Security-Token=token")
        const parts = [{ partNumber: 1, sizeBytes: 1 }]
        assert.include(
          (yield* store.signParts({ at, uploadId: "u", parts, lifetime }))[0],
          "X-Amz-Security-Token=token"
        )
      }), { credentials })
  })

  it.effect("STO-34 /readyz waits two seconds for a store that says nothing", () => {
    let silent = false
    return withEngine((_, __, response) => {
      if (silent) return void response.socket?.setTimeout(0)
      return { status: 200 }
    }, (store) =>
      Effect.gen(function*() {
        silent = true
        const check = yield* Effect.forkChild(Effect.flip(store.check), { startImmediately: true })
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual((yield* Fiber.join(check)).code, "storage_unavailable")
      }))
  })
})

describe("S3 store streaming", () => {
  const chunk = new Uint8Array(64 * 1024)

  it.effect("STO-36 a put that is refused at once stops reading its body", () =>
    withEngine(
      ({ method }, request, response) => {
        if (method !== "PUT") return undefined
        response.writeHead(403, { connection: "close" })
        response.end("<Error><Code>AccessDenied</Code></Error>")
        request.resume()
        return undefined
      },
      (store) =>
        Effect.gen(function*() {
          let pulled = 0
          const endless = Stream.fromIterable(Array.from({ length: 3 }, () => chunk)).pipe(
            Stream.tap(() => Effect.sync(() => pulled++)),
            Stream.concat(Stream.never)
          )
          const failure = yield* Effect.flip(store.put({ at, headers, sizeBytes: 2 ** 30, body: endless }))
          assert.include(String(failure.cause), "PutObject: 403 AccessDenied")
          assert.isAtMost(pulled, 3)
        })
    ))

  it.effect("STO-36 a put pulls its body no faster than the store takes it", () => {
    let taken: (() => void) | undefined
    return withEngine(
      ({ method, url }, request, response) => {
        if (method !== "PUT") return url.pathname.endsWith(at.key) ? { status: 404 } : undefined
        request.pause()
        taken = () => void request.resume().on("end", () => response.end())
        return undefined
      },
      (store) =>
        Effect.gen(function*() {
          let pulled = 0
          const body = Stream.fromIterable(Array.from({ length: 2_000 }, () => chunk)).pipe(
            Stream.rechunk(1),
            Stream.tap(() => Effect.sync(() => pulled++))
          )
          const sizeBytes = 2_000 * chunk.length
          const put = yield* Effect.forkChild(Effect.flip(store.put({ at, headers, sizeBytes, body })))
          // Both ends' socket buffers fill, then nothing moves.
          let before = -1
          while (pulled !== before || taken === undefined) {
            before = pulled
            yield* TestClock.withLive(Effect.sleep("50 millis"))
          }
          assert.isBelow(pulled, 500)
          taken()
          // All bytes are taken then, but nothing keeps them: the look at the object fails.
          assert.include(String((yield* Fiber.join(put)).cause), "HeadObject: 404")
          assert.strictEqual(pulled, 2_000)
        })
    )
  })

  it.effect("STO-36 a download that is cut fails, and one nobody reads on is closed", () => {
    let closed: Promise<void> | undefined
    return withEngine(
      ({ method, url }, _, response) => {
        if (method !== "GET") return undefined
        response.writeHead(200, { "content-length": String(2 ** 30) })
        response.write(chunk, () => {
          if (url.pathname.endsWith("cut")) response.destroy()
        })
        closed = new Promise((resolve) => response.on("close", () => resolve()))
        return undefined
      },
      (store) =>
        Effect.gen(function*() {
          const cut = yield* Effect.flip(Stream.runDrain(store.get({ ...at, key: "cut" })))
          assert.strictEqual(cut.code, "fetching_file_failed")
          const first = yield* Stream.runHead(store.get(at))
          assert.isTrue(Option.isSome(first))
          yield* Effect.promise(() => closed ?? Promise.reject(new Error("was not asked")))
        })
    )
  })
})
