/**
 * The drive as one user sees it: every operation under its id, with the documented JSON, and beside them the few things
 * that JSON can't do.
 *
 * ```ts
 * const ada = drive.as(userId)
 * const { files } = await ada.searchFiles({ text: "lighthouse" })
 * const { id } = await ada.files.put("./lighthouse.jpg")
 * ```
 */
import { AccountInput, type CurrentAccount, Given, Operations } from "@filedrive/core"
import { Effect, Result } from "effect"
import { exactObject } from "./arguments.ts"
import { type CallOptions, runUntil } from "./CallOptions.ts"
import { toDriveError } from "./DriveError.ts"
import { type FollowEvents, followEvents } from "./FollowEvents.ts"
import type { Run } from "./Run.ts"
import { type UserFiles, userFiles } from "./UserFiles.ts"
import type { UserIds } from "./UserIds.ts"

/** What a call made for a user may do, as an API token's limits. Default: everything. */
export interface CallLimits {
  readonly permissions?: ReadonlyArray<CurrentAccount.Permission> | null
  /** Id of the one folder that is seen, with what is inside it. Once it is deleted, every call is refused. */
  readonly folder?: string | null
}

/** An operation by its id: takes what its route takes, returns what its route returns. */
type Operation<Id extends Operations.OperationId> = [Operations.RequestOf<Id>] extends [never]
  ? (request?: undefined, options?: CallOptions) => Promise<Operations.AnswerOf<Id>>
  : Operations.MayOmitRequest<Id> extends true
    ? (request?: Operations.RequestOf<Id>, options?: CallOptions) => Promise<Operations.AnswerOf<Id>>
  : (request: Operations.RequestOf<Id>, options?: CallOptions) => Promise<Operations.AnswerOf<Id>>

/** Every operation of the API that answers JSON, under its id in the OpenAPI document. */
export type UserOperations = { readonly [Id in Operations.OperationId]: Operation<Id> }

export interface UserDrive extends UserOperations {
  /** Files' bytes, and lists of any length. */
  readonly files: UserFiles
  /** What happens on the user's drive, as it happens: `for await (const event of drive.as(userId).events()) …` */
  readonly events: FollowEvents
}

const readLimits = Given.exactReader(AccountInput.CallLimits)

/** Parses the limits of a call; throws `DriveError` when they are not valid. */
const limitsOf = (given: unknown): CurrentAccount.Limits => {
  const read = readLimits(given)
  if (Result.isFailure(read)) throw toDriveError(Given.invalidField(read.failure))
  const { folder = null, permissions = null } = read.success
  return { permissions, folderId: folder }
}

/**
 * Throws `DriveError` for a user's id or limits that are not valid. The host vouches for the user's identity. For a user who is
 * suspended or unknown every call rejects with `not_allowed`, and with `not_found` when the folder of the limits
 * does not exist or is another user's.
 */
export const userDrive = (given: Run, users: UserIds, userId: string, limits: CallLimits = {}): UserDrive => {
  const { caller, run } = callerOf(given, users, userId, limits)
  return {
    ...operations(run, caller, Operations.ids),
    files: userFiles(run, caller),
    events: followEvents(run, caller)
  }
}

const callerOf = (given: Run, users: UserIds, userId: string, limits: CallLimits) => {
  const { id, run } = users.user(given, userId)
  const caller: CurrentAccount.CurrentAccount["Service"] = { id, tokenId: null, limits: limitsOf(limits) }
  return { caller, run }
}

const operations = <Id extends Operations.OperationId>(
  run: Run,
  caller: CurrentAccount.CurrentAccount["Service"],
  ids: ReadonlyArray<Id>
) =>
  Object.fromEntries(
    ids.map((id) => [
      id,
      async (request?: unknown, options?: CallOptions) => {
        const { signal } = exactObject(options ?? {}, "options", ["signal", "retries"])
        return runUntil(
          run,
          Effect.flatMap(Operations.Operations, (operations) => operations.run(id, request, caller)),
          signal
        )
      }
    ])
  ) as unknown as Pick<UserOperations, Id>

/** A user's drive with only some of the operations. */
export const operationsOf = <Id extends Operations.OperationId>(
  given: Run,
  users: UserIds,
  ids: ReadonlyArray<Id>,
  userId: string,
  limits: CallLimits = {}
): Pick<UserOperations, Id> => {
  const { caller, run } = callerOf(given, users, userId, limits)
  return operations(run, caller, ids)
}
