/** Compares what searches answer with what they answer where nothing is remembered. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { unlimited } from "../src/accounts/CurrentAccount.ts"
import { Database } from "../src/database/Database.ts"
import { Search } from "../src/search/Search.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import * as Checked from "./Checked.ts"
import { as } from "./FilesTest.ts"

/** Each search is made twice, so that what the first one left is there for the next check; inside a transaction nothing is remembered. */
export const checkSearchCaches = Effect.fnUntraced(
  function*(me: AccountId, queries: ReadonlyArray<Checked.Search>, after: string) {
    const { sql } = yield* Database
    const search = yield* Search
    for (const query of queries) {
      const asked = search.search(Checked.search(query)).pipe(as(me, unlimited))
      const first = yield* asked
      assert.deepStrictEqual(first, yield* sql.withTransaction(asked), `${JSON.stringify(query)} after ${after}`)
      assert.deepStrictEqual(yield* asked, first, `${JSON.stringify(query)} again after ${after}`)
    }
  }
)
