/**
 * Administration, in code, of the users of the default Accounts layer. A host
 * with users of its own has no need of it.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { Account, Plan } from "../ports/Accounts.ts"
import type { InvalidField } from "../shared/DriveError.ts"
import * as Given from "../shared/Given.ts"
import { AccountId } from "../shared/Ids.ts"
import * as Input from "./AccountInput.ts"
import { AccountTransaction } from "./AccountTransaction.ts"
import { CredentialEnds } from "./CredentialEnds.ts"
import type { NewProfile, ProfileChange } from "./Profile.ts"
import { ProfilesRepo } from "./ProfilesRepo.ts"
import { Sessions } from "./Sessions.ts"

export interface NewAccount {
  /** Made when left out. */
  readonly id?: AccountId
  /** Unique among the drive's users. */
  readonly handle?: string | null
  readonly displayName?: string | null
  readonly plan?: Plan | null
  /** Bytes; null or left out: no limit. */
  readonly quotaBytes?: number | null
  /** Images a month; null: no limit; `"plan"` or left out: the plan's own allowance. */
  readonly monthlyImages?: number | "plan" | null
  readonly showsViews?: boolean
}

/** None when the user does not exist. `InvalidField` names the field that is not valid. */
type Changed = Effect.Effect<Option.Option<Account>, InvalidField>

const reading = {
  account: Given.checkingExactly(Input.NewAccount),
  id: Given.checking(Input.ById),
  handle: Given.checking(Input.ByHandle)
}

const changes = {
  plan: Given.checking(Input.Changes.plan),
  quotaBytes: Given.checking(Input.Changes.quotaBytes),
  monthlyImages: Given.checking(Input.Changes.monthlyImages),
  displayName: Given.checking(Input.Changes.displayName),
  showsViews: Given.checking(Input.Changes.showsViews)
}

export class AccountsAdmin extends Context.Service<AccountsAdmin, {
  /** Makes a user. None when the id or the handle is taken; then nothing changes. */
  readonly create: (account: NewAccount) => Changed
  readonly find: (id: AccountId) => Changed
  readonly findByHandle: (handle: string) => Changed
  readonly setPlan: (id: AccountId, plan: Plan | null) => Changed
  /** A quota below what the account holds stops new files and takes none away. */
  readonly setQuota: (id: AccountId, quotaBytes: number | null) => Changed
  /** Null: no limit; `"plan"`: the plan's own allowance. */
  readonly setMonthlyImages: (id: AccountId, count: number | "plan" | null) => Changed
  readonly setDisplayName: (id: AccountId, displayName: string | null) => Changed
  readonly setShowsViews: (id: AccountId, showsViews: boolean) => Changed
  /** The user can no longer sign in, every open session ends, and so does what credentials have ({@link CredentialEnds}). Repeating is safe. */
  readonly suspend: (id: AccountId) => Changed
  readonly unsuspend: (id: AccountId) => Changed
}>()("@filedrive/core/accounts/AccountsAdmin") {
  static readonly layerNoDeps = Layer.effect(
    AccountsAdmin,
    Effect.gen(function*() {
      const repo = yield* ProfilesRepo
      const sessions = yield* Sessions
      const ends = yield* CredentialEnds
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom

      const create = Effect.fn("AccountsAdmin.create")(function*(given: NewAccount) {
        const input = yield* reading.account(given)
        const account: NewProfile = {
          id: input.id ?? AccountId.make(yield* random.uuidV7()),
          handle: input.handle ?? null,
          displayName: input.displayName ?? null,
          plan: input.plan ?? null,
          quotaBytes: input.quotaBytes ?? null,
          monthlyImages: input.monthlyImages === undefined ? "plan" : input.monthlyImages,
          showsViews: input.showsViews ?? true,
          suspended: false
        }
        // A user that exists needs no write, and so no room: a host makes its users at each start, on a full disk too.
        if (Option.isSome(yield* repo.find(account.id))) return Option.none()
        if (account.handle !== null && Option.isSome(yield* repo.findByHandle(account.handle))) return Option.none()
        return (yield* repo.insert(account, yield* DateTime.now)) ? yield* repo.find(account.id) : Option.none()
      }, WritePurpose.serving)

      const change = Effect.fn("AccountsAdmin.change")(function*(userId: AccountId, to: ProfileChange) {
        const id = (yield* reading.id({ userId })).userId
        const found = yield* repo.find(id)
        // An account has the plan's allowance where it has none of its own.
        const own = to.monthlyImages === undefined ? {} : { monthlyImages: yield* repo.ownImages(id) }
        const isSo = Option.exists(found, (account) => {
          const there = { ...account, ...own }
          return Object.entries(to).every(([key, value]) => key in there && there[key as keyof Account] === value)
        })
        return isSo ? found : yield* repo.update(id, to)
      }, WritePurpose.serving)
      const set =
        <Key extends keyof typeof changes>(key: Key) =>
        (id: AccountId, value: NonNullable<ProfileChange[Key]> | null) =>
          Effect.flatMap(
            changes[key]({ [key]: value }) as Effect.Effect<ProfileChange, InvalidField>,
            (to) => change(id, to)
          )

      const suspend = Effect.fn("AccountsAdmin.suspend")(function*(userId: AccountId) {
        const id = (yield* reading.id({ userId })).userId
        // First the mark, then the sessions: an exchange in between sees the mark.
        const changed = yield* repo.update(id, { suspendTime: yield* DateTime.now })
        yield* sessions.endAll(id)
        if (Option.isSome(changed)) yield* transaction.share(id, () => ends.ended(id, null))
        return changed
      }, WritePurpose.freeing)

      return AccountsAdmin.of({
        create,
        find: (userId) => Effect.flatMap(reading.id({ userId }), (by) => repo.find(by.userId)),
        findByHandle: (handle) => Effect.flatMap(reading.handle({ handle }), (by) => repo.findByHandle(by.handle)),
        setPlan: set("plan"),
        setQuota: set("quotaBytes"),
        setMonthlyImages: set("monthlyImages"),
        setDisplayName: set("displayName"),
        setShowsViews: set("showsViews"),
        suspend,
        unsuspend: (id) => change(id, { suspendTime: null })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([ProfilesRepo.layer, Sessions.layer, CredentialEnds.layer])
  )
}
