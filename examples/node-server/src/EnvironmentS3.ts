/** The part of the environment that chooses object storage. */
import { type Variables, webAddress, WrongVariable, yesNo } from "./Variables.ts"

export interface S3Settings {
  /** Null: AWS's own address of the region. */
  readonly endpoint: string | null
  /** Where senders and readers reach it, when that is another address. */
  readonly publicEndpoint: string | null
  readonly region: string
  readonly privateBucket: string
  readonly publicBucket: string
  readonly forcePathStyle: boolean
  readonly credentials: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken?: string
  }
  /** False for a store without POST policies (R2, B2): forms then come to this server, which passes them on. Null: the drive finds out. */
  readonly postPolicy: boolean | null
  /** Makes missing buckets and lets everyone read the public one. */
  readonly createBuckets: boolean
}

const names = [
  "S3_ENDPOINT",
  "S3_PUBLIC_ENDPOINT",
  "S3_REGION",
  "S3_PRIVATE_BUCKET",
  "S3_PUBLIC_BUCKET",
  "S3_FORCE_PATH_STYLE",
  "S3_POST_POLICY",
  "S3_CREATE_BUCKETS"
]

/** Null when no `S3_…` variable is set; all that is needed must be there when one is. */
export const s3Of = (variables: Variables): S3Settings | null => {
  const set = names.find((name) => variables[name])
  if (set === undefined) return null
  const needed = (name: string): string => {
    const text = variables[name]
    if (text) return text
    throw new WrongVariable(name, `is not set, but ${set} is: storage on S3 needs both.`)
  }
  const endpoint = webAddress(variables, "S3_ENDPOINT", { path: true })
  const privateBucket = needed("S3_PRIVATE_BUCKET")
  const publicBucket = needed("S3_PUBLIC_BUCKET")
  if (privateBucket === publicBucket) {
    throw new WrongVariable(
      "S3_PUBLIC_BUCKET",
      "must name another bucket than S3_PRIVATE_BUCKET: everyone can read it."
    )
  }
  const sessionToken = variables["AWS_SESSION_TOKEN"]
  return {
    endpoint,
    publicEndpoint: webAddress(variables, "S3_PUBLIC_ENDPOINT", { path: true }),
    region: variables["S3_REGION"] || variables["AWS_REGION"] || "us-east-1",
    privateBucket,
    publicBucket,
    // Engines other than AWS seldom have a host name for each bucket.
    forcePathStyle: yesNo(variables, "S3_FORCE_PATH_STYLE", endpoint !== null),
    credentials: {
      accessKeyId: needed("AWS_ACCESS_KEY_ID"),
      secretAccessKey: needed("AWS_SECRET_ACCESS_KEY"),
      ...(sessionToken ? { sessionToken } : {})
    },
    postPolicy: variables["S3_POST_POLICY"] ? yesNo(variables, "S3_POST_POLICY", true) : null,
    createBuckets: yesNo(variables, "S3_CREATE_BUCKETS", false)
  }
}
