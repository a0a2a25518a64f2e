/** From settings to the options of `createDrive`. */
import type { DriveOptions, S3StorageOptions } from "@filedrive/adapter-node"
import type { Settings } from "./Environment.ts"
import type { AgentSettings } from "./EnvironmentAgent.ts"
import type { S3Settings } from "./EnvironmentS3.ts"

const s3Options = ({ endpoint, postPolicy, publicEndpoint, ...settings }: S3Settings): S3StorageOptions => ({
  ...settings,
  ...(postPolicy === null ? {} : { postPolicy }),
  ...(endpoint === null ? {} : { endpoint }),
  ...(publicEndpoint === null ? {} : { publicEndpoint })
})

const rateLimits = (callsPerMinute: number): NonNullable<DriveOptions["rateLimits"]> =>
  callsPerMinute === 0 ? false : { account: { calls: callsPerMinute, perSeconds: 60 } }

const databaseOptions = (url: string, schema: string | null) => ({ url, ...(schema === null ? {} : { schema }) })

const agentOptions = ({ model, secretKeys }: AgentSettings): Exclude<DriveOptions["agent"], undefined> => ({
  ...(model === null ? {} : { model }),
  ...(secretKeys.length === 0 ? {} : { secretKeys })
})

export const driveOptions = (
  settings: Settings,
  signIn: NonNullable<DriveOptions["signIn"]>
): DriveOptions => ({
  signIn,
  pages: { links: [{ label: { en: "Upload", de: "Hochladen" }, url: "/upload" }] },
  oauth: { introspectionSecrets: settings.introspectionSecrets },
  allowedOrigins: settings.allowedOrigins,
  dataDirectory: settings.dataDirectory,
  appId: settings.appId,
  log: settings.log,
  trustedProxies: settings.trustedProxies,
  allowPrivateAddresses: settings.allowPrivateAddresses,
  images: settings.images,
  agent: agentOptions(settings.agent),
  ...(settings.callsPerMinute === null ? {} : { rateLimits: rateLimits(settings.callsPerMinute) }),
  ...(settings.origin === null ? {} : { url: settings.origin }),
  ...(settings.databaseUrl === null ? {} : { database: databaseOptions(settings.databaseUrl, settings.schema) }),
  ...(settings.diskReserveBytes === null ? {} : { diskReserveBytes: settings.diskReserveBytes }),
  ...(settings.s3 === null ? {} : { storage: { s3: s3Options(settings.s3) } }),
  ...(settings.tracesUrl === null ? {} : { tracing: { url: settings.tracesUrl } })
})
