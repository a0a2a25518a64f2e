/**
 * Stores objects in the directory it is given until it is killed. Says `{key}`
 * on a line of its own as each is acknowledged; object number n is of n bytes
 * of value n, by put, form copy or parts in turn.
 */
import { ObjectStore as Port } from "@filedrive/core"
import { Effect, Option, Stream } from "effect"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"
import { printLine } from "../printLine.ts"

const headers = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "no-cache" }
const [root = "", first = "1"] = process.argv.slice(2)

const store = Effect.fn("store")(function*(n: number) {
  const store = yield* Port.ObjectStore
  const at: Port.ObjectAddress = { bucket: "private", key: `files/${n}` }
  const source: Port.ObjectAddress = { bucket: "private", key: "files/replaced" }
  const body = Stream.make(new Uint8Array(n).fill(n))
  // Replaced every time: it must never be missing.
  yield* store.put({ at: source, headers, sizeBytes: n, body })
  if (n % 2 === 0) yield* store.copy(source, at, headers)
  else {
    const uploadId = yield* store.createUpload(at, headers)
    yield* store.copyPart({ from: source, range: { start: 0, end: n - 1 }, to: at, uploadId, partNumber: 1 })
    yield* store.completeUpload(at, uploadId, Option.getOrThrow(yield* store.listParts(at, uploadId)))
  }
  printLine(String(n))
})

const program = Effect.gen(function*() {
  for (let n = Number(first);; n++) yield* store(n)
})

await Effect.runPromise(Effect.provide(program, DiskStore.layer({ root, endpoint: "http://127.0.0.1:1/storage" })))
