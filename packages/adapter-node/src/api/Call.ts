/** What the parts of the drive's API in code share: how a call is made, and ids from a host's strings. */
import { Arguments, type CurrentAccount, Ids } from "@filedrive/core"
import { Effect } from "effect"
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

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const id = <Id>(things: string, make: (text: string) => Id) => (given: string): Id => {
  if (typeof given === "string" && uuid.test(given)) return make(given.toLowerCase())
  throw new TypeError(`${things} are known by UUIDs, and ${JSON.stringify(given)} is not one.`)
}

/** A user's id, or a sentence about it. */
export const accountId = id("Users", (text) => Ids.AccountId.make(text))
export const folderId = id("Folders", (text) => Ids.FolderId.make(text))
