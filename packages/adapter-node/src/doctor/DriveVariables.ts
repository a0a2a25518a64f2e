/** The locations of a drive's database and storage, from the environment variables that the example server takes. */
import type { DriveOptions, S3StorageOptions } from "../DriveOptions.ts"

export type Variables = Readonly<Record<string, string | undefined>>

/** A variable that can't be used. The message is a sentence that names it and repeats no value. */
export class WrongVariable extends Error {}

/** Where the drive is; a schema where one was named. */
export interface Whereabouts {
  readonly dataDirectory: string
  /** Null: embedded, in the data directory. */
  readonly database: { readonly url: string; readonly schema?: string } | null
  /** Null: the disk, in the data directory. */
  readonly s3: S3StorageOptions | null
}

const s3Names = [
  "S3_ENDPOINT",
  "S3_PUBLIC_ENDPOINT",
  "S3_REGION",
  "S3_PRIVATE_BUCKET",
  "S3_PUBLIC_BUCKET",
  "S3_FORCE_PATH_STYLE"
]

const yes: ReadonlySet<string> = new Set(["1", "true"])
const no: ReadonlySet<string> = new Set(["0", "false"])

const s3Of = (variables: Variables): S3StorageOptions | null => {
  const set = s3Names.find((name) => variables[name])
  if (set === undefined) return null
  const needed = (name: string): string => {
    const text = variables[name]
    if (text) return text
    throw new WrongVariable(`${name} is not set, but ${set} is: storage on S3 needs both.`)
  }
  const address = (name: string): string | undefined => {
    const text = variables[name]
    if (!text) return undefined
    if (/^https?:\/\//.test(text) && URL.canParse(text)) return text
    throw new WrongVariable(`${name} must be an address like https://s3.example.com.`)
  }
  const endpoint = address("S3_ENDPOINT")
  const style = variables["S3_FORCE_PATH_STYLE"]
  if (style && !yes.has(style) && !no.has(style)) {
    throw new WrongVariable("S3_FORCE_PATH_STYLE must be 1 or 0 (or true or false).")
  }
  const sessionToken = variables["AWS_SESSION_TOKEN"]
  return {
    endpoint,
    publicEndpoint: address("S3_PUBLIC_ENDPOINT"),
    region: variables["S3_REGION"] || variables["AWS_REGION"] || "us-east-1",
    privateBucket: needed("S3_PRIVATE_BUCKET"),
    publicBucket: needed("S3_PUBLIC_BUCKET"),
    forcePathStyle: style ? yes.has(style) : endpoint !== undefined,
    // No command sends a form, so it is not tried whether the engine takes them.
    postPolicy: true,
    // Without keys here the SDK uses its default credential chain.
    ...(variables["AWS_ACCESS_KEY_ID"]
      ? {
        credentials: {
          accessKeyId: variables["AWS_ACCESS_KEY_ID"],
          secretAccessKey: needed("AWS_SECRET_ACCESS_KEY"),
          ...(sessionToken ? { sessionToken } : {})
        }
      }
      : {})
  }
}

/** A variable that is empty counts as not set. Throws {@link WrongVariable}. */
export const whereabouts = (variables: Variables): Whereabouts => {
  const url = variables["DATABASE_URL"]
  const schema = variables["FILEDRIVE_SCHEMA"]
  if (url && !(/^postgres(ql)?:\/\//.test(url) && URL.canParse(url))) {
    throw new WrongVariable("DATABASE_URL must be an address like postgres://user:password@host:5432/database.")
  }
  return {
    dataDirectory: variables["FILEDRIVE_DATA"] || "./.filedrive",
    database: url ? { url, ...(schema ? { schema } : {}) } : null,
    s3: s3Of(variables)
  }
}

export const optionsOf = ({ database, dataDirectory, s3 }: Whereabouts): DriveOptions => ({
  dataDirectory,
  ...(database === null ? {} : { database }),
  ...(s3 === null ? {} : { storage: { s3 } })
})
