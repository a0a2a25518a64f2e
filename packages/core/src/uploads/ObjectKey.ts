/**
 * The name a caller gives an object: `users/{userId}/…`. Storage never sees it.
 * Contract: "Files", objectKey.
 */
import { Result } from "effect"
import * as Limits from "../limits/Limits.ts"
import { InvalidField, Refused } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import { hasControlCharacter, utf8Length } from "../shared/Text.ts"

const invalid = (because: string) =>
  Result.fail(new InvalidField({ code: "invalid_field", field: "objectKey", because }))

/** Whether an account may store under `key`; another user's prefix is `not_allowed`. */
export const check = (key: string, accountId: AccountId): Result.Result<void, InvalidField | Refused> => {
  if (!key.isWellFormed() || hasControlCharacter(key)) {
    return invalid("must be valid Unicode without control characters")
  }
  if (utf8Length(key) > Limits.objectKeyMaxBytes) return invalid(`must be at most ${Limits.objectKeyMaxBytes} bytes`)
  const segments = key.split("/")
  if (segments[0] !== "users" || segments.length < 3) return invalid("must begin with users/{userId}/")
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    return invalid("must not contain an empty, . or .. segment")
  }
  return segments[1] === accountId
    ? Result.void
    : Result.fail(new Refused({ code: "not_allowed", because: "This object key belongs to another user." }))
}
