/** Tokens that are limited to a folder, while that is deleted. Under `TEST_DATABASE=postgres` at the same moment. */
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { CurrentAccount, unlimited } from "../src/accounts/CurrentAccount.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import { FolderTree } from "../src/organize/FolderTree.ts"
import * as Checked from "./Checked.ts"
import { newUser, TestServices } from "./TestHttp.ts"

layer(TestServices, { timeout: "60 seconds" })("tokens of a folder that is deleted", (it) => {
  it.effect("ORG-18 exchanges that race the deletion neither outlive the folder nor deadlock with it", () =>
    Effect.gen(function*() {
      const tokens = yield* ApiTokens
      const sessions = yield* Sessions
      const tree = yield* FolderTree
      const userId = yield* newUser()
      const asUser = Effect.provideService(CurrentAccount, { id: userId, tokenId: null, limits: unlimited })
      for (let round = 0; round < 15; round++) {
        const folder = yield* asUser(tree.create(Checked.path(`/f${round}/x`)))
        const create = asUser(
          tokens.create({
            name: Checked.tokenName("a"),
            limits: { permissions: null, folderId: folder.id },
            expireTime: null
          })
        )
        const made = yield* Effect.replicateEffect(create, 3)
        const race: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
          ...made.map(({ text }) => tokens.exchange(text)),
          asUser(tree.delete(folder.id, "parent")),
          ...made.map(({ text }) => tokens.exchange(text)),
          create
        ]
        const exits = yield* Effect.all(race.map(Effect.exit), { concurrency: "unbounded" })
        assert.deepStrictEqual(
          exits.flatMap((exit) => Exit.isFailure(exit) && Cause.hasDies(exit.cause) ? [Cause.pretty(exit.cause)] : []),
          []
        )
        assert.deepStrictEqual(yield* asUser(tokens.list), [])
        assert.deepStrictEqual(yield* sessions.list(userId), [])
      }
    }))
})
