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
import { Effect, Exit, Option, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import type { HostClient } from "./database/pool/HostPool.ts"
import type { JoinedSession } from "./database/pool/JoinedSession.ts"
import { noClient } from "./database/pool/PoolSession.ts"
import { HostTransactions, Joined } from "./database/PostgresPool.ts"
import { type DriveAccounts, makeAccounts } from "./DriveAccounts.ts"
import { overtaken, refusal } from "./DriveError.ts"
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

/** What a host's transaction has failed by, by the codes of PostgreSQL: an operation of the drive knows nothing of it. */
const becauseOf: Readonly<Record<string, string>> = {
  [noClient]: "must be a client of the host's pool: its query takes no statements of node-postgres",
  "25P01": "must have an open transaction: it has none, or it has ended",
  "25P02": "must have a transaction that can go on: a statement in it has failed, so roll it back",
  "25006": "must have a transaction that may write: this one, or its server, is read-only"
}

/** Of REPEATABLE READ and SERIALIZABLE: what the transaction has read was changed since. */
const serializationFailure = "40001"

/** The reason when a call failed because of the host's transaction; undefined for any other failure. */
const faultOf = ({ failure }: JoinedSession) => {
  const cause = failure?.reason.cause
  const { code } = (cause ?? {}) as { readonly code?: string }
  if (code === undefined) return undefined
  if (code === serializationFailure) return overtaken(cause)
  const because = becauseOf[code]
  return because === undefined ? undefined : refusal("client", because, cause)
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
      const call = effect.pipe(
        Effect.tap(transactions.value.announce),
        sql.withTransaction,
        Effect.provideService(Joined, session),
        Effect.provideService(InCore.InHostTransaction, true)
      )
      const checked = Effect.gen(function*() {
        const because = yield* transactions.value.foreign(client, session)
        return because === undefined ? yield* call : yield* Effect.fail(refusal("client", because))
      })
      const exit = yield* Effect.exit(checked)
      if (Exit.isSuccess(exit)) return exit.value
      const fault = faultOf(session)
      return yield* fault === undefined ? Effect.failCause(exit.cause) : Effect.fail(fault)
    }).pipe(oneByOne.withPermits(1))

  const joining: Run = Object.assign(<A, E>(effect: Effect.Effect<A, E, DriveServices>) => run(joined(effect)), {
    isClosed: run.isClosed,
    isClosing: run.isClosing,
    keepingAlive: run.keepingAlive
  })
  const { create, find, findByHandle, setDisplayName, setPlan, setQuota } = makeAccounts(joining, ownUsers, quotaBytes)
  return {
    as: (userId, limits) => operationsOf(joining, ids, joinedIds, userId, limits),
    accounts: { create, find, findByHandle, setDisplayName, setPlan, setQuota }
  }
}
