/** Reading an account's rows by their ids. */
import type { AccountId } from "../shared/Ids.ts"
import type { Database } from "./Database.ts"

/**
 * Condition on `rows` that they have one of the ids and are the account's. `IS NOT DISTINCT FROM` uses no index, unlike `=`: so the planner
 * reads the rows by their ids. Where it has no statistics yet it would read all rows of the account, thousands for the sake of twenty.
 */
export const byIds = (
  { sql }: Database["Service"],
  rows: string,
  accountId: AccountId,
  ids: ReadonlyArray<string>
) =>
  sql`${sql.literal(`${rows}.id`)} = ANY(${ids}::uuid[])
    AND ${sql.literal(`${rows}.account_id`)} IS NOT DISTINCT FROM ${accountId}::uuid`
