/** What engines do on bad days, played by a server of our own. */
import { assert, describe, it } from "@effect/vitest"
import type { ObjectStore as Port } from "@filedrive/core"
import { Effect, Option, Stream } from "effect"
import { type Answer, error, patiently, withEngine, xml } from "./FakeS3.ts"

const at = { bucket: "private", key: "files/a/b" } as const
const headers = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "no-store" }

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
          assert.isTrue(yield* patiently(store.completeUpload(at, "u", parts)))
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
          const failure = yield* patiently(Effect.flip(store.createUpload(at, headers)))
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
        // Each waits for all nine: one after another they would wait forever.
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

describe("S3 store on an engine whose pages are smaller than asked for", () => {
  /** `sizes` are those of the pages, over and over; `next` how a page says where the next one begins. */
  const small = (numbers: ReadonlyArray<number>, sizes: ReadonlyArray<number>, next: "marker" | "last part") => {
    let pages = 0
    return (marker: number) => {
      const rest = numbers.filter((number) => number > marker)
      const here = rest.slice(0, sizes[pages++ % sizes.length])
      const more = here.length < rest.length
      const told = more && next === "marker" ? here.at(-1) ?? rest[0]! - 1 : undefined
      return xml(
        `<ListPartsResult><IsTruncated>${more}</IsTruncated>${
          told === undefined ? "" : `<NextPartNumberMarker>${told}</NextPartNumberMarker>`
        }${here.map(partXml).join("")}</ListPartsResult>`
      )
    }
  }
  it.effect.each(
    [
      { name: "one part a page", numbers: [1, 2, 3], sizes: [1], next: "marker" },
      { name: "one part a page, the last of which tells", numbers: [1, 2, 3], sizes: [1], next: "last part" },
      { name: "100 a page", numbers: allNumbers.slice(0, 2_500), sizes: [100], next: "marker" },
      {
        name: "pages of any size",
        numbers: allNumbers.filter((n) => n % 7 !== 0),
        sizes: [999, 1_000, 250, 3_000],
        next: "marker"
      },
      { name: "an empty page before others", numbers: [10, 20, 30, 400, 5_000], sizes: [2, 0, 1], next: "marker" },
      { name: "numbers far apart", numbers: [5, 1_004, 1_005, 2_006, 9_999, 10_000], sizes: [1, 2], next: "last part" }
    ] as const
  )("STO-137 $name: every part is found", ({ next, numbers, sizes }) => {
    const pageAfter = small(numbers, sizes, next)
    return withEngine(
      ({ method, url }) => method === "GET" ? pageAfter(markerOf(url)) : undefined,
      (store) => Effect.map(listed(store), (found) => assert.deepStrictEqual(found, [...numbers]))
    )
  })

  it.effect("STO-137 a list that has more entries, but doesn't say where they begin, fails", () =>
    Effect.gen(function*() {
      for (
        const body of [
          "<ListPartsResult><IsTruncated>true</IsTruncated></ListPartsResult>",
          "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated></ListMultipartUploadsResult>",
          "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"
        ]
      ) {
        yield* withEngine(({ method }) => method === "GET" ? xml(body) : undefined, (store) =>
          Effect.gen(function*() {
            const list = body.startsWith("<ListP")
              ? store.listParts(at, "u")
              : body.startsWith("<ListM")
              ? Stream.runDrain(store.listUploads("private"))
              : Stream.runDrain(store.list("private", ""))
            assert.strictEqual((yield* Effect.flip(list)).code, "storage_unavailable", body)
          }))
      }
    }))

  it.effect("STO-137 objects and open uploads of all pages are found", () => {
    const keys = ["a", "b", "c", "d", "e"]
    return withEngine(
      ({ method, url }) => {
        if (method !== "GET") return undefined
        const from = url.searchParams.get("continuation-token") ?? url.searchParams.get("key-marker") ?? ""
        const rest = keys.filter((key) => key > from)
        const [key] = rest
        const truncated = `<IsTruncated>${rest.length > 1}</IsTruncated>`
        return url.searchParams.has("uploads")
          // Without NextKeyMarker: the last upload of the page tells.
          ? xml(`<ListMultipartUploadsResult>${truncated}<Upload><Key>${key}</Key><UploadId>u</UploadId>
            <Initiated>2026-01-01T00:00:00Z</Initiated></Upload></ListMultipartUploadsResult>`)
          : xml(
            `<ListBucketResult>${truncated}<NextContinuationToken>${key}</NextContinuationToken><Contents><Key>${key}</Key>
            <Size>1</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents></ListBucketResult>`
          )
      },
      (store) =>
        Effect.gen(function*() {
          const keysOf = <E>(list: Stream.Stream<{ readonly key: string }, E>) =>
            Effect.map(Stream.runCollect(list), (found) => found.map(({ key }) => key))
          assert.deepStrictEqual(yield* keysOf(store.listUploads("private")), keys)
          assert.deepStrictEqual(yield* keysOf(store.list("private", "")), keys)
        })
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
      (store) => Effect.map(patiently(store.remove(some)), (left) => assert.deepStrictEqual(left, some))
    ))
})
