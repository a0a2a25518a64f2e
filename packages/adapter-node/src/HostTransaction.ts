/**
 * Calls of the drive within a transaction of the host's own.
 *
 * ```ts
 * const client = await pool.connect()
 * await client.query("BEGIN")
 * const folder = await drive.transaction(client).as(userId).createFolder({ path: "/Orders/17" })
 * await client.query("INSERT INTO orders (id, folder) VALUES (17, $1)", [folder.id])
 * await client.query("COMMIT")
 * ```
 */
import { HostTransaction as InCore } from "@filedrive/core"
import { Cause, Effect, Exit, Option, Semaphore } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { HostClient } from "./database/pool/HostPool.ts"
import { HostTransactions, Joined } from "./database/PostgresPool.ts"
import { type DriveAccounts, makeAccounts } from "./DriveAccounts.ts"
import { refusal } from "./DriveError.ts"
import type { DriveServices } from "./DriveLayer.ts"
import type { Run } from "./Run.ts"
import { type CallLimits, operationsOf, type UserOperations } from "./UserDrive.ts"
import type { UserIds } from "./UserIds.ts"

/**
 * The operations that only read and change the database. The others change storage, wait for it, or outlive a transaction: uploads,
 * imports, archives, pictures and covers, reading, access of files, the feed.
 */
export const joinedIds = [
  "addToGallery",
  "addToPlaylist",
  "createFolder",
  "createGallery",
  "createPlaylist",
  "deleteFiles",
  "deleteFolder",
  "deleteGallery",
  "deletePlaylist",
  "deleteTag",
  "getUserStorageUsage",
  "moveFiles",
  "moveFolder",
  "purgeTrashedFiles",
  "removeFromGallery",
  "removeFromPlaylist",
  "renameFolder",
  "renameGallery",
  "renamePlaylist",
  "renameTag",
  "reorderGallery",
  "reorderPlaylist",
  "restoreFiles",
  "searchFiles",
  "selectCollections",
  "selectFileViews",
  "selectGallery",
  "selectPlaylist",
  "selectSharedFiles",
  "selectShares",
  "selectTrashedFiles",
  "selectUserFiles",
  "setGalleryPublic",
  "setPlaylistPublic",
  "shareFiles",
  "tagFiles",
  "trashFiles",
  "unshareFiles",
  "updateFileDescription",
  "updateFileTags",
  "updateGalleryDescription"
] as const satisfies ReadonlyArray<keyof UserOperations>

export type JoinedOperations = Pick<UserOperations, typeof joinedIds[number]>

/** The part of a `pg` client that the drive uses. */
export interface TransactionClient extends HostClient {
  readonly release: unknown
}

export interface HostTransaction {
  /** The operations that can join the transaction, for this user; the limits are those of `drive.as`. */
  readonly as: (userId: string, limits?: CallLimits) => JoinedOperations
  /** The drive's own users. */
  readonly accounts: Pick<DriveAccounts, "create" | "find" | "findByHandle" | "setPlan" | "setQuota" | "setDisplayName">
}

const codes = { noTransaction: "25P01", failedTransaction: "25P02" }

const codeOf = (error: unknown): unknown =>
  SqlError.isSqlError(error) ? (error.reason.cause as { readonly code?: unknown }).code : undefined

/** The reason when a call failed because of the state of the host's transaction; undefined for any other failure. */
const faultOf = (cause: Cause.Cause<unknown>) => {
  const found = new Set(
    cause.reasons.map((reason) =>
      codeOf(Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined)
    )
  )
  if (found.has(codes.noTransaction)) return "must have an open transaction: it has none, or it has ended"
  if (found.has(codes.failedTransaction)) {
    return "must have a transaction in which no statement has failed: roll this one back"
  }
  return undefined
}

const notOfPool = () =>
  refusal("client", "can only be given to a drive with the option `database: { pool }`, and be a client of that pool")

/** Calls on one client run one after the other, or their savepoints would be mixed up; also when `drive.transaction(client)` was called for each. */
const turns = new WeakMap<TransactionClient, Semaphore.Semaphore>()

const turnOf = (client: TransactionClient): Semaphore.Semaphore => {
  const known = turns.get(client)
  if (known !== undefined) return known
  const turn = Semaphore.makeUnsafe(1)
  turns.set(client, turn)
  return turn
}

export const hostTransaction = (
  run: Run,
  ids: UserIds,
  ownUsers: boolean,
  quotaBytes: number | null,
  client: TransactionClient
): HostTransaction => {
  if (typeof client !== "object" || client === null || typeof client.query !== "function") {
    throw refusal("client", "must be a client of the host's pool, as `await pool.connect()` gives it")
  }
  const { release } = client
  const oneByOne = turnOf(client)

  const joined = <A, E>(effect: Effect.Effect<A, E, DriveServices>) =>
    Effect.gen(function*() {
      const transactions = yield* Effect.serviceOption(HostTransactions)
      if (Option.isNone(transactions)) return yield* Effect.fail(notOfPool())
      if (client.release !== release) {
        return yield* Effect.fail(
          refusal("client", "must not be released to its pool before the transaction has ended")
        )
      }
      const sql = yield* SqlClient.SqlClient
      const session = transactions.value.join(client)
      const exit = yield* Effect.exit(
        effect.pipe(
          Effect.tap(transactions.value.announce),
          sql.withTransaction,
          Effect.provideService(Joined, session),
          Effect.provideService(InCore.InHostTransaction, true)
        )
      )
      if (Exit.isSuccess(exit)) return exit.value
      const because = faultOf(exit.cause)
      return yield* because === undefined ? Effect.failCause(exit.cause) : Effect.fail(refusal("client", because))
    }).pipe(oneByOne.withPermits(1))

  const joining: Run = Object.assign(<A, E>(effect: Effect.Effect<A, E, DriveServices>) => run(joined(effect)), {
    isClosed: run.isClosed,
    keepingAlive: run.keepingAlive
  })
  const { create, find, findByHandle, setDisplayName, setPlan, setQuota } = makeAccounts(joining, ownUsers, quotaBytes)
  return {
    as: (userId, limits) => operationsOf(joining, ids, joinedIds, userId, limits),
    accounts: { create, find, findByHandle, setDisplayName, setPlan, setQuota }
  }
}
