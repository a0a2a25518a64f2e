/** Imports of a drive in memory: what lies behind links, and how the account stands after. */
import { assert } from "@effect/vitest"
import { MemoryObjectStore, MemoryRemoteFile, type RemoteContent } from "@filedrive/testing"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Quota } from "../src/accounts/Quota.ts"
import { Database } from "../src/database/Database.ts"
import { type ImportRequest, Imports } from "../src/imports/Imports.ts"
import { JobsWorker } from "../src/jobs/JobsWorker.ts"
import { PendingDeletions } from "../src/objects/PendingDeletions.ts"
import { ObjectStore } from "../src/ports/ObjectStore.ts"
import type { RemoteAnswer } from "../src/ports/RemoteFile.ts"
import type { AccountId, ImportId } from "../src/shared/Ids.ts"
import * as Checked from "./Checked.ts"
import { as } from "./TestAccounts.ts"

export const MiB = 1024 ** 2

let links = 0

/** A link that no other test has. */
export const newLink = (path = "file.bin") => `https://files.test/${++links}/${path}`

/** Bytes that differ from place to place, so that none can be in another's. */
export const content = (length: number): Uint8Array => {
  const words = new Uint32Array(Math.ceil(length / 4))
  for (let at = 0; at < words.length; at++) words[at] = Math.imul(at + 1, 2_654_435_761)
  return new Uint8Array(words.buffer, 0, length)
}

/** Asks for an import of what is served at a new link. */
export const startImport = Effect.fnUntraced(function*(
  owner: AccountId,
  served: RemoteContent | Parameters<MemoryRemoteFile["Service"]["serve"]>[1],
  request: Partial<ImportRequest> = {}
) {
  const url = request.url ?? newLink()
  yield* MemoryRemoteFile.use((remote) => remote.serve(url, served))
  return yield* Imports.use((imports) => imports.start({ url: Checked.importUrl(url), ...request })).pipe(
    as(owner),
    Effect.map(({ id }) => ({ id, url }))
  )
})

/** Runs what is due. */
export const runJobs = JobsWorker.use((worker) => worker.runDue)

/** Runs what is due, and continues until every account's imports have had their turn. */
export const runInTurns = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const waiting = sql`SELECT 1 FROM ${t.jobs} WHERE kind = 'import.fetch'`
  do {
    yield* runJobs
    yield* TestClock.adjust("5 seconds")
  } while ((yield* waiting).length > 0)
})

/** How an import stands. */
export const look = Effect.fnUntraced(function*(owner: AccountId, id: ImportId) {
  const [item] = yield* Imports.use((imports) => imports.select([id])).pipe(as(owner))
  return item ?? assert.fail("no such import")
})

/** The bytes that were imported. */
export const readImported = Effect.fnUntraced(function*(owner: AccountId, id: ImportId) {
  const { sql, tables: t } = yield* Database
  const store = yield* ObjectStore
  const [file] = yield* sql<{ readonly key: string }>`
    SELECT f.store_key AS key FROM ${t.imports} i JOIN ${t.files} f ON f.id = i.file_id
    WHERE i.id = ${id} AND i.account_id = ${owner}
  `
  return yield* Stream.mkUint8Array(store.get({ bucket: "private", key: file!.key }))
})

/**
 * Nothing of the account's is in storage but its files, nothing is open, nothing is held, and it is charged for its files
 * exactly. Answers the bytes of these.
 */
export const checkClean = Effect.fnUntraced(function*(owner: AccountId) {
  const { sql, tables: t } = yield* Database
  const memory = yield* MemoryObjectStore
  yield* PendingDeletions.use((deletions) => deletions.removeDue(owner))
  const [sum] = yield* sql<{ readonly bytes: number }>`
    SELECT coalesce(sum(size), 0)::float8 AS bytes FROM ${t.files}
    WHERE account_id = ${owner} AND derivative_of IS NULL
  `
  assert.deepStrictEqual(yield* Quota.use((quota) => quota.balance(owner)), { usedBytes: sum!.bytes, heldBytes: 0 })
  const files = yield* sql<
    { readonly key: string }
  >`SELECT store_key AS key FROM ${t.files} WHERE account_id = ${owner}`
  const keys = (yield* memory.objects).filter(({ key }) => key.startsWith(`files/${owner}/`)).map(({ key }) => key)
  assert.sameMembers(keys, files.map(({ key }) => key))
  assert.deepStrictEqual(yield* memory.openUploads, [])
  return sum!.bytes
})

/** Every part is as far as the number of a part tells: 8 MiB. */
export const large = content(20 * MiB + 5)

/** An answer without a stated length. */
export const answer = (body: RemoteAnswer["body"], change: Partial<RemoteAnswer> = {}): RemoteAnswer => ({
  finalUrl: "https://files.test/a",
  startBytes: 0,
  sizeBytes: null,
  disposition: null,
  mimeType: null,
  validator: null,
  acceptsRanges: false,
  cacheControl: null,
  body,
  ...change
})

/** What was asked for at a link. */
export const asked = (link: string) =>
  MemoryRemoteFile.use((remote) => remote.asked).pipe(Effect.map((all) => all.filter(({ url }) => url === link)))
