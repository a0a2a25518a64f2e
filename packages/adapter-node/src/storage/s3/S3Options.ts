/** The options of an S3 store. */
import type { Redacted } from "effect"

/** Like the AWS SDK's; `expiration` is set for temporary ones. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly expiration?: Date
}

export interface S3Options {
  /** Where this process reaches the store, like `http://minio:9000`. AWS's address of the region when left out. */
  readonly endpoint?: string | undefined
  /** Where senders and readers reach it, when that is another address: signed links name this one. */
  readonly publicEndpoint?: string | undefined
  /** Base URL of the public bucket where it has its own, like a CDN's or a custom domain (R2 needs one). */
  readonly publicBucketUrl?: string | undefined
  readonly region: string
  readonly privateBucket: string
  readonly publicBucket: string
  /** `{endpoint}/{bucket}/{key}` rather than `{bucket}.{host}/{key}`; most engines but AWS want it. Default false. */
  readonly forcePathStyle?: boolean | undefined
  /**
   * Fixed credentials, or a function asked again shortly before they expire.
   * Left out, the AWS SDK looks where it always does: environment, profile,
   * container, instance. Links die with the credentials that signed them, so
   * temporary ones must outlive the longest link (2 days).
   */
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>) | undefined
  /** Largest file one form or one copy can carry. Default 5 GiB, the protocol's limit. */
  readonly singleUploadMaxBytes?: number | undefined
}

/** For an engine without POST policies: where the drive takes its forms instead. */
export interface RelayOptions {
  /** The relay route's address, as senders reach it, like `https://drive.example.org/storage`. */
  readonly url: string
  /**
   * Signs the forms; every process of one drive must have the same. Left out,
   * it comes from the storage credentials, which then must be lasting ones.
   */
  readonly secret?: Redacted.Redacted<string> | undefined
}

const GiB = 1024 ** 3

/** {@link S3Options.singleUploadMaxBytes}, when it isn't said. */
export const singleUploadMaxBytes = 5 * GiB

export const endpointOf = (options: S3Options): string =>
  options.endpoint ?? `https://s3.${options.region}.amazonaws.com`

export const bucketNames = (options: S3Options) => ({ private: options.privateBucket, public: options.publicBucket })
