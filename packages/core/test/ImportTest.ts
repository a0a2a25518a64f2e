/** How the tests of imports make rows and bring them in. */
import { Array as Arr, Effect, Layer, Stream } from "effect"
import { BulkImport, type ImportOptions } from "../src/bulk/BulkImport.ts"
import type { ImportedFile } from "../src/bulk/ImportedFile.ts"
import type { Database } from "../src/database/Database.ts"
import { Library } from "../src/library/Library.ts"
import * as StoreKey from "../src/objects/StoreKey.ts"
import { ObjectStore } from "../src/ports/ObjectStore.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import { as, layer } from "./FilesTest.ts"

export const withImport = <E, R>(database: Layer.Layer<Database, E, R>) =>
  BulkImport.layer.pipe(Layer.provideMerge(layer(database)))

export const row = (owner: AccountId, name: string, more: Partial<ImportedFile> = {}): ImportedFile => ({
  objectKey: `users/${owner}/old/${name}`,
  storedAs: `old/${name}`,
  fileName: `${name}.txt`,
  type: "Text",
  mimeType: "text/plain",
  fileSize: 10,
  etag: "an-etag",
  ...more
})

export const rows = (owner: AccountId, count: number, more: Partial<ImportedFile> = {}) =>
  Arr.makeBy(count, (at) => row(owner, `n${at}`, more))

/** Puts the bytes where the host of an import does. */
export const stored = Effect.fnUntraced(function*(owner: AccountId, storedAs: string, sizeBytes = 10) {
  const store = yield* ObjectStore
  return yield* store.put({
    at: { bucket: "private", key: StoreKey.imported(owner, storedAs) },
    headers: { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "private" },
    sizeBytes,
    body: Stream.make(new Uint8Array(sizeBytes))
  })
})

export const run = (owner: AccountId, given: Iterable<ImportedFile>, options: ImportOptions = { verify: false }) =>
  Effect.flatMap(BulkImport, (bulk) => bulk.run(Stream.fromIterable(given), options)).pipe(as(owner))

export const listed = Effect.fnUntraced(function*(owner: AccountId) {
  const library = yield* Library
  const pages = yield* library.list("files").pipe(as(owner))
  return (yield* Stream.runCollect(pages)).flat()
})
