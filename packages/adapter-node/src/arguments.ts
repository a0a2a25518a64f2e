/** Checks of what a host's code passes where no operation's schema does. Each throws a `DriveError`. */
import { Ids } from "@filedrive/core"
import { refuse } from "./DriveError.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Parses a user's id. */
export const accountId = (given: string): Ids.AccountId =>
  typeof given === "string" && uuid.test(given)
    ? Ids.AccountId.make(given.toLowerCase())
    : refuse("userId", "must be a UUID")

/** Anything but an object is refused. */
export const object = <A extends object>(given: A, field = ""): A =>
  typeof given === "object" && given !== null && !Array.isArray(given) ? given : refuse(field, "must be an object")
