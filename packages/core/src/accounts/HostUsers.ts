/**
 * Users of a host that knows them by a text of its own, such as `user_2abc`. The drive knows a user by a UUID that follows from
 * that text, and stores the text beside it, for the way back.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { InvalidField } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import { LruCache } from "../shared/LruCache.ts"
import { HostUsersRepo } from "./HostUsersRepo.ts"

/** Some 2 MB; those that were asked for last are kept. */
const keptCount = 10_000

export class HostUsers extends Context.Service<HostUsers, {
  /** Stores the text that the host knows the user by; repeating is safe. Fails when the account is one of another text. */
  readonly remember: (id: AccountId, userId: string) => Effect.Effect<void, InvalidField>
  /** The texts of those users that have one: the others are known by their UUIDs. */
  readonly find: (ids: ReadonlyArray<AccountId>) => Effect.Effect<ReadonlyMap<AccountId, string>>
}>()("@filedrive/core/accounts/HostUsers") {
  static readonly layer = Layer.effect(
    HostUsers,
    Effect.gen(function*() {
      const repo = yield* HostUsersRepo
      const { isInTransaction } = yield* Database
      /** Texts never change, so what is committed may be kept. */
      const kept = new LruCache<AccountId, string>(keptCount)

      const remember = Effect.fnUntraced(function*(id: AccountId, userId: string) {
        let stored = kept.get(id)
        if (stored === undefined) {
          stored = yield* repo.insert(id, userId)
          if (!(yield* isInTransaction)) kept.set(id, stored, 1)
        }
        if (stored === userId) return
        return yield* new InvalidField({
          code: "invalid_field",
          field: "userId",
          because: "must not be the UUID of another user's account"
        })
      })

      const find = Effect.fnUntraced(function*(ids: ReadonlyArray<AccountId>) {
        const missing = [...new Set(ids)].filter((id) => kept.get(id) === undefined)
        const rows = missing.length === 0 ? [] : yield* repo.find(missing)
        const found = new Map(rows.map(({ accountId, userId }) => [accountId, userId]))
        const isPrivate = yield* isInTransaction
        for (const [id, userId] of found) if (!isPrivate) kept.set(id, userId, 1)
        for (const id of ids) {
          const userId = kept.get(id)
          if (userId !== undefined) found.set(id, userId)
        }
        return found
      })

      return HostUsers.of({ remember, find })
    })
  ).pipe(Layer.provide(HostUsersRepo.layer))
}
