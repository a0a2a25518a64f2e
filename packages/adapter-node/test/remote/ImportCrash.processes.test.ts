/** Imports for real: two processes on one server and one store, the first of them killed in the middle. */
import { assert, describe, it } from "@effect/vitest"
import { AccountsAdmin, CurrentAccount, Database, Imports, ImportUrl, ObjectStore, Quota } from "@filedrive/core"
import { Effect, Option, Schedule, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { content, MiB } from "../../../core/test/ImportsTest.ts"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { start } from "../database/ChildProcess.ts"
import { driveHere } from "../WorkerDrive.ts"
import { serve } from "./HostileServer.ts"

const script = fileURLToPath(new URL("../WorkerProcess.ts", import.meta.url))
const bytes = content(40 * MiB + 7)

const until = <A, E, R>(ask: Effect.Effect<A, E, R>, right: (answer: A) => boolean) =>
  Effect.repeat(ask, { until: right, schedule: Schedule.spaced("50 millis") })

describe("Imports of killed processes", () => {
  it.live.each([{ ranges: true }, { ranges: false }])(
    "IMP-12 what a killed process had begun another ends, as one file (server gives parts: $ranges)",
    ({ ranges }) => {
      const root = mkdtempSync(join(tmpdir(), "filedrive-import-"))
      return Effect.gen(function*() {
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(root, { recursive: true, force: true })))
        const { schema, sql, tables: t } = yield* Database
        const imports = yield* Imports
        const url = yield* Effect.promise(postgresUrl)

        let open = false
        const server = yield* serve((request, response) => {
          const from = ranges ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0) : 0
          response.writeHead(from > 0 ? 206 : 200, {
            "content-length": bytes.length - from,
            ...(ranges ? { etag: "\"v1\"", "accept-ranges": "bytes" } : {}),
            ...(from > 0 ? { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {})
          })
          // The first to ask gets three parts and then nothing more.
          if (open) response.end(bytes.subarray(from))
          else response.write(bytes.subarray(0, 25 * MiB))
        })

        const { id: userId } = Option.getOrThrow(
          yield* AccountsAdmin.use((admin) => admin.create({ plan: "pro", quotaBytes: bytes.length }))
        )
        const as = Effect.provideService(CurrentAccount.CurrentAccount, {
          id: userId,
          tokenId: null,
          limits: CurrentAccount.unlimited
        })
        const { id } = yield* imports.start({ url: ImportUrl.make(`http://127.0.0.1:${server.port}/a.bin`) }).pipe(as)
        const look = Effect.map(imports.select([id]).pipe(as), ([item]) => item!)
        const processOf = () => start([url, schema, root], [], script)

        const first = processOf()
        yield* Effect.addFinalizer(() => Effect.promise(first.kill))
        const store = yield* ObjectStore.ObjectStore
        /** For each upload that is open, how many parts it has. */
        const parts = Stream.runCollect(Stream.mapEffect(
          store.listUploads("private"),
          ({ key, uploadId }) =>
            Effect.map(
              store.listParts({ bucket: "private", key }, uploadId),
              Option.match({ onNone: () => 0, onSome: (stored) => stored.length })
            )
        ))
        yield* Effect.promise(() => first.printed(1))
        yield* until(look, ({ receivedBytes }) => receivedBytes >= 24 * MiB)
        yield* until(parts, ([count]) => count === 3)
        yield* Effect.promise(first.kill)
        assert.deepInclude(yield* look, { status: "working", totalBytes: bytes.length })
        assert.strictEqual((yield* Quota.use((quota) => quota.balance(userId))).heldBytes, bytes.length)

        open = true
        const second = processOf()
        yield* Effect.addFinalizer(() => Effect.promise(second.kill))
        const done = yield* until(look, ({ status }) => status !== "working")
        assert.deepInclude(done, { status: "done", error: null, receivedBytes: bytes.length })
        assert.deepStrictEqual(
          server.requests.map(({ headers }) => headers.range),
          ranges ? [undefined, `bytes=${24 * MiB}-`] : [undefined, undefined]
        )
        assert.deepStrictEqual(yield* Quota.use((quota) => quota.balance(userId)), {
          usedBytes: bytes.length,
          heldBytes: 0
        })
        const files = yield* sql<{ readonly key: string }>`SELECT store_key AS key FROM ${t.files}`
        assert.lengthOf(files, 1)
        const stored = yield* Stream.mkUint8Array(store.get({ bucket: "private", key: files[0]!.key }))
        assert.isTrue(Buffer.from(bytes).equals(stored))
        // What the first one left, if anything, goes.
        yield* until(parts, (open) => open.length === 0)
        const objects = (yield* Stream.runCollect(store.list("private", ""))).filter(({ key }) =>
          key !== "filedrive-mark"
        )
        assert.lengthOf(objects, 1)
      }).pipe(Effect.scoped, Effect.provide(driveHere(root)))
    },
    120_000
  )
})
