/** Users of the default Accounts layer in SQL. The only module that reads or writes `profiles`. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Database } from "../database/Database.ts"
import type { Account } from "../ports/Accounts.ts"
import type { AccountId } from "../shared/Ids.ts"
import { monthlyImages, PlanImages } from "./PlanImages.ts"
import type { NewProfile, ProfileChange } from "./Profile.ts"

interface Row extends Account {
  readonly unlimitedImages: boolean
}

/** The column of a user's own number of images. */
const imagesColumn = (images: NewProfile["monthlyImages"]): number | null => typeof images === "number" ? images : null

export class ProfilesRepo extends Context.Service<ProfilesRepo, {
  /** False when the id or the handle is taken; then nothing changes. */
  readonly insert: (account: NewProfile, insertTime: DateTime.Utc) => Effect.Effect<boolean>
  readonly find: (id: AccountId) => Effect.Effect<Option.Option<Account>>
  readonly findByHandle: (handle: string) => Effect.Effect<Option.Option<Account>>
  /** The user's own number of images; null: no limit; `"plan"` where it has none, or does not exist. */
  readonly ownImages: (id: AccountId) => Effect.Effect<NewProfile["monthlyImages"]>
  /** None when there is no such user. */
  readonly update: (id: AccountId, change: ProfileChange) => Effect.Effect<Option.Option<Account>>
}>()("@filedrive/core/accounts/ProfilesRepo") {
  static readonly layer = Layer.effect(
    ProfilesRepo,
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const columns = sql.literal(
        `user_id AS id, handle, display_name AS "displayName", plan, quota_bytes::float8 AS "quotaBytes",
         monthly_images AS "monthlyImages", unlimited_images AS "unlimitedImages", shows_views AS "showsViews", suspend_time IS NOT NULL AS suspended`
      )
      const planImages = yield* PlanImages
      const toAccount = ({ unlimitedImages, ...row }: Row): Account => ({
        ...row,
        monthlyImages: monthlyImages(unlimitedImages ? null : row.monthlyImages ?? undefined, row.plan, planImages)
      })
      const one = Effect.map((rows: ReadonlyArray<Row>) => Option.map(Option.fromUndefinedOr(rows[0]), toAccount))

      const insert = (account: NewProfile, insertTime: DateTime.Utc) => {
        const now = DateTime.toDateUtc(insertTime)
        return sql`
          INSERT INTO ${t.profiles}
            (user_id, handle, display_name, plan, quota_bytes, monthly_images, unlimited_images, shows_views, suspend_time,
              insert_time)
          VALUES (${account.id}, ${account.handle}, ${account.displayName}, ${account.plan},
            ${account.quotaBytes}::bigint, ${imagesColumn(account.monthlyImages)}::int, ${
          account.monthlyImages === null
        },
            ${account.showsViews}, ${account.suspended ? now : null}, ${now})
          ON CONFLICT DO NOTHING RETURNING 1
        `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)
      }

      const find = (id: AccountId) =>
        sql<Row>`SELECT ${columns} FROM ${t.profiles} WHERE user_id = ${id}`.pipe(one, Effect.orDie)

      const findByHandle = (handle: string) =>
        sql<Row>`SELECT ${columns} FROM ${t.profiles} WHERE handle = ${handle}`.pipe(one, Effect.orDie)

      const ownImages = (id: AccountId) =>
        sql<Row>`SELECT ${columns} FROM ${t.profiles} WHERE user_id = ${id}`.pipe(
          Effect.map(([row]) => row === undefined ? "plan" : row.unlimitedImages ? null : row.monthlyImages ?? "plan"),
          Effect.orDie
        )

      const update = (id: AccountId, change: ProfileChange) => {
        const changes = [
          change.displayName === undefined ? undefined : sql`display_name = ${change.displayName}`,
          change.plan === undefined ? undefined : sql`plan = ${change.plan}`,
          change.quotaBytes === undefined ? undefined : sql`quota_bytes = ${change.quotaBytes}::bigint`,
          change.monthlyImages === undefined
            ? undefined
            : sql`monthly_images = ${imagesColumn(change.monthlyImages)}::int, unlimited_images = ${
              change.monthlyImages === null
            }`,
          change.showsViews === undefined ? undefined : sql`shows_views = ${change.showsViews}`,
          change.suspendTime === undefined
            ? undefined
            : sql`suspend_time = ${change.suspendTime && DateTime.toDateUtc(change.suspendTime)}`
        ].filter((part) => part !== undefined)
        return changes.length === 0 ? find(id) : sql<Row>`
          UPDATE ${t.profiles} SET ${sql.csv(changes)} WHERE user_id = ${id} RETURNING ${columns}
        `.pipe(one, Effect.orDie)
      }

      return ProfilesRepo.of({ insert, find, findByHandle, ownImages, update })
    })
  )
}
