/** Forms and links. All are signed here, without a request to the store. */
import type { DriveError, ObjectStore } from "@filedrive/core"
import { type Context, Duration, Effect } from "effect"
import { machineTime } from "../../clock/DriveClock.ts"
import {
  encodePath,
  objectUrl,
  presign,
  presignForm,
  presignParts,
  type SigningStore,
  type StoreAddress
} from "../Signature.ts"
import type { S3Client } from "./S3Client.ts"
import { storageUnavailable } from "./S3Failure.ts"
import { endpointOf } from "./S3Options.ts"

type Store = Context.Service.Shape<typeof ObjectStore.ObjectStore>

const addressOf = ({ options }: S3Client, endpoint: string): StoreAddress => ({
  endpoint,
  region: options.region,
  forcePathStyle: options.forcePathStyle ?? false
})

/** The headers as a form's fields, and as HTTP writes them. */
export const headerFields = (headers: ObjectStore.ObjectHeaders) => ({
  "Content-Type": headers.contentType,
  "Content-Disposition": headers.contentDisposition,
  "Cache-Control": headers.cacheControl
})

/** Ceph drops two of the three headers of a form upload, so a link sets all of them again. */
const headerOverrides = (headers: ObjectStore.ObjectHeaders) => ({
  "response-content-type": headers.contentType,
  "response-content-disposition": headers.contentDisposition,
  "response-cache-control": headers.cacheControl
})

/** What this process signs for itself is used at once. */
const putLifetimeSeconds = 900

/** Where this process itself PUTs an object, or the part of one that `query` names. */
export const signPut = (
  client: S3Client,
  at: ObjectStore.ObjectAddress,
  query: Readonly<Record<string, string>> = {}
): Effect.Effect<string, DriveError.Unavailable> =>
  Effect.gen(function*() {
    const credentials = yield* Effect.mapError(client.credentials, storageUnavailable)
    return presign({ ...addressOf(client, endpointOf(client.options)), credentials }, {
      method: "PUT",
      bucket: client.bucketNames[at.bucket],
      key: at.key,
      query,
      now: yield* machineTime,
      lifetimeSeconds: putLifetimeSeconds
    })
  })

/** A form that this process itself sends. */
export const signOwnForm = (
  client: S3Client,
  { at, fields, sizeBytes }: {
    readonly at: ObjectStore.ObjectAddress
    readonly fields: Readonly<Record<string, string>>
    readonly sizeBytes: number
  }
): Effect.Effect<ObjectStore.SignedForm, DriveError.Unavailable> =>
  Effect.gen(function*() {
    const credentials = yield* Effect.mapError(client.credentials, storageUnavailable)
    return presignForm({ ...addressOf(client, endpointOf(client.options)), credentials }, {
      bucket: client.bucketNames[at.bucket],
      key: at.key,
      sizeBytes,
      fields,
      now: yield* machineTime,
      lifetimeSeconds: putLifetimeSeconds
    })
  })

const expiry = (lifetime: Duration.Duration) =>
  Effect.map(machineTime, (now) => ({ now, lifetimeSeconds: Math.floor(Duration.toSeconds(lifetime)) }))

export const makeSigning = (client: S3Client): Pick<Store, "signForm" | "signParts" | "signGet" | "publicUrl"> => {
  const { bucketNames, options } = client
  const unsigned = addressOf(client, options.publicEndpoint ?? endpointOf(options))
  const signer: Effect.Effect<SigningStore, DriveError.Unavailable> = client.credentials.pipe(
    Effect.map((credentials) => ({ ...unsigned, credentials })),
    Effect.mapError(storageUnavailable)
  )
  const publicBase = options.publicBucketUrl?.replace(/\/+$/, "")

  return {
    signForm: ({ at, headers, lifetime, sizeBytes }) =>
      Effect.gen(function*() {
        const fields = headerFields(headers)
        const form = { ...yield* expiry(lifetime), bucket: bucketNames[at.bucket], key: at.key, sizeBytes, fields }
        return presignForm(yield* signer, form)
      }),
    signParts: ({ at, lifetime, parts, uploadId }) =>
      Effect.gen(function*() {
        const upload = { ...yield* expiry(lifetime), bucket: bucketNames[at.bucket], key: at.key, uploadId, parts }
        return presignParts(yield* signer, upload)
      }),
    signGet: ({ at, headers, lifetime }) =>
      Effect.gen(function*() {
        const query = headerOverrides(headers)
        const link = { ...yield* expiry(lifetime), bucket: bucketNames[at.bucket], key: at.key, query }
        return presign(yield* signer, { ...link, method: "GET" })
      }),
    publicUrl: (key) =>
      publicBase === undefined
        ? objectUrl(unsigned, bucketNames.public, key)
        : `${publicBase}/${encodePath(key)}`
  }
}
