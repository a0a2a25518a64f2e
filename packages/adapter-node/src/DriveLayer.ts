/** From a host's options to the layers of a drive. */
import * as NodeCrypto from "@effect/platform-node-shared/NodeCrypto"
import {
  AccountsAdmin,
  AccountsSql,
  type ActiveAccounts,
  AgentWorker,
  type ApiTokens,
  type BulkImport,
  Callers,
  Crc32,
  Database,
  DatabaseSchema,
  type Downloads,
  Drive,
  DriveHttp,
  type Events,
  type Extraction,
  ExtractionPlaces,
  foldedCrc32,
  type FormEnds,
  type HostUploads,
  HostUsers,
  HttpConfig,
  JobsSql,
  JobsWorker,
  type Library,
  Limits,
  MediaTools,
  migrate,
  type ObjectStore,
  Operations,
  PlanImages,
  PreviewPlaces,
  type PublicReviews,
  RateLimits,
  ReadingPlaces,
  type RemoteFile,
  SearchMemory,
  type Sessions
} from "@filedrive/core"
import * as FileTypeKinds from "@filedrive/media/kinds"
import { Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import * as AgentLayer from "./agent/AgentLayer.ts"
import * as DriveClock from "./clock/DriveClock.ts"
import * as ClockWatch from "./database/ClockWatch.ts"
import { warnOfFullStorage } from "./database/NewDatabase.ts"
import * as Pglite from "./database/Pglite.ts"
import * as Postgres from "./database/Postgres.ts"
import * as PostgresPool from "./database/PostgresPool.ts"
import { dataDirectory } from "./dataDirectory.ts"
import * as Descriptors from "./Descriptors.ts"
import type { DriveOptions } from "./DriveOptions.ts"
import { pathsOf } from "./DrivePaths.ts"
import * as HostAccounts from "./HostAccounts.ts"
import * as MountsLayer from "./MountsLayer.ts"
import * as Observability from "./Observability.ts"
import * as NodeRemoteFile from "./remote/NodeRemoteFile.ts"
import * as ScryptPasswords from "./ScryptPasswords.ts"
import * as DiskStore from "./storage/disk/DiskStore.ts"
import * as S3Store from "./storage/s3/S3Store.ts"
import { StorageRoutes } from "./StorageRoutes.ts"

const isLayer = <A>(value: A): value is Extract<A, Layer.Any> => Layer.isLayer(value)

export const database = (options: DriveOptions) => {
  const { database } = options
  if (isLayer(database)) return database
  if (database === undefined) {
    const isOnDisk = (options.storage ?? "disk") === "disk"
    return Layer.unwrap(
      dataDirectory(options).pipe(
        Effect.tap((path) => isOnDisk ? warnOfFullStorage(path) : Effect.void),
        Effect.map((path) => Pglite.layer({ directory: join(path, "database") }))
      )
    )
  }
  if ("pool" in database) return PostgresPool.layer({ pool: database.pool })
  const { maxConnections, url } = database
  return Postgres.layer({ url, ...(maxConnections === undefined ? {} : { maxConnections }) })
}

export const storage = (
  options: DriveOptions,
  siteUrl: string
): Layer.Layer<ObjectStore.ObjectStore | StorageRoutes, unknown> => {
  const { storage = "disk" } = options
  if (isLayer(storage)) return Layer.merge(storage, StorageRoutes.none)
  const endpoint = siteUrl + pathsOf(options).storage
  if (storage === "disk") {
    const disk = Effect.map(
      dataDirectory(options),
      (path) =>
        DiskStore.layer({
          root: join(path, "storage"),
          endpoint,
          ...(options.diskReserveBytes === undefined ? {} : { reserveBytes: options.diskReserveBytes })
        })
    )
    return StorageRoutes.ofDisk.pipe(Layer.provideMerge(Layer.unwrap(disk)))
  }
  const { createBuckets = false, postPolicy, ...s3 } = storage.s3
  const relay = { url: endpoint }
  const store: Layer.Layer<ObjectStore.ObjectStore | StorageRoutes, S3Store.S3SetupError> = postPolicy === undefined
    ? StorageRoutes.ofFittingRelay.pipe(Layer.provideMerge(S3Store.layerFitting(s3, relay)))
    : postPolicy
    ? Layer.merge(S3Store.layer(s3), StorageRoutes.none)
    : StorageRoutes.ofRelay.pipe(Layer.provideMerge(S3Store.layerWithRelay(s3, relay)))
  return createBuckets ? store.pipe(Layer.provide(Layer.effectDiscard(S3Store.prepareBuckets(s3)))) : store
}

const accounts = ({ accounts }: DriveOptions) =>
  accounts === undefined
    ? Layer.merge(AccountsSql.layer, HostUsers.layer)
    : isLayer(accounts)
    ? Layer.merge(accounts, HostUsers.layer)
    : Layer.provideMerge(HostAccounts.layerNoDeps(accounts), HostUsers.layer)

const remoteFiles = ({ allowPrivateAddresses = false }: DriveOptions) => NodeRemoteFile.layer({ allowPrivateAddresses })

/** The tools and how many files they open at a time. They are loaded only here, so that a drive without them does not load them. */
const media = ({ media = {} }: DriveOptions): Layer.Layer<MediaTools.MediaTools> =>
  media === false ? MediaTools.none : Layer.unwrap(
    Effect.map(Effect.promise(() => import("@filedrive/media")), ({ NodeMediaTools, sharesOf }) => {
      const { extractions, previews, readings } = sharesOf(media.processes)
      return Layer.mergeAll(
        NodeMediaTools.layer(media),
        Layer.succeed(ExtractionPlaces, extractions),
        Layer.succeed(PreviewPlaces, previews),
        Layer.succeed(ReadingPlaces, readings)
      )
    })
  )

/** Who draws images. It is loaded only here, so that a host with a layer of its own does not load the providers. */
const images = ({ images = {} }: DriveOptions, files: Layer.Layer<RemoteFile.RemoteFile>) =>
  isLayer(images) ? images : Layer.unwrap(
    Effect.map(Effect.promise(() => import("@filedrive/images")), ({ HostImages, ImageProviders, SampleImages }) => {
      const { generator, samples = true, ...providers } = images
      if (generator !== undefined) return HostImages.layer(generator)
      const hasProvider = Object.values(providers).some((provider) => provider !== undefined)
      return samples && !hasProvider
        ? SampleImages.layer
        : ImageProviders.layerNoDeps(providers).pipe(Layer.provide(files))
    })
  )

const trustedProxies = ({ trustedProxies = 0 }: DriveOptions) =>
  typeof trustedProxies === "number"
    ? { count: trustedProxies, header: "x-forwarded-for" as const }
    : trustedProxies

/** On ARM Node's CRC uses the processor's instructions, on others it uses tables, which are slower than folding. */
const zipCrc32 = process.arch === "arm64" ? crc32 : foldedCrc32(crc32)

/** The settings of time, logs and HTTP that everything else is built with. */
export const settings = (options: DriveOptions, siteUrl: string) => {
  const { api, auth } = pathsOf(options)
  const { store: rateLimitStore, ...rateLimits } = options.rateLimits || {}
  return Layer.mergeAll(
    HttpConfig.layer({
      basePath: api,
      authPath: auth,
      origin: siteUrl,
      appId: options.appId ?? HttpConfig.defaults.appId,
      checkAppHeader: options.checkAppHeader ?? true,
      allowedOrigins: options.allowedOrigins ?? [],
      trustedProxies: trustedProxies(options),
      rateLimits: options.rateLimits === false ? false : { ...RateLimits.defaults, ...rateLimits },
      logRequests: options.log !== undefined && options.log !== "quiet" && options.log !== "off"
    }),
    Layer.succeed(Crc32, zipCrc32),
    Observability.logs(options.log ?? "quiet"),
    Layer.succeed(PlanImages.PlanImages, { ...Limits.imagesPerMonth, ...options.imagesPerMonth }),
    options.searchMemoryBytes === undefined ? Layer.empty : Layer.succeed(SearchMemory, options.searchMemoryBytes),
    rateLimitStore ?? Layer.empty,
    DriveClock.layer(options.clock),
    Observability.tracing(options.tracing),
    isLayer(options.database) || options.database?.schema === undefined
      ? Layer.empty
      : Layer.succeed(DatabaseSchema, options.database.schema)
  )
}

/** The database, by whose clock everything that follows goes. */
const opened = ClockWatch.layerNoDeps.pipe(Layer.provideMerge(Database.layer))

const migrated = Layer.effectDiscard(migrate).pipe(Layer.provideMerge(opened))

/** The services that a host's calls and requests use. */
export type DriveServices =
  | AccountsAdmin
  | ActiveAccounts
  | ApiTokens
  | BulkImport
  | Callers
  | Database
  | Downloads
  | DriveHttp
  | Events
  | Extraction
  | FormEnds
  | HostUploads
  | HostUsers
  | JobsWorker
  | Library
  | Operations.Operations
  | PublicReviews
  | SecureRandom.SecureRandom
  | Sessions
  | SqlClient.SqlClient
  | StorageRoutes

/** The whole drive at `siteUrl`. Fails to build with the errors of its database or storage. */
export const driveLayer = (options: DriveOptions, siteUrl: string): Layer.Layer<DriveServices, unknown> => {
  const files = remoteFiles(options)
  const jobs = options.runJobs === false ? JobsWorker.layerManual : JobsWorker.layer
  const http = DriveHttp.layer.pipe(Layer.provide([
    MountsLayer.layerNoDeps(options, siteUrl).pipe(Layer.provide(Operations.Operations.layer)),
    Descriptors.layer
  ]))
  const agent = options.agent === false ? Layer.empty : AgentWorker.layer.pipe(
    Layer.provide([Operations.Operations.layer, AgentLayer.model(options, siteUrl)])
  )
  return Layer.mergeAll(http, Operations.Operations.layer, Callers.layer, jobs, agent).pipe(
    Layer.provideMerge(AccountsAdmin.layer),
    Layer.provideMerge(Drive.layer),
    Layer.provideMerge(accounts(options)),
    Layer.provideMerge(JobsSql.layer),
    Layer.provideMerge(options.migrateAtStart === false ? opened : migrated),
    // Built in parallel: the embedded database opens in a thread of its own.
    Layer.provideMerge(
      Layer.mergeAll(
        database(options),
        storage(options, siteUrl),
        FileTypeKinds.layer,
        media(options),
        files,
        images(options, files),
        AgentLayer.ports(options),
        ScryptPasswords.layer
      )
    ),
    Layer.provideMerge(NodeCrypto.layer),
    Layer.provideMerge(settings(options, siteUrl))
  )
}

/** Only the services that migrate the database. */
export const migrationLayer = (options: DriveOptions): Layer.Layer<never, unknown> =>
  migrated.pipe(Layer.provide(database(options)), Layer.provide(settings(options, "")))
