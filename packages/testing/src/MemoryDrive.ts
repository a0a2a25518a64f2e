/**
 * A whole drive in memory, for a host's tests:
 *
 * ```ts
 * const drive = await memoryDrive()
 * const ada = await drive.user({ quotaBytes: 1_000 })
 * const id = await ada.upload({ fileName: "a.txt", bytes })
 * await drive.clock.advance("7 days")
 * await drive.close()
 * ```
 *
 * It is a real drive on an embedded database; only its store and its clock are
 * made up. Calls to its API may come over the network, from an app that it is
 * mounted in; links to its store are followed by {@link MemoryDrive.fetch} alone.
 */
import { createDrive, type Drive, type DriveOptions } from "@filedrive/adapter-node"
import { Database, DatabaseSchema } from "@filedrive/core"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { DriveClient, type Fetch } from "./DriveClient.ts"
import { type FaultyMethod, MemoryObjectStore } from "./MemoryObjectStore.ts"
import * as Faults from "./objectstore/Faults.ts"
import * as TestDatabase from "./TestDatabase.ts"

export interface MemoryDriveOptions extends
  Pick<
    DriveOptions,
    | "url"
    | "paths"
    | "appId"
    | "accounts"
    | "allowPrivateAddresses"
    | "allowedOrigins"
    | "media"
    | "log"
    | "agent"
    | "mcp"
    | "signIn"
    | "oauth"
    | "pages"
    | "rateLimits"
    | "trustedProxies"
  >
{
  /** The time at the beginning. Default 2026-01-01T00:00:00Z. */
  readonly startTime?: Date
}

export interface MemoryUser {
  readonly plan?: "basic" | "pro" | null
  readonly quotaBytes?: number | null
  readonly handle?: string
  readonly displayName?: string
  /** Limits of the user's token. Default: none. */
  readonly permissions?: ReadonlyArray<"read" | "add" | "organize" | "share" | "delete" | "generate" | "agent">
}

/** A user's client, with the user's id. */
export class DriveUser extends DriveClient {
  readonly userId: string
  readonly apiToken: string
  constructor(userId: string, options: ConstructorParameters<typeof DriveClient>[0]) {
    super(options)
    this.userId = userId
    this.apiToken = options.apiToken
  }
}

export interface MemoryDrive extends Omit<Drive, "fetch"> {
  /** Fetches from the drive and its links, without a network. */
  readonly fetch: Fetch & Drive["fetch"]
  readonly clock: {
    readonly now: () => Date
    /** Advances the time, and runs what becomes due: sweeps, retries, expiries. */
    readonly advance: (duration: Duration.Input) => Promise<void>
  }
  /** Makes a user, and a client signed in as it. */
  readonly user: (account?: MemoryUser) => Promise<DriveUser>
  /** A client of a user of the host's own, for drives with the option `accounts`. */
  readonly clientOf: (userId: string, limits?: Pick<MemoryUser, "permissions">) => Promise<DriveUser>
  readonly storage: {
    /** Makes the next `times` (default 1) calls of the store's method fail as if it were away. */
    readonly fail: (method: FaultyMethod, times?: number) => Promise<void>
    /** Addresses of all stored objects of accounts: `private/files/…`. */
    readonly objects: () => Promise<ReadonlyArray<string>>
  }
}

/** A fresh database, as an option of `createDrive`: PGlite in memory. Drives in one process don't see each other's. */
export const testDatabase = (): Layer.Layer<SqlClient.SqlClient, unknown> =>
  Layer.effect(DatabaseSchema, Effect.map(Database, ({ schema }) => schema)).pipe(
    Layer.provideMerge(TestDatabase.layerMemory)
  )

/** A drive in memory writes no file, so it is given the key that others make and keep. */
const secretKeys = ["c2VjcmV0cyBvZiBhIGRyaXZlIGluIG1lbW9yeSBvbmw="]

const defaultStart = DateTime.makeUnsafe("2026-01-01T00:00:00Z")

/** Ready when the promise resolves: after about a second for the first of a process, some hundredths for each later one. */
export const memoryDrive = async (options: MemoryDriveOptions = {}): Promise<MemoryDrive> => {
  const { agent, startTime = DateTime.toDateUtc(defaultStart), url = "http://drive.test", ...chosen } = options
  let nowMillis = startTime.getTime()
  let memory: MemoryObjectStore["Service"] | undefined
  const storage = Layer.effectContext(
    Effect.tap(
      Layer.build(MemoryObjectStore.layer),
      (built) => Effect.sync(() => memory = Context.get(built, MemoryObjectStore))
    )
  )
  const drive = createDrive({
    log: "off",
    ...chosen,
    agent: agent === false ? false : { secretKeys, ...agent },
    url,
    storage,
    database: testDatabase(),
    migrateAtStart: false,
    runJobs: false,
    clock: () => nowMillis
  })
  await drive.ready()
  const store = memory!
  const answer = drive.fetch

  const fetch = async (input: string | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    if (new URL(request.url).origin === new URL(url).origin) return answer(request)
    const { headers, method } = request
    const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer()
    return store.fetch(request.url, { method, headers, body })
  }

  const clientOf: MemoryDrive["clientOf"] = async (userId, { permissions } = {}) => {
    const { token } = await drive.tokens.create(userId, { name: "test", permissions: permissions ?? null })
    const appId = options.appId ?? "filedrive"
    return new DriveUser(userId, { url, apiToken: token, appId, fetch })
  }

  return Object.assign(drive, {
    fetch,
    clock: {
      now: () => DateTime.toDateUtc(DateTime.makeUnsafe(nowMillis)),
      advance: async (duration: Duration.Input) => {
        await drive.settled()
        nowMillis += Duration.toMillis(Duration.fromInputUnsafe(duration))
        await drive.runJobs()
      }
    },
    user: async ({ permissions, ...account }: MemoryUser = {}) => {
      const made = await drive.accounts.create(account)
      if (made === null) throw new Error(`There is a user with the handle ${account.handle} already.`)
      return clientOf(made.userId, permissions === undefined ? {} : { permissions })
    },
    clientOf,
    storage: {
      fail: async (method: FaultyMethod, times = 1) => {
        // Work that earlier calls do after their answer must not hit the fault.
        await drive.settled()
        await Effect.runPromise(store.plant(method, Faults.notReached, times))
      },
      objects: async () => {
        await drive.settled()
        return (await Effect.runPromise(store.objects)).map(({ bucket, key }) => `${bucket}/${key}`)
      }
    }
  })
}
