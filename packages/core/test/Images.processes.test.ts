import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { postgresUrl } from "../../testing/src/SharedPostgres.ts"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import { Database } from "../src/database/Database.ts"
import { AccountId } from "../src/shared/Ids.ts"

const script = fileURLToPath(new URL("./ImagesProcess.ts", import.meta.url))

const runProcess = (args: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const node = ["--conditions=@filedrive/source", script, ...args]
    const { stdout } = await promisify(execFile)(process.execPath, node)
    return JSON.parse(stdout.trim().split("\n").at(-1)!) as { readonly taken: number; readonly refused: number }
  })

const Books = AccountTransaction.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(TestDatabase.layerPostgres, SecureRandom.layerWebCrypto))
)

layer(Books, { timeout: "60 seconds" })("The allowance", (it) => {
  it.effect(
    "GEN-7 50 calls of two servers for the last 5 images take 5",
    () =>
      Effect.gen(function*() {
        const { schema, sql, tables: t } = yield* Database
        const transaction = yield* AccountTransaction
        const owner = AccountId.make(yield* SecureRandom.SecureRandom.use((random) => random.uuidV7()))
        yield* transaction.open(owner)
        const url = yield* Effect.promise(postgresUrl)
        const made = yield* Effect.all(
          Array.from({ length: 2 }, () => runProcess([url, schema, owner, "5", "25"])),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(made.reduce((sum, { taken }) => sum + taken, 0), 5)
        assert.strictEqual(made.reduce((sum, { refused }) => sum + refused, 0), 45)
        const months = yield* sql`SELECT used FROM ${t.image_months} WHERE account_id = ${owner}`
        assert.deepStrictEqual(months, [{ used: 5 }])
        const rows = yield* sql`SELECT 1 FROM ${t.generations} WHERE account_id = ${owner}`
        assert.lengthOf(rows, 5)
      }),
    120_000
  )
})
