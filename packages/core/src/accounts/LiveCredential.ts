/** What a call begins with a token is asked for under its account's lock: a call that was let in before the token ended begins nothing after it. */
import { DateTime } from "effect"
import type { Database } from "../database/Database.ts"
import { Refused } from "../shared/DriveError.ts"
import type { AccountId, ApiTokenId } from "../shared/Ids.ts"

/**
 * Condition that the token of the account may begin something: it is there, has not expired, and its user is not suspended in the drive. True for
 * null, a caller without a token.
 */
export const isLive = (
  { sql, tables: t }: Database["Service"],
  accountId: AccountId,
  tokenId: ApiTokenId | null,
  now: DateTime.Utc
) =>
  tokenId === null ? sql`TRUE` : sql`(
    EXISTS (
      SELECT FROM ${t.api_tokens} WHERE account_id = ${accountId} AND id = ${tokenId}::uuid
        AND (expire_time IS NULL OR expire_time > ${DateTime.toDateUtc(now)})
    ) AND NOT EXISTS (SELECT FROM ${t.profiles} WHERE user_id = ${accountId} AND suspend_time IS NOT NULL)
  )`

/** The refusal of a call that was let in before its token or grant ended. */
export const credentialEnded = () => new Refused({ code: "not_allowed", because: "The token of this call has ended." })
