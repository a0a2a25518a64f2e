/**
 * Parses the environment: pure, so that every rule is a line in a table.
 * A variable that is empty counts as not set.
 */
import { type Account, accountsOf } from "./EnvironmentAccounts.ts"
import { agentOf, type AgentSettings } from "./EnvironmentAgent.ts"
import { type ImageSettings, imagesOf } from "./EnvironmentImages.ts"
import { s3Of, type S3Settings } from "./EnvironmentS3.ts"
import { checkNames } from "./knownNames.ts"
import {
  headerValue,
  oneOf,
  originsOf,
  postgresAddress,
  secretsOf,
  type Variables,
  webAddress,
  wholeNumber,
  WrongVariable,
  yesNo
} from "./Variables.ts"

export interface Settings {
  /** 0: any free port. */
  readonly port: number
  readonly host: string
  readonly dataDirectory: string
  /** Where people reach the server, without a path; null: where it listens. */
  readonly origin: string | null
  /** Null: the embedded database in the data directory. */
  readonly databaseUrl: string | null
  /** Of the drive's tables in that database; null: the drive's own. */
  readonly schema: string | null
  /** Null: the disk, in the data directory. */
  readonly s3: S3Settings | null
  /** Bytes of the disk that uploads leave free; null: the drive's own number. */
  readonly diskReserveBytes: number | null
  readonly appId: string
  /** Origins whose pages may call. */
  readonly allowedOrigins: ReadonlyArray<string>
  /** By which services ask what a token is. */
  readonly introspectionSecrets: ReadonlyArray<string>
  /** Proxies in front of the server that write `X-Forwarded-For`. */
  readonly trustedProxies: number
  /** Connections at a time, altogether and from one address. */
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  /** Calls an account may make a minute; 0: no rate limit at all; null: the drive's own. */
  readonly callsPerMinute: number | null
  /** Whether imports may come from addresses that are not public, and webhooks go there. */
  readonly allowPrivateAddresses: boolean
  /** Who draws images. */
  readonly images: ImageSettings
  readonly agent: AgentSettings
  /** Accounts that exist at start; null: one `demo`, whose token is made and kept. */
  readonly accounts: ReadonlyArray<Account> | null
  /** `quiet`: warnings and errors only, for people. */
  readonly log: "quiet" | "json" | "pretty" | "off"
  /** Where traces are sent, by OTLP over HTTP; null: nowhere. */
  readonly tracesUrl: string | null
  /** Whether `/metrics` answers. */
  readonly metrics: boolean
}

const connectionsOf = (variables: Variables) => {
  const many = { min: 1, max: 1_000_000 }
  const trustedProxies = wholeNumber(variables, "FILEDRIVE_TRUSTED_PROXIES", { min: 0, max: 10, byDefault: 0 })
  const maxConnections = wholeNumber(variables, "FILEDRIVE_MAX_CONNECTIONS", { ...many, byDefault: 10_000 })
  const maxConnectionsPerAddress = wholeNumber(variables, "FILEDRIVE_MAX_CONNECTIONS_PER_ADDRESS", {
    ...many,
    // All connections through a proxy come from its address.
    byDefault: trustedProxies > 0 ? maxConnections : 1_000
  })
  return { trustedProxies, maxConnections, maxConnectionsPerAddress }
}

const databaseOf = (variables: Variables) => {
  const databaseUrl = postgresAddress(variables, "DATABASE_URL")
  const schema = variables["FILEDRIVE_SCHEMA"] || null
  if (schema !== null && databaseUrl === null) {
    throw new WrongVariable(
      "FILEDRIVE_SCHEMA",
      "is set, but DATABASE_URL is not: the embedded database has a schema of its own."
    )
  }
  return { databaseUrl, schema }
}

const settingsBy = (variables: Variables): Settings => ({
  port: wholeNumber(variables, "PORT", { min: 0, max: 65_535, byDefault: 4_500 }),
  host: variables["HOST"] || "127.0.0.1",
  dataDirectory: variables["FILEDRIVE_DATA"] || "./.filedrive",
  origin: webAddress(variables, "FILEDRIVE_ORIGIN", { path: false }),
  ...databaseOf(variables),
  s3: s3Of(variables),
  diskReserveBytes: variables["FILEDRIVE_DISK_RESERVE"]
    ? wholeNumber(variables, "FILEDRIVE_DISK_RESERVE", { min: 0, max: Number.MAX_SAFE_INTEGER, byDefault: 0 })
    : null,
  appId: headerValue(variables, "FILEDRIVE_APP_ID", "filedrive"),
  allowedOrigins: originsOf(variables, "FILEDRIVE_ALLOWED_ORIGINS"),
  introspectionSecrets: secretsOf(variables, "FILEDRIVE_INTROSPECTION_SECRETS"),
  ...connectionsOf(variables),
  callsPerMinute: variables["FILEDRIVE_CALLS_PER_MINUTE"]
    ? wholeNumber(variables, "FILEDRIVE_CALLS_PER_MINUTE", { min: 0, max: 1_000_000_000, byDefault: 0 })
    : null,
  allowPrivateAddresses: yesNo(variables, "FILEDRIVE_ALLOW_PRIVATE_ADDRESSES", false),
  images: imagesOf(variables),
  agent: agentOf(variables),
  accounts: accountsOf(variables),
  log: oneOf(variables, "FILEDRIVE_LOG", ["json", "pretty", "off", "quiet"], "quiet"),
  tracesUrl: webAddress(variables, "OTEL_EXPORTER_OTLP_ENDPOINT", { path: true }),
  metrics: yesNo(variables, "FILEDRIVE_METRICS", false)
})

/** Fails with `WrongVariable`, whose message is a sentence naming the variable. */
export const settingsOf = (variables: Variables): Settings => {
  checkNames(variables)
  return settingsBy(variables)
}
