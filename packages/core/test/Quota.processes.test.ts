import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { postgresUrl } from "../../testing/src/SharedPostgres.ts"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import { Quota } from "../src/accounts/Quota.ts"
import { Database } from "../src/database/Database.ts"
import { AccountId } from "../src/shared/Ids.ts"

const script = fileURLToPath(new URL("./QuotaProcess.ts", import.meta.url))

const runProcess = (args: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const node = ["--conditions=@filedrive/source", script, ...args]
    const { stdout } = await promisify(execFile)(process.execPath, node)
    return JSON.parse(stdout.trim().split("\n").at(-1)!) as { readonly used: number; readonly held: number }
  })

const Books = AccountTransaction.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(TestDatabase.layerPostgres, SecureRandom.layerWebCrypto))
)

layer(Books, { timeout: "60 seconds" })("Quota", (it) => {
  it.effect(
    "UP-27 several processes at once fill an account to the last byte and never past it",
    () =>
      Effect.gen(function*() {
        const { schema, sql, tables: t } = yield* Database
        const transaction = yield* AccountTransaction
        const quota = yield* Quota
        const owner = AccountId.make(yield* SecureRandom.SecureRandom.use((random) => random.uuidV7()))
        yield* transaction.open(owner)
        const url = yield* Effect.promise(postgresUrl)
        // Four processes try 100 files of 10 bytes at once; there is room for 50.
        const made = yield* Effect.all(
          Array.from({ length: 4 }, () => runProcess([url, schema, owner, "500", "25"])),
          { concurrency: "unbounded" }
        )
        const used = made.reduce((sum, process) => sum + process.used, 0)
        const held = made.reduce((sum, process) => sum + process.held, 0)
        assert.strictEqual(used + held, 50)
        assert.deepStrictEqual(yield* quota.balance(owner), { usedBytes: used * 10, heldBytes: held * 10 })
        const rows = yield* sql<{ readonly bytes: number }>`
        SELECT coalesce(sum(size), 0)::float8 AS bytes FROM ${t.files} WHERE account_id = ${owner}
      `
        assert.strictEqual(rows[0]!.bytes, used * 10)
      }),
    120_000
  )
})
