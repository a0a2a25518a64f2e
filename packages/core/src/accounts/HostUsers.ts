/**
 * Users of a host with ids of its own, such as `user_2abc`. The drive's id of a user is a UUID that is made of this text; the
 * drive stores the text, to find it by the UUID.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { InvalidField } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import { LruCache } from "../shared/LruCache.ts"
import { HostUsersRepo } from "./HostUsersRepo.ts"

/** How many texts are kept in memory, about 2 MB: those that were last used. */
const keptCount = 10_000

export class HostUsers extends Context.Service<HostUsers, {
  /** Stores the host's id of the user; repeating is safe. Fails when the account belongs to another text. */
  readonly remember: (id: AccountId, userId: string) => Effect.Effect<void, InvalidField>
  /** The host's ids of these users. A user without one is left out: the UUID is the id. */
  readonly find: (ids: ReadonlyArray<AccountId>) => Effect.Effect<ReadonlyMap<AccountId, string>>
}>()("@filedrive/core/accounts/HostUsers") {
  static readonly layer = Layer.effect(
    HostUsers,
    Effect.gen(function*() {
      const repo = yield* HostUsersRepo
      const { isInTransaction } = yield* Database
      /** Texts never change, so committed ones are kept. */
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
