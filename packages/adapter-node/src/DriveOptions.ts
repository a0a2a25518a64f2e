/** The options of a drive: their checks, and the types that follow from them. */
import { type Accounts as AccountsPort, ImageGenerator, type ObjectStore, type RateLimits } from "@filedrive/core"
import type { HostImages } from "@filedrive/images"
import { Layer, Schema } from "effect"
import type { RateLimiter } from "effect/persistence"
import type { SqlClient } from "effect/sql"
import { agentOptions } from "./agent/AgentOptions.ts"
import type { HostPool } from "./database/pool/HostPool.ts"
import type { HostAccounts } from "./HostAccounts.ts"
import { oauthOptions, signInOptions } from "./oauth/OauthOptions.ts"
import type { LogOption, TracingOptions } from "./Observability.ts"
import {
  bytes,
  bytesFrom,
  count,
  either,
  fields,
  isFunction,
  isObject,
  isText,
  isUrl,
  isWhole,
  millis,
  must,
  orLayer,
  text,
  webUrl,
  whole,
  withField,
  yesNo
} from "./OptionSchema.ts"
import { pagesOptions } from "./pages/PagesOptions.ts"
import type { S3Credentials } from "./storage/s3/S3Options.ts"

const optional = Schema.optionalKey

const path = must<string>(
  "must be a path like /api, without a slash at its end and without . or ..",
  (value) => isText(value) && /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/.test(value)
)

const paths = fields({
  api: optional(path),
  auth: optional(path),
  storage: optional(path),
  a2a: optional(path),
  mcp: optional(path)
}).check(
  Schema.makeFilter(({ a2a = "/a2a", api = "/api", auth = "/auth", mcp = "/mcp", storage = "/storage" }) => {
    const all = { api, auth, storage, a2a, mcp }
    if (new Set(Object.values(all)).size < 5) return "must be five different ones"
    const taken = Object.entries(all).find(([, one]) => /^\/(?:oauth|\.well-known)(?:\/|$)/.test(one))
    if (taken !== undefined) return { path: [taken[0]], issue: "must not be at or below /oauth or /.well-known" }
    // Storage takes every path below its own, whose names are those of objects.
    const inside = [api, auth, a2a, mcp].find((other) => other.startsWith(`${storage}/`))
    return inside === undefined
      ? undefined
      : { path: ["storage"], issue: `must not be above ${inside}` }
  })
)

const schemaName = must<string>(
  "must be a name of lower-case letters, digits and _",
  (value) => isText(value) && /^[a-z_][a-z0-9_]{0,62}$/.test(value)
)

const postgres = fields({
  /** `postgres://user:password@host:5432/database`. */
  url: must<string>(
    "must be an address like postgres://user:password@host:5432/database",
    (value) => isUrl(value, "postgres:", "postgresql:")
  ),
  /** Schema of the drive's tables. Default `filedrive`. */
  schema: optional(schemaName),
  /** Default 10; at most 262,143, as PostgreSQL itself. */
  maxConnections: optional(count(262_143))
})

const hostPool = fields({
  /** A `pg.Pool` of node-postgres 8, of 2 connections or more. It remains the host's: the drive does not end it. */
  pool: must<HostPool>("must be a pg.Pool of 2 connections or more", (value) => {
    const { connect, options } = Object(value) as Partial<HostPool>
    return isFunction(connect) && isObject(options) &&
      (options["max"] === undefined || isWhole(options["max"], 2, 262_143))
  }),
  /** Schema of the drive's tables. Default `filedrive`. */
  schema: optional(schemaName)
})

const s3 = fields({
  /** Where this process reaches the store, like `http://minio:9000`. AWS's address of the region when left out. */
  endpoint: Schema.optional(webUrl),
  /** Where senders and readers reach it, when that is another address: signed links name this one. */
  publicEndpoint: Schema.optional(webUrl),
  /** Base URL of the public bucket where it has its own, like a CDN's or a custom domain (R2 needs one). */
  publicBucketUrl: Schema.optional(webUrl),
  region: text,
  privateBucket: text,
  publicBucket: text,
  /** `{endpoint}/{bucket}/{key}` rather than `{bucket}.{host}/{key}`; most engines but AWS want it. Default false. */
  forcePathStyle: Schema.optional(yesNo),
  /**
   * Fixed credentials, or a function asked again shortly before they expire. Left out, the AWS SDK looks where it always
   * does: environment, profile, container, instance. Links die with the credentials that signed them, so temporary ones must
   * outlive the longest link (2 days).
   */
  credentials: Schema.optional(must<S3Credentials | (() => Promise<S3Credentials>)>(
    "must have accessKeyId and secretAccessKey, or be a function that answers them",
    (value) =>
      isFunction(value) || (isObject(value) && isText(value["accessKeyId"]) && isText(value["secretAccessKey"]))
  )),
  /** Largest file one form or one copy can carry. Default 5 GiB, the protocol's limit. */
  singleUploadMaxBytes: Schema.optional(bytesFrom(1)),
  /**
   * False for a store without POST policies (R2, B2): forms then come to the drive, which passes them on. True for one that has them. Default:
   * the drive sends a form of its own at the start, and sees.
   */
  postPolicy: optional(yesNo),
  /** Makes missing buckets and lets everyone read the public one. For tests and first starts. Default false. */
  createBuckets: optional(yesNo)
})

/** At most a billion calls, in at most a year. */
const rateLimit: Schema.Codec<RateLimits.RateLimit> = fields({ calls: count(1e9), perSeconds: count(31_536_000) })

const rateLimits = fields({
  account: optional(rateLimit),
  address: optional(rateLimit),
  anonymous: optional(rateLimit),
  failedExchange: optional(rateLimit),
  registration: optional(rateLimit),
  link: optional(rateLimit),
  wrongPassword: optional(rateLimit),
  wrongPasswordFrom: optional(rateLimit),
  rightPassword: optional(rateLimit),
  rightPasswordFrom: optional(rateLimit),
  /** A store that several processes share, like effect's `RateLimiter.layerStoreRedis`. Default: each process counts for itself. */
  store: optional(must<Layer.Layer<RateLimiter.RateLimiterStore, unknown>>("must be a layer", Layer.isLayer))
})

const proxiesMax = 100

const proxies = fields({
  count: whole(0, proxiesMax, "how many proxies there are,"),
  header: must<"x-forwarded-for" | "forwarded">(
    "must be \"x-forwarded-for\" or \"forwarded\"",
    (value) => value === "x-forwarded-for" || value === "forwarded"
  )
}, "how many proxies there are")

const media = fields({
  /**
   * How many files are opened at a time for requests, each in a process of its own; one account has half of these at
   * most. Half as many are opened in the background, and more of those that take long: all together, twice as many
   * processes. Files that take over five seconds are preempted when others wait. Default: 2, with four cores 4, and two more
   * for files that take over a second. At most 1,024.
   */
  processes: optional(count(1_024)),
  /** Most memory that one such process may take, in bytes; one that takes more is killed. Default 1.5 GB. */
  processMemoryMaxBytes: optional(bytesFrom(1)),
  /**
   * Where ffmpeg is. Default: where the environment's FFMPEG_PATH says, else on the PATH. Without it videos have no pictures,
   * and tracks are not measured.
   */
  ffmpegPath: optional(text),
  /** Where ffprobe is. Default: where the environment's FFPROBE_PATH says, else on the PATH. */
  ffprobePath: optional(text)
})

const provider = fields({
  /** The host's key; the drive never tells it. */
  apiKey: must<string>(
    "must be printable ASCII without spaces",
    (value) => isText(value) && /^[\x21-\x7e]{1,4096}$/.test(value)
  ),
  /** The API's address with its version. Default: the provider's own. */
  baseUrl: optional(webUrl)
})

const isModel = Schema.is(ImageGenerator.ImageModel)

const images = fields({
  /** Draws `gptImage2`. */
  openai: optional(provider),
  /** Draws `nanoBanana`, `nanoBananaPro` and `imagen4Fast`, by the Gemini API. */
  google: optional(provider),
  /** Draws `flux2Pro`. */
  blackForestLabs: optional(provider),
  /** Draws `fluxKreaDev`, `seedream4`, and `flux2Pro` without `blackForestLabs`. */
  fal: optional(provider),
  /** The host's own code, in the place of providers. */
  generator: optional(
    must<HostImages.HostImageGenerator>(
      "must have a function generate",
      (value) => isObject(value) && isFunction(value["generate"])
    ).check(
      Schema.makeFilter(({ models }) =>
        models === undefined || (Array.isArray(models) && models.length > 0 && models.every(isModel))
          ? undefined
          : { path: ["models"], issue: `must be a list of models, of ${ImageGenerator.imageModels.join(", ")}` }
      )
    )
  ),
  /** Whether samples are drawn while there is no provider and no generator. Default true. */
  samples: optional(yesNo)
}).check(
  Schema.makeFilter(({ blackForestLabs, fal, generator, google, openai, samples }) => {
    const hasProvider = [blackForestLabs, fal, google, openai].some((one) => one !== undefined)
    if (generator !== undefined && hasProvider) {
      return { path: ["generator"], issue: "must not stand beside providers: it is asked in their place" }
    }
    return samples === true && (hasProvider || generator !== undefined)
      ? {
        path: ["samples"],
        issue: "must not be true beside providers or a generator: samples are drawn in their absence"
      }
      : undefined
  })
)

const tracing: Schema.Codec<TracingOptions> = fields({
  url: webUrl,
  serviceName: optional(text),
  headers: optional(must<Readonly<Record<string, string>>>("must be an object", isObject))
})

const imageCount = either<null>((value) => value === null)(
  whole(0, 2 ** 31 - 1, "a whole number of images, or null,")
)

export const DriveOptions = fields({
  /**
   * Where people reach the drive, up to the path it is mounted at, like
   * `https://app.example.com/drive`. Links to the embedded storage begin with it.
   * Default `http://127.0.0.1:4500`, or where `serve` listens. A host with a server of its own gives it: the drive can't know.
   */
  url: optional(webUrl),
  /** Where the parts of the drive are below its mount; storage above none of the others. Default `/api`, `/auth`, `/storage`, `/a2a`, `/mcp`. */
  paths: optional(paths),
  /** Directory of the embedded database and storage; made with mode 0700. Default `./.filedrive`. */
  dataDirectory: optional(text),
  /**
   * PostgreSQL 15 or later by its URL or by the host's own pool of connections, or a layer with the host's own client. Default: embedded,
   * in the data directory.
   */
  database: optional(
    orLayer<SqlClient.SqlClient>()(withField<PostgresPoolOptions>("pool", hostPool)(postgres))
  ),
  /** S3 or anything that speaks it, or a layer of the host's own. Default `"disk"`: in the data directory. */
  storage: optional(
    either<"disk">((value) => value === "disk")(
      orLayer<ObjectStore.ObjectStore>()(fields({ s3 }, "\"disk\", { s3: … } or a layer"))
    )
  ),
  /**
   * Bytes of the disk that uploads leave free, for the database's own writes: with fewer, uploads are refused by 503
   * `no_space`. Only for `storage: "disk"`. Default 256 MiB, or one percent of the disk where that is more.
   */
  diskReserveBytes: optional(bytes),
  /** The host's own users. Default: users in the drive's own table, kept by `drive.accounts`. */
  accounts: optional(
    orLayer<AccountsPort.Accounts>()<HostAccounts>(
      fields({ find: must<HostAccounts["find"]>("must be a function", isFunction) })
    )
  ),
  /**
   * How files are opened, for their metadata, pictures, text and sound. False: they are stored and not opened.
   * Default: with whatever libraries and programs are installed; `npx filedrive doctor` says what they open.
   */
  media: optional(either<false>((value) => value === false)(media)),
  /**
   * Who draws the images of `/generate-image`: providers by the host's keys, a generator of the host's own, or a layer. Default:
   * samples, which show the whole flow without a key.
   */
  images: optional(orLayer<ImageGenerator.ImageGenerator>()(images)),
  /** What the header `X-Service-App` must say. Default `filedrive`. */
  appId: optional(
    must<string>("must be printable ASCII without spaces", (value) => isText(value) && /^[\x21-\x7e]+$/.test(value))
  ),
  /** Whether calls without that header are refused. Default true. */
  checkAppHeader: optional(yesNo),
  /** Origins whose pages may call the drive from a browser; `"*"` for all. Default none. */
  allowedOrigins: optional(must<ReadonlyArray<string>>(
    "must be a list of origins like https://app.example.com, without a path or a slash at the end",
    (value) =>
      Array.isArray(value) &&
      value.every((origin) => origin === "*" || (URL.canParse(origin) && new URL(origin).origin === origin))
  )),
  /**
   * Proxies between callers and the drive, which say where a call comes from: how many there are, one behind the other, and
   * the header they write. Default none: the connection's own address counts.
   */
  trustedProxies: optional(
    either<number>((value) => isWhole(value, 0, proxiesMax))(proxies)
  ),
  /** How many calls are accepted from one account and one address; false for any number. Default: `RateLimits.defaults` of the core. */
  rateLimits: optional(either<false>((value) => value === false)(rateLimits)),
  /**
   * Whether `/import-from-url` and webhooks may reach addresses that are not public, this machine's own among them, and webhooks http: for
   * tests and closed networks. Every user who may import can then read what those servers return. Default false.
   */
  allowPrivateAddresses: optional(yesNo),
  /** The agent, which takes tasks in words; false for a drive without one. Default: it decides by rules, without a key. */
  agent: optional(either<false>((value) => value === false)(agentOptions)),
  /** Who is signed in is the host's to say. With it apps connect by OAuth 2.1, and people see what they allow. Default: apps need API tokens. */
  signIn: optional(signInOptions),
  /**
   * The pages that people open at the links of the drive, like `/requests/{id}` below `url`. How they look at this host; false for a drive without them.
   * Default: they have no name and no logo.
   */
  pages: optional(either<false>((value) => value === false)(pagesOptions)),
  /** What OAuth offers the host's own services. */
  oauth: optional(oauthOptions),
  /** False for a drive without tools for MCP clients. */
  mcp: optional(must<false>("must be false, or left out", (value) => value === false)),
  /** Quota in bytes of an account made by `drive.accounts.create` without one. Default null: no limit. */
  quotaBytes: optional(
    either<null>((value) => value === null)(bytes)
  ),
  /** Images that a plan generates a calendar month (UTC), where a user has no number of its own; null: no limit. Default 50 and 500. */
  imagesPerMonth: optional(fields({ basic: optional(imageCount), pro: optional(imageCount) })),
  /** Bytes of search indexes that this process keeps in memory; a million files are 60 to 150 MB. Default 256 MiB. */
  searchMemoryBytes: optional(bytes),
  /** Whether the database is brought up to date at start. Default true; else call `drive.migrate()`. */
  migrateAtStart: optional(yesNo),
  /** Whether this process runs the drive's background jobs by itself. Some process must, or call `drive.runJobs()` now and then. Default true. */
  runJobs: optional(yesNo),
  /** How long `close` waits for requests in flight, in milliseconds, at most 2,147,483,647 (24 days). Default 30,000. */
  closeGraceMillis: optional(millis),
  /** The drive's clock, in milliseconds since 1970. Default: the system's, corrected by the database's on PostgreSQL. */
  clock: optional(must<() => number>("must be a function that answers milliseconds since 1970", isFunction)),
  /** `quiet` (default): warnings and errors, for people; `pretty`: everything; `json`: one object a line; `off`; or a function. */
  log: optional(must<LogOption>(
    "must be \"quiet\", \"pretty\", \"json\", \"off\" or a function",
    (value) => isFunction(value) || ["quiet", "pretty", "json", "off"].includes(value as string)
  )),
  /** Where traces go, by OTLP over HTTP. Default nowhere. */
  tracing: optional(tracing)
})

export interface DriveOptions extends Schema.Schema.Type<typeof DriveOptions> {}
export interface PostgresPoolOptions extends Schema.Schema.Type<typeof hostPool> {}
export interface PostgresOptions extends Schema.Schema.Type<typeof postgres> {}
export interface ImageOptions extends Schema.Schema.Type<typeof images> {}
export interface S3StorageOptions extends Schema.Schema.Type<typeof s3> {}
export interface RateLimitOptions extends Schema.Schema.Type<typeof rateLimits> {}
