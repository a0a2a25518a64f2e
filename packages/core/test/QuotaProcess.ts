/**
 * One of several processes that upload to one account at once. Run by the quota
 * test: `node QuotaProcess.ts <database url> <schema> <account> <quota> <count>`.
 * Prints how many files it recorded, and how many uploads and forms it left open.
 */
import * as Postgres from "@filedrive/adapter-node/postgres"
import { Console, Effect, Layer, Option } from "effect"
import { Database, DatabaseSchema } from "../src/database/Database.ts"
import { Accounts } from "../src/ports/Accounts.ts"
import { AccountId } from "../src/shared/Ids.ts"
import { Forms } from "../src/uploads/Forms.ts"
import { Uploads } from "../src/uploads/Uploads.ts"
import * as Checked from "./Checked.ts"
import { as } from "./TestAccounts.ts"
import { testDrive } from "./TestDrive.ts"
import { input, uploadOnForm } from "./UploadsTest.ts"

const [url, schema, account, quota, count] = process.argv.slice(2) as [string, string, string, string, string]
const owner = AccountId.make(account)

/** Each file is 10 bytes: one in three is opened as an upload in parts and left so, one gets two forms and is not sent. */
const upload = Effect.fnUntraced(function*(n: number) {
  const file = input(owner, 10, { objectKey: Checked.objectKey(`users/${owner}/${process.pid}-${n}`) })
  if (n % 3 === 0) {
    yield* Uploads.use((uploads) => uploads.open(file))
    return "held" as const
  }
  if (n % 3 === 1) {
    yield* Forms.use((forms) => Effect.andThen(forms.create(file), forms.create(file)))
    return "held" as const
  }
  yield* uploadOnForm(file, "0123456789")
  return "used" as const
})

const main = Effect.gen(function*() {
  const numbers = Array.from({ length: Number(count) }, (_, n) => n)
  const results = yield* Effect.forEach(numbers, (n) => Effect.option(upload(n)), { concurrency: "unbounded" })
  const made = results.flatMap((result) => Option.toArray(result))
  yield* Console.log(JSON.stringify({
    used: made.filter((kind) => kind === "used").length,
    held: made.filter((kind) => kind === "held").length
  }))
}).pipe(as(owner))

const database = Database.layer.pipe(
  Layer.provide(Layer.succeed(DatabaseSchema, schema)),
  Layer.provide(Postgres.layer({ url, maxConnections: 8 }))
)

const accounts = Layer.succeed(
  Accounts,
  Accounts.of({
    find: (id) =>
      Effect.succeedSome({
        id,
        plan: "pro",
        quotaBytes: Number(quota),
        monthlyImages: null,
        handle: null,
        displayName: null,
        showsViews: true,
        suspended: false
      })
  })
)

await Effect.runPromise(main.pipe(Effect.provide(testDrive(database, accounts))))
