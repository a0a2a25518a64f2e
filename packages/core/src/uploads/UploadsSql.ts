/** The SQL that uploads and forms share. */
import type { Limits } from "../accounts/CurrentAccount.ts"
import type { Database } from "../database/Database.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { ApiTokenId } from "../shared/Ids.ts"

/**
 * Condition on uploads or forms `f` that a call with these limits may continue them: it has all permissions of the call that
 * opened them, in the same folder.
 */
export const isWithin = (database: Database["Service"], limits: Limits) => {
  const { sql } = database
  const permitted = limits.permissions === null
    ? sql`TRUE`
    : sql`COALESCE(f.permissions <@ ${limits.permissions}::text[], FALSE)`
  return sql`(${permitted} AND COALESCE(${StoredFileSql.within(database, limits)}, FALSE))`
}

/** Condition on uploads or forms `f` that they were begun with this token, or with null with any. */
export const ofTokens = ({ sql }: Database["Service"], tokenId: ApiTokenId | null) =>
  tokenId === null ? sql`f.api_token_id IS NOT NULL` : sql`f.api_token_id = ${tokenId}::uuid`
