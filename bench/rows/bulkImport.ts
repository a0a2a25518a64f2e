/** Bringing files in with every index, into a new account beside the others. */
import { AccountsAdmin, BulkImport, Database, Ids, JobsWorker } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { setTimeout } from "node:timers/promises"
import { withKeptLibrary } from "../library/KeptLibrary.ts"
import { as, type LibraryDrive } from "../library/LibraryDrive.ts"
import { library } from "../library/Shape.ts"
import { seconds } from "../Rounds.ts"
import { importedFiles } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

const userId = "019845e1-682f-7b02-a707-000000000001"

/** Leaves the kept libraries as they were. */
const remove = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const [account] = yield* sql<{ readonly no: number }>`SELECT no FROM ${t.accounts} WHERE id = ${userId}`
  if (account === undefined) return
  for (const table of [t.search_docs, t.search_segments, t.search_indexes]) {
    yield* sql`DELETE FROM ${table} WHERE account_no = ${account.no}`
  }
  for (const table of [t.events, t.files, t.folders, t.tags]) {
    yield* sql`DELETE FROM ${table} WHERE account_id = ${userId}`
  }
  yield* sql`DELETE FROM ${t.profiles} WHERE user_id = ${userId}`
  yield* sql`DELETE FROM ${t.accounts} WHERE id = ${userId}`
  yield* sql.unsafe("VACUUM ANALYZE")
})

const run = (drive: LibraryDrive) =>
  drive.runPromise(
    Effect.flatMap(BulkImport, (bulk) =>
      bulk.run(Stream.fromIterable(library(userId, { files: importedFiles, folders: 500, tags: 100 }, 7)), {
        verify: false
      })).pipe(as(userId))
  )

export const bulkImport = (): Promise<ReadonlyArray<Outcome>> =>
  withKeptLibrary(async (drive) => {
    await drive.runPromise(remove)
    await drive.runPromise(
      Effect.flatMap(AccountsAdmin, (admin) => admin.create({ id: Ids.AccountId.make(userId), plan: "pro" }))
    )
    try {
      const settle = () => drive.runPromise(Effect.flatMap(JobsWorker, ({ runDue }) => runDue))
      await settle()
      // With the job that makes large segments of those of a batch each: as in a process that runs its jobs, while rows come in.
      const rate = importedFiles / await seconds(async () => {
        const imported = run(drive)
        const over = imported.then(() => true)
        while (!(await Promise.race([over, setTimeout(100, false)]))) await settle()
        await imported
        await settle()
      })
      return [{
        what: `\`importMany\` of ${importedFiles.toLocaleString("en")} files, every index, among the others`,
        own: `${rate.toFixed(0)} rows/s`,
        against: "",
        result: `${(1e6 / rate).toFixed(0)} µs a row`,
        target: "over 5,000 rows/s",
        met: rate > 5_000
      }]
    } finally {
      await drive.runPromise(remove)
    }
  })
