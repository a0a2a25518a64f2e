/** What the parts of the drive's API in code share: how a call is made, and ids from a host's strings. */
import { AccountInput, Arguments, type CurrentAccount, DriveError, Given, Ids } from "@filedrive/core"
import { Effect, Result } from "effect"
import type { DriveServices } from "../DriveLayer.ts"

/** Runs an operation as the user; rejects with what it fails with. */
export type Call = <A, E>(
  effect: Effect.Effect<A, E, DriveServices | CurrentAccount.CurrentAccount>
) => Promise<A>

/** Runs an operation with arguments that pass what its route asks of a body; the same field and sentence say what is wrong. */
export type Perform = <Id extends Arguments.Operation, A, E>(
  operation: Id,
  given: unknown,
  use: (payload: Arguments.ArgumentsOf<Id>) => Effect.Effect<A, E, DriveServices | CurrentAccount.CurrentAccount>
) => Promise<A>

export const performing = (call: Call): Perform => (operation, given, use) =>
  call(Effect.flatMap(Arguments.read(operation, given), use))

/** Ids as the routes take them that name nothing but files; whatever isn't a list is left for the check to refuse. */
export const refs = (ids: ReadonlyArray<string>): unknown => Array.isArray(ids) ? ids.map((id) => ({ id })) : ids

export const wrong = (field: string, because: string) =>
  new DriveError.InvalidField({ code: "invalid_field", field, because })

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Parses a user's id; throws `InvalidField` when it is not a UUID. */
export const accountId = (given: string): Ids.AccountId => {
  if (typeof given === "string" && uuid.test(given)) return Ids.AccountId.make(given.toLowerCase())
  throw wrong("userId", "must be a UUID")
}

/** What a host's code gives where fields are read; throws `InvalidField` for anything but an object. */
export const object = <A extends object>(given: A): A => {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return given
  throw wrong("", "must be an object")
}

const readLimits = Given.exactReader(AccountInput.CallLimits)

/** Parses the limits of a call; throws `InvalidField` when they are not valid. */
export const limitsOf = (given: unknown): CurrentAccount.Limits => {
  const { folderId = null, permissions = null } = Result.getOrThrow(
    Result.mapError(readLimits(given), Given.invalidField)
  )
  return { permissions, folderId }
}
