/** A host's own users, as plain functions. */
import { Accounts, DriveError, FieldIssue, Given, HostUsers, type Ids, PlanImages } from "@filedrive/core"
import { Effect, Layer, Option, Schema } from "effect"
import { mayBeDerived } from "./arguments.ts"

/** A user as the host knows it. What is left out is null; `showsViews` is true, and `monthlyImages` as the plan says. */
export interface HostAccount {
  /** Null: may read, trash and delete, and store nothing. */
  readonly plan?: Accounts.Plan | null
  /** Bytes the user may hold; null: no limit. */
  readonly quotaBytes?: number | null
  /** Images the user may generate a calendar month; null: no limit; left out: the plan's own allowance, the option `imagesPerMonth`. */
  readonly monthlyImages?: number | null
  readonly handle?: string | null
  readonly displayName?: string | null
  /** Whether owners of files may see that this user opened them. */
  readonly showsViews?: boolean
  /** A suspended user can no longer sign in, and their sessions end. */
  readonly suspended?: boolean
}

export interface HostAccounts {
  /**
   * The user with this id, as the host passes it to `drive.as` (UUIDs in lower case), or null when the user does not exist. Called on every upload, and at most every 3 seconds for a user
   * who calls or follows a feed; keep it quick. A suspended or deleted user's sessions end within 5 seconds.
   */
  readonly find: (userId: string) => Promise<HostAccount | null> | HostAccount | null
}

const amount = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const optional = <A>(schema: Schema.Codec<A>) => Schema.optional(Schema.NullOr(schema))

/** A field with a wrong name, which would have no effect without notice. */
const insteadOf = (field: string) =>
  Schema.optional(Schema.Unknown.check(Schema.makeFilter(() => `must be named ${field}`)))

/** Other fields of the host's record of a user are ignored. */
const user = Schema.Struct({
  plan: optional(Schema.Literals(["basic", "pro"])),
  quotaBytes: optional(amount),
  monthlyImages: optional(amount),
  handle: optional(Schema.String),
  displayName: optional(Schema.String),
  showsViews: Schema.optional(Schema.Boolean),
  suspended: Schema.optional(Schema.Boolean),
  quota: insteadOf("quotaBytes"),
  quota_bytes: insteadOf("quotaBytes"),
  suspend: insteadOf("suspended"),
  isSuspended: insteadOf("suspended"),
  is_suspended: insteadOf("suspended"),
  monthly_images: insteadOf("monthlyImages"),
  imagesPerMonth: insteadOf("monthlyImages"),
  display_name: insteadOf("displayName"),
  shows_views: insteadOf("showsViews")
})

const checked = Given.checking(user)

type OfPlans = typeof PlanImages.PlanImages.Service

const toAccount = (id: Ids.AccountId, account: HostAccount, ofPlans: OfPlans): Accounts.Account => ({
  id,
  plan: account.plan ?? null,
  quotaBytes: account.quotaBytes ?? null,
  monthlyImages: PlanImages.monthlyImages(account.monthlyImages, account.plan ?? null, ofPlans),
  handle: account.handle ?? null,
  displayName: account.displayName ?? null,
  showsViews: account.showsViews ?? true,
  suspended: account.suspended ?? false
})

const names = Object.keys(user.fields)

/** What is looked at of a host's record, read once: its other fields may be anything. */
const ofRecord = (record: HostAccount | null | undefined): HostAccount | null | undefined =>
  typeof record !== "object" || record === null || Array.isArray(record)
    ? record
    : Object.fromEntries(names.map((name) => [name, record[name as keyof HostAccount]]))

const known = (id: Ids.AccountId, found: HostAccount, ofPlans: OfPlans) =>
  checked(found).pipe(
    Effect.mapBoth({
      onSuccess: () => Option.some(toAccount(id, found, ofPlans)),
      onFailure: (issue) => {
        const told = FieldIssue.sentence(issue, "its answer")
        const cause = new Error(`The host's accounts.find must answer a user or null: ${told}`)
        return new DriveError.Unavailable({ code: "unavailable", cause })
      }
    }),
    Effect.tapError((error) => Effect.logError(error.cause))
  )

/** When `find` throws, rejects or returns something else, the host counts as away: 503 `unavailable`. */
export const layerNoDeps = ({ find }: HostAccounts): Layer.Layer<Accounts.Accounts, never, HostUsers> =>
  Layer.effect(
    Accounts.Accounts,
    Effect.gen(function*() {
      const users = yield* HostUsers
      const ofPlans = yield* PlanImages.PlanImages
      return Accounts.Accounts.of({
        find: (id) =>
          (mayBeDerived(id) ? Effect.map(users.find([id]), (texts) => texts.get(id) ?? id) : Effect.succeed(id)).pipe(
            Effect.flatMap((userId) =>
              Effect.tryPromise({
                try: async () => ofRecord(await find(userId)),
                catch: (cause) => new DriveError.Unavailable({ code: "unavailable", cause })
              })
            ),
            Effect.tapError((error) => Effect.logWarning("The host's accounts.find failed", error.cause)),
            Effect.flatMap((found) =>
              found === null || found === undefined ? Effect.succeedNone : known(id, found, ofPlans)
            )
          )
      })
    })
  )
