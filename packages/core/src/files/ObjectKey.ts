/**
 * The caller's name of an object: `users/{userId}/…`. Storage never sees it.
 * Contract: "Files", objectKey.
 */
import { Result, Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import { Refused } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import { hasControlCharacter, lengthInOpenApi, Text, utf8Length } from "../shared/Text.ts"

/** Why a text is not a valid object key, or undefined when it is; {@link owned} checks whose key it is. */
const flaw = (key: string): string | undefined => {
  if (!key.isWellFormed() || hasControlCharacter(key)) return "must be valid Unicode without control characters"
  if (utf8Length(key) > Limits.objectKeyMaxBytes) return `must be at most ${Limits.objectKeyMaxBytes} bytes`
  const segments = key.split("/")
  if (segments[0] !== "users" || segments.length < 3) return "must begin with users/{userId}/"
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    return "must not contain an empty, . or .. segment"
  }
  return undefined
}

export const ObjectKey = Text.check(
  Schema.makeFilter(flaw, lengthInOpenApi({ min: 1, max: Limits.objectKeyMaxBytes }, 4))
).pipe(Schema.brand("ObjectKey"))
export type ObjectKey = typeof ObjectKey.Type

/** Whether an account may store under `key`; another user's prefix is `not_allowed`. */
export const owned = (key: ObjectKey, accountId: AccountId): Result.Result<void, Refused> =>
  key.split("/")[1] === accountId
    ? Result.void
    : Result.fail(new Refused({ code: "not_allowed", because: "This object key belongs to another user." }))
