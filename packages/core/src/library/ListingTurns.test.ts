/** Listings take turns, so that one account's many don't hold up the others. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { CurrentAccount, unlimited } from "../accounts/CurrentAccount.ts"
import { FileRecords } from "../files/FileRecords.ts"
import { Accounts } from "../ports/Accounts.ts"
import { AccountId } from "../shared/Ids.ts"
import { Library } from "./Library.ts"
import { LibraryRepo } from "./LibraryRepo.ts"

const account = (n: number) => AccountId.make(`019845e1-682f-7b02-a706-0000000000a${n}`)

describe("Listings at once", () => {
  it.effect("LIB-10 two pages are read at a time, and an account with one listing waits for two of one with thirty", () =>
    Effect.gen(function*() {
      const order: Array<AccountId> = []
      let [now, most] = [0, 0]
      const repo = Layer.mock(LibraryRepo, {
        page: (id) =>
          Effect.gen(function*() {
            most = Math.max(most, ++now)
            yield* Effect.sleep("1 second")
            now--
            order.push(id)
            return []
          })
      })
      const records = Layer.mock(FileRecords, { of: () => Effect.succeed([]) })
      const library = Library.layerNoDeps.pipe(Layer.provide([repo, records, Layer.mock(Accounts, {})]))
      yield* Effect.gen(function*() {
        const list = (id: AccountId) =>
          Library.use((library) => library.list("files")).pipe(
            Effect.flatMap(Stream.runDrain),
            Effect.provideService(CurrentAccount, { id, tokenId: null, limits: unlimited })
          )
        const all = [...Array.from({ length: 30 }, () => account(1)), account(2)]
        const listing = yield* Effect.forkChild(Effect.forEach(all, list, { concurrency: "unbounded" }))
        yield* TestClock.adjust("1 minute")
        assert.isDefined(listing.pollUnsafe())
      }).pipe(Effect.provide(library))
      assert.strictEqual(most, 2)
      assert.isBelow(order.indexOf(account(2)), 5)
    }))
})
