/** Checks of what a host's code passes where no operation's schema does. Each throws a `DriveError`. */
import { FieldIssue, Given, Ids } from "@filedrive/core"
import { refuse, toDriveError } from "./DriveError.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a UUID could be made of another text: all of those have version 5. */
export const mayBeDerived = (id: string): boolean => id[14] === "5"

/** Parses a user's id. */
export const accountId = (given: string, field = "userId"): Ids.AccountId =>
  typeof given === "string" && uuid.test(given)
    ? Ids.AccountId.make(given.toLowerCase())
    : refuse(field, "must be a UUID")

/**
 * What an object holds that a host passes, read once: the fields that are `known`, inherited ones too, and all others of its
 * own. Anything but an object is refused, and so is a field that can't be read, since a getter may throw.
 */
export const object = <A extends object>(
  given: A,
  field = "",
  known: ReadonlyArray<keyof A & string> = []
): A => {
  if (typeof given !== "object" || given === null || Array.isArray(given)) refuse(field, "must be an object")
  const found: Record<string, unknown> = {}
  let name = field
  try {
    for (name of new Set([...known, ...Object.keys(given)])) {
      const value: unknown = given[name as keyof A]
      if (value !== undefined || !known.includes(name as never)) found[name] = value
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : typeof error
    refuse(name, `must be readable, but reading it threw ${message}`)
  }
  return found as A
}

/** The same of an object that has only these fields; one that is undefined is not there. */
export const exactObject = <A extends object>(
  given: A,
  field: string,
  known: ReadonlyArray<keyof A & string>
): A => {
  const found = object(given, field, known)
  const unknown = Object.keys(found).find((name) =>
    !known.includes(name as never) && found[name as keyof A] !== undefined
  )
  if (unknown === undefined) return found
  throw toDriveError(
    Given.invalidField({ code: "unknown_field", field: unknown, because: FieldIssue.unknownBecause(known) })
  )
}
