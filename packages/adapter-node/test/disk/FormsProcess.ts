/**
 * Issues, sends, inserts and cancels forms of one account until it is killed, many at once:
 * `node FormsProcess.ts <database url> <schema> <storage directory> <account>`. Prints a line for each step.
 */
import {
  CurrentAccount,
  Database,
  DatabaseSchema,
  FileName,
  FileSize,
  Forms,
  Ids,
  Inserts,
  ObjectKey
} from "@filedrive/core"
import { Effect, Layer } from "effect"
import * as Postgres from "../../src/database/Postgres.ts"
import { DiskRoutes } from "../../src/storage/disk/DiskRoutes.ts"
import { formBody } from "../formBody.ts"
import { printLine } from "../printLine.ts"
import { driveOn } from "../WorkerDrive.ts"

const [url, schema, root, account] = process.argv.slice(2) as [string, string, string, string]
const owner = Ids.AccountId.make(account)
const sizeBytes = 1_000

const run = Effect.fnUntraced(function*(n: number) {
  const forms = yield* Forms
  const { handleWeb } = yield* DiskRoutes
  // Few keys, so that forms supersede each other, and are inserted and cancelled by others.
  const objectKey = ObjectKey.make(`users/${owner}/${process.pid}-${n % 40}`)
  const file = { type: "Other" as const, fileName: FileName.make("a"), fileSize: FileSize.make(sizeBytes), objectKey }
  const form = yield* forms.create(file)
  const body = formBody(form.fields, new Uint8Array(sizeBytes))
  yield* Effect.promise(() => handleWeb(new Request(form.url, { method: "POST", body })))
  if (n % 3 === 0) yield* forms.cancel(objectKey)
  else if (n % 3 === 1) yield* Inserts.use((inserts) => inserts.insert(file))
})

const work = Effect.forEach(
  Array.from({ length: 100_000 }, (_, n) => n),
  (n) => Effect.andThen(Effect.option(run(n)), Effect.sync(() => printLine(String(n)))),
  { concurrency: 8, discard: true }
)

const drive = driveOn(root).pipe(
  Layer.provideMerge(Database.layer),
  Layer.provideMerge(Postgres.layer({ url })),
  Layer.provide(Layer.succeed(DatabaseSchema, schema))
)

await Effect.runPromise(
  work.pipe(
    Effect.provideService(CurrentAccount.CurrentAccount, {
      id: owner,
      tokenId: null,
      limits: CurrentAccount.unlimited
    }),
    Effect.provide(drive)
  )
)
