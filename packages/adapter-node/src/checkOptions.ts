/** Wrong options are told at once, by a sentence that names the option. */
import { Layer } from "effect"
import type { DriveOptions } from "./DriveOptions.ts"

/** An option of `createDrive` that can't be used. */
export class WrongOption extends TypeError {
  readonly option: string
  readonly because: string
  constructor(option: string, because: string, of = "createDrive") {
    super(`${of}: ${option === "" ? "its argument" : option} ${because}.`)
    this.option = option
    this.because = because
  }
}

type Check = (value: unknown, name: string) => void

const must = (test: (value: unknown) => boolean, because: string): Check => (value, name) => {
  if (!test(value)) throw new WrongOption(name, because)
}

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isFunction = (value: unknown) => typeof value === "function"

const text = must(isText, "must be text")
const yesNo = must((value) => typeof value === "boolean", "must be true or false")
const bytes = must(
  (value) => value === null || (Number.isSafeInteger(value) && (value as number) >= 0),
  "must be a whole number of bytes or null"
)
const count = must((value) => Number.isSafeInteger(value) && (value as number) > 0, "must be a whole number above 0")

const isUrl = (value: unknown, ...protocols: ReadonlyArray<string>): boolean =>
  isText(value) && URL.canParse(value) && protocols.includes(new URL(value).protocol)

const webUrl = must(
  (value) => isUrl(value, "http:", "https:") && !/[?#]/.test(value as string),
  "must be an address like https://app.example.com/drive, without query or fragment"
)
const path = must(
  (value) => isText(value) && /^(?:\/[\w.~-]+)+$/.test(value),
  "must be a path like /api: beginning with a slash, not ending with one"
)

/** Checks the fields that are there, and that there are no others. */
const fields = (known: Readonly<Record<string, Check>>, needed: ReadonlyArray<string> = []): Check => (value, name) => {
  if (!isObject(value)) throw new WrongOption(name, "must be an object")
  const prefix = name === "" ? "" : `${name}.`
  for (const field of needed) {
    if (value[field] === undefined) throw new WrongOption(prefix + field, "is missing")
  }
  for (const [field, given] of Object.entries(value)) {
    const check = known[field]
    if (check === undefined) {
      throw new WrongOption(prefix + field, `is not known; there are ${Object.keys(known).join(", ")}`)
    }
    if (given !== undefined) check(given, prefix + field)
  }
}

/** A layer, which is taken as it is, or what `check` says. */
const layerOr = (check: Check): Check => (value, name) => Layer.isLayer(value) ? undefined : check(value, name)

const postgres = fields({
  url: must(
    (value) => isUrl(value, "postgres:", "postgresql:"),
    "must be an address like postgres://user:password@host:5432/database"
  ),
  schema: must(
    (value) => isText(value) && /^[a-z_][a-z0-9_]{0,62}$/.test(value),
    "must be a name of lower-case letters, digits and _"
  ),
  maxConnections: count
}, ["url"])

const s3 = fields({
  endpoint: webUrl,
  publicEndpoint: webUrl,
  publicBucketUrl: webUrl,
  region: text,
  privateBucket: text,
  publicBucket: text,
  forcePathStyle: yesNo,
  credentials: must(
    (value) =>
      isFunction(value) || (isObject(value) && isText(value["accessKeyId"]) && isText(value["secretAccessKey"])),
    "must have accessKeyId and secretAccessKey, or be a function that answers them"
  ),
  singleUploadMaxBytes: count,
  postPolicy: yesNo,
  createBuckets: yesNo
}, ["region", "privateBucket", "publicBucket"])

const rateLimit = fields({ calls: count, perSeconds: count }, ["calls", "perSeconds"])

const proxyCount = must(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  "must be how many proxies there are"
)

const proxies = fields({
  count: proxyCount,
  header: must(
    (value) => value === "x-forwarded-for" || value === "forwarded",
    "must be \"x-forwarded-for\" or \"forwarded\""
  )
}, ["count", "header"])

const storage: Check = (value, name) =>
  value === "disk"
    ? undefined
    : isObject(value)
    ? fields({ s3 }, ["s3"])(value, name)
    : must(() => false, "must be \"disk\", { s3: … } or a layer")(value, name)

const media = fields({ processes: count, processMemoryMaxBytes: count, ffmpegPath: text, ffprobePath: text })

const known: { readonly [Option in keyof Required<DriveOptions>]: Check } = {
  url: webUrl,
  paths: fields({ api: path, auth: path, storage: path }),
  dataDirectory: text,
  database: layerOr(postgres),
  storage: layerOr(storage),
  diskReserveBytes: must(
    (value) => Number.isSafeInteger(value) && (value as number) >= 0,
    "must be a whole number of bytes"
  ),
  accounts: layerOr(fields({ find: must(isFunction, "must be a function") }, ["find"])),
  media: (value, name) => value === false ? undefined : media(value, name),
  appId: must((value) => isText(value) && /^[\x21-\x7e]+$/.test(value), "must be printable ASCII without spaces"),
  checkAppHeader: yesNo,
  allowedOrigins: must(
    (value) =>
      Array.isArray(value) &&
      value.every((origin) => origin === "*" || (URL.canParse(origin) && new URL(origin).origin === origin)),
    "must be a list of origins like https://app.example.com, without a path or a slash at the end"
  ),
  trustedProxies: (value, name) => isObject(value) ? proxies(value, name) : proxyCount(value, name),
  rateLimits: (value, name) =>
    value === false ? undefined : fields({
      account: rateLimit,
      address: rateLimit,
      anonymous: rateLimit,
      failedExchange: rateLimit,
      store: must(Layer.isLayer, "must be a layer")
    })(value, name),
  allowPrivateAddresses: yesNo,
  quotaBytes: bytes,
  searchMemoryBytes: must(
    (value) => Number.isSafeInteger(value) && (value as number) >= 0,
    "must be a whole number of bytes"
  ),
  migrateAtStart: yesNo,
  runJobs: yesNo,
  closeGraceMillis: must(
    (value) => Number.isSafeInteger(value) && (value as number) >= 0,
    "must be whole milliseconds"
  ),
  clock: must(isFunction, "must be a function that answers milliseconds since 1970"),
  log: must(
    (value) => isFunction(value) || ["quiet", "pretty", "json", "off"].includes(value as string),
    "must be \"quiet\", \"pretty\", \"json\", \"off\" or a function"
  ),
  tracing: fields({ url: webUrl, serviceName: text, headers: must(isObject, "must be an object") }, ["url"])
}

/** Throws {@link WrongOption} for the first option that can't be used. */
export const checkOptions = (options: DriveOptions): void => {
  fields(known)(options, "")
  const { api = "/api", auth = "/auth", storage = "/storage" } = options.paths ?? {}
  if (new Set([api, auth, storage]).size < 3) throw new WrongOption("paths", "must be three different ones")
}

const millis = must((value) => typeof value === "number" && value >= 0, "must be a number of milliseconds")

const serving = fields({
  port: must(
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535,
    "must be a whole number from 0 to 65535"
  ),
  host: text,
  headersMillis: millis,
  restMillis: millis,
  graceMillis: millis,
  stallMillis: millis,
  maxConnections: count,
  maxConnectionsPerAddress: count,
  otherwise: must(isFunction, "must be a function"),
  prepare: must(isFunction, "must be a function")
})

/** The same of `serve`'s options. */
export const checkServeOptions = (options: unknown): void => {
  try {
    serving(options, "")
  } catch (error) {
    throw error instanceof WrongOption ? new WrongOption(error.option, error.because, "serve") : error
  }
}
