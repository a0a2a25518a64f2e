/** What a host may choose about its drive. Everything may be left out. */
import type { Accounts as AccountsPort, ObjectStore, RateLimits } from "@filedrive/core"
import type { MediaOptions } from "@filedrive/media"
import type { Layer } from "effect"
import type { RateLimiter } from "effect/persistence"
import type { SqlClient } from "effect/sql"
import type { HostAccounts } from "./HostAccounts.ts"
import type { LogOption, TracingOptions } from "./Observability.ts"
import type { S3Options } from "./storage/s3/S3Options.ts"

export interface DriveOptions {
  /**
   * Where people reach the drive, up to the path it is mounted at, like
   * `https://app.example.com/drive`. Links to the embedded storage begin with it.
   * Default `http://127.0.0.1:4500`, or where `serve` listens. A host with a server of its own gives it: the drive can't know.
   */
  readonly url?: string
  /** Where the parts of the drive are below its mount. Default `/api`, `/auth`, `/storage`. */
  readonly paths?: { readonly api?: string; readonly auth?: string; readonly storage?: string }
  /** Directory of the embedded database and storage; made with mode 0700. Default `./.filedrive`. */
  readonly dataDirectory?: string
  /** PostgreSQL 15 or later by its URL, or a layer with the host's own client. Default: embedded, in the data directory. */
  readonly database?: PostgresOptions | Layer.Layer<SqlClient.SqlClient, unknown>
  /** S3 or anything that speaks it, or a layer of the host's own. Default `"disk"`: in the data directory. */
  readonly storage?: "disk" | { readonly s3: S3StorageOptions } | Layer.Layer<ObjectStore.ObjectStore, unknown>
  /**
   * Bytes of the disk that uploads leave free, for the database's own writes: with fewer, uploads are refused by 503
   * `no_space`. Only for `storage: "disk"`. Default 256 MiB, or one percent of the disk where that is more.
   */
  readonly diskReserveBytes?: number
  /** The host's own users. Default: users in the drive's own table, kept by `drive.accounts`. */
  readonly accounts?: HostAccounts | Layer.Layer<AccountsPort.Accounts, unknown>
  /**
   * How files are looked into: what is written in them, pictures of them, text and sound. False: they are kept and not opened.
   * Default: with whatever libraries and programs are installed; `npx filedrive doctor` says what they open.
   */
  readonly media?: MediaOptions | false
  /** What the header `X-Service-App` must say. Default `filedrive`. */
  readonly appId?: string
  /** Whether calls without that header are refused. Default true. */
  readonly checkAppHeader?: boolean
  /** Origins whose pages may call the drive from a browser; `"*"` for all. Default none. */
  readonly allowedOrigins?: ReadonlyArray<string>
  /**
   * Proxies between callers and the drive, which say where a call comes from: how many there are, one behind the other, and
   * the header they write. Default none: the connection's own address counts.
   */
  readonly trustedProxies?: number | { readonly count: number; readonly header: "x-forwarded-for" | "forwarded" }
  /** How many calls are taken from one account and one address; false for any number. Default: `RateLimits.defaults` of the core. */
  readonly rateLimits?: RateLimitOptions | false
  /**
   * Whether `/import-from-url` may reach addresses that are not public, this machine's own among them: for tests and
   * closed networks. Whoever may import then reads what those servers give. Default false.
   */
  readonly allowPrivateAddresses?: boolean
  /** Bytes an account made by `drive.accounts.create` may hold when nothing is said. Default null: no limit. */
  readonly quotaBytes?: number | null
  /** Bytes of search indexes that this process keeps in memory; a million files are 60 to 150 MB. Default 256 MiB. */
  readonly searchMemoryBytes?: number
  /** Whether the database is brought up to date at start. Default true; else call `drive.migrate()`. */
  readonly migrateAtStart?: boolean
  /** Whether this process runs the drive's background jobs by itself. Some process must, or call `drive.runJobs()` now and then. Default true. */
  readonly runJobs?: boolean
  /** How long `close` waits for requests in flight, in milliseconds. Default 30,000. */
  readonly closeGraceMillis?: number
  /** Milliseconds since 1970: what time the drive takes it to be. Default: the system's. */
  readonly clock?: () => number
  /** `quiet` (default): warnings and errors, for people; `pretty`: everything; `json`: one object a line; `off`; or a function. */
  readonly log?: LogOption
  /** Where traces go, by OTLP over HTTP. Default nowhere. */
  readonly tracing?: TracingOptions
}

export interface RateLimitOptions extends Partial<RateLimits.RateLimits> {
  /** Where several processes count together, like effect's `RateLimiter.layerStoreRedis`. Default: each process counts for itself. */
  readonly store?: Layer.Layer<RateLimiter.RateLimiterStore, unknown>
}

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: string
  /** Schema of the drive's tables. Default `filedrive`. */
  readonly schema?: string
  /** Default 10. */
  readonly maxConnections?: number
}

export interface S3StorageOptions extends S3Options {
  /** False for a store without POST policies (R2, B2): forms then come to the drive, which passes them on. Default true. */
  readonly postPolicy?: boolean
  /** Makes missing buckets and lets everyone read the public one. For tests and first starts. Default false. */
  readonly createBuckets?: boolean
}
