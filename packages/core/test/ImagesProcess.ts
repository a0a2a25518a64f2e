/**
 * One of several processes that generate images of one account at once:
 * `node ImagesProcess.ts <database url> <schema> <account> <images a month> <count>`. Prints how many calls were taken, and how many were
 * refused because none was left.
 */
import * as Postgres from "@filedrive/adapter-node/postgres"
import { Console, Effect, Layer } from "effect"
import { Database, DatabaseSchema } from "../src/database/Database.ts"
import { Accounts } from "../src/ports/Accounts.ts"
import { AccountId } from "../src/shared/Ids.ts"
import { generate } from "./GenerationsTest.ts"
import { ordinaryUser } from "./ordinaryUser.ts"
import { TestAccounts } from "./TestAccounts.ts"
import { testDrive } from "./TestDrive.ts"
import { codes } from "./UploadsTest.ts"

const [url, schema, account, monthlyImages, count] = process.argv.slice(2) as [string, string, string, string, string]
const owner = AccountId.make(account)

const main = Effect.gen(function*() {
  const calls = Array.from({ length: Number(count) }, () => Effect.exit(generate(owner)))
  const outcomes = (yield* Effect.all(calls, { concurrency: "unbounded" })).map((exit) => codes(exit)[0])
  const counted = (outcome: string) => outcomes.filter((one) => one === outcome).length
  yield* Console.log(JSON.stringify({ taken: counted("succeeded"), refused: counted("no_images_left") }))
})

const database = Database.layer.pipe(
  Layer.provide(Layer.succeed(DatabaseSchema, schema)),
  Layer.provide(Postgres.layer({ url, maxConnections: 8 }))
)

const accounts = Layer.succeed(
  Accounts,
  Accounts.of({ find: (id) => Effect.succeedSome(ordinaryUser(id, { monthlyImages: Number(monthlyImages) })) })
)

await Effect.runPromise(
  main.pipe(Effect.provide(testDrive(database, Layer.provideMerge(accounts, TestAccounts.layer))))
)
