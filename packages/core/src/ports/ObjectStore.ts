/**
 * Where bytes are stored. The core never receives uploaded bytes: it gives out
 * signed forms and URLs, and asks the store what has arrived.
 *
 * Two buckets: `private`, read by signed links only, and `public`, read by
 * anyone who has the link. Keys are made by the drive (never by a caller) of
 * `[A-Za-z0-9/_-]`, so a layer needs no escaping of its own.
 *
 * Every layer passes `objectStoreSuite` of `@filedrive/testing`.
 */
import { Context, type DateTime, type Duration, type Effect, type Option, type Stream } from "effect"
import type { Unavailable } from "../shared/DriveError.ts"

export type Bucket = "private" | "public"

/** One object's address. */
export interface ObjectAddress {
  readonly bucket: Bucket
  readonly key: string
}

/** Headers an object is stored and served with. */
export interface ObjectHeaders {
  readonly contentType: string
  readonly contentDisposition: string
  readonly cacheControl: string
}

export interface StoredObject {
  /** Bytes, as the store counted them. */
  readonly sizeBytes: number
  /** The store's mark of this content, without quotes. Changes when the bytes do. */
  readonly etag: string
  readonly storedTime: DateTime.Utc
}

export interface StoredPart {
  readonly partNumber: number
  readonly sizeBytes: number
  readonly etag: string
  readonly storedTime: DateTime.Utc
}

export interface ListedObject {
  readonly key: string
  readonly sizeBytes: number
  readonly storedTime: DateTime.Utc
}

export interface ByteRange {
  /** First byte, from 0. */
  readonly start: number
  /** Last byte, inclusive. */
  readonly end: number
}

/** An upload form: POST it as multipart/form-data with every field first and unchanged, the file last. */
export interface SignedForm {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

export class ObjectStore extends Context.Service<ObjectStore, {
  /** Largest file one form (and one {@link copy}) can carry, in bytes. */
  readonly singleUploadMaxBytes: number

  /**
   * Fails with `no_space` when storage should not take `bytes` more, because only its reserve would be left. Called before an
   * upload is accepted; a store without a limit always has room. Every call that stores may fail with
   * `no_space` too.
   */
  readonly room: (bytes: number) => Effect.Effect<void, Unavailable>

  /**
   * A form that accepts exactly `sizeBytes` bytes with exactly `headers`,
   * until `lifetime` from now.
   */
  readonly signForm: (form: {
    readonly at: ObjectAddress
    readonly headers: ObjectHeaders
    readonly sizeBytes: number
    readonly lifetime: Duration.Duration
  }) => Effect.Effect<SignedForm, Unavailable>

  /** Whether {@link revokeForms} works. Where not, objects that revoked forms still store have to be found and removed. */
  readonly revokesForms: boolean

  /**
   * Makes the forms of these addresses store nothing from now on, also those whose file is being received; what they stored
   * before stays. Repeating is safe. `until` is when the last of them expires by itself.
   */
  readonly revokeForms: (objects: ReadonlyArray<ObjectAddress>, until: DateTime.Utc) => Effect.Effect<void, Unavailable>

  /** PUT URLs for parts, in the order asked; each accepts exactly its part's length. */
  readonly signParts: (upload: {
    readonly at: ObjectAddress
    readonly uploadId: string
    readonly parts: ReadonlyArray<{ readonly partNumber: number; readonly sizeBytes: number }>
    readonly lifetime: Duration.Duration
  }) => Effect.Effect<ReadonlyArray<string>, Unavailable>

  /** A GET URL that stops working after `lifetime` and answers with `headers`. */
  readonly signGet: (link: {
    readonly at: ObjectAddress
    readonly headers: ObjectHeaders
    readonly lifetime: Duration.Duration
  }) => Effect.Effect<string, Unavailable>

  /** The lasting URL of an object in the public bucket. */
  readonly publicUrl: (key: string) => string

  /** Opens a multipart upload and returns the store's id of it. */
  readonly createUpload: (
    at: ObjectAddress,
    headers: ObjectHeaders
  ) => Effect.Effect<string, Unavailable>

  /** Every stored part in order of number, or none when the upload is not open. */
  readonly listParts: (
    at: ObjectAddress,
    uploadId: string
  ) => Effect.Effect<Option.Option<ReadonlyArray<StoredPart>>, Unavailable>

  /**
   * Makes the object of exactly these parts. False when the upload is not open
   * (any longer): then {@link head} tells whether an earlier call made the object.
   */
  readonly completeUpload: (
    at: ObjectAddress,
    uploadId: string,
    parts: ReadonlyArray<{ readonly partNumber: number; readonly etag: string }>
  ) => Effect.Effect<boolean, Unavailable>

  /** Discards an upload and its parts; succeeds also when the upload is already gone. */
  readonly abortUpload: (at: ObjectAddress, uploadId: string) => Effect.Effect<void, Unavailable>

  /** What is stored at an address, or none; none too when storage has lost a piece of it. */
  readonly head: (at: ObjectAddress) => Effect.Effect<Option.Option<StoredObject>, Unavailable>

  /** The bytes of an object or of a range of it. Fails with `fetching_file_failed`, which says so where they are lost. */
  readonly get: (at: ObjectAddress, range?: ByteRange) => Stream.Stream<Uint8Array, Unavailable>

  /** Stores `body` of exactly `sizeBytes` bytes. A shorter or longer body stores nothing and fails. */
  readonly put: <E>(object: {
    readonly at: ObjectAddress
    readonly headers: ObjectHeaders
    readonly sizeBytes: number
    readonly body: Stream.Stream<Uint8Array, E>
  }) => Effect.Effect<StoredObject, Unavailable | E>

  /**
   * Copies an object of up to {@link singleUploadMaxBytes} within the store,
   * replacing what `to` holds. None when `from` holds nothing, or not all of it.
   */
  readonly copy: (
    from: ObjectAddress,
    to: ObjectAddress,
    headers: ObjectHeaders
  ) => Effect.Effect<Option.Option<StoredObject>, Unavailable>

  /**
   * Stores `body` of exactly `sizeBytes` bytes as one part of an open upload, in the place of an earlier one, and returns
   * the part's etag. A shorter or longer body stores nothing and fails, as does an upload that is not open.
   */
  readonly putPart: <E>(part: {
    readonly at: ObjectAddress
    readonly uploadId: string
    readonly partNumber: number
    readonly sizeBytes: number
    readonly body: Stream.Stream<Uint8Array, E>
  }) => Effect.Effect<string, Unavailable | E>

  /** Copies a range of a larger object as one part of an open upload, and returns the part's etag. */
  readonly copyPart: (part: {
    readonly from: ObjectAddress
    readonly range: ByteRange
    readonly to: ObjectAddress
    readonly uploadId: string
    readonly partNumber: number
  }) => Effect.Effect<string, Unavailable>

  /**
   * Checks whether an object's bytes are still those that were stored, one range at a time: the one at byte `from`, which
   * is 0 or the `next` that the last call returned. Fails with `isLost` when they are not, or the object does not exist. A store that
   * protects its bytes by itself only checks that the object exists.
   */
  readonly verify: (
    at: ObjectAddress,
    from: number
  ) => Effect.Effect<{ readonly readBytes: number; readonly next: number | null }, Unavailable>

  /** Removes objects; one that does not exist counts as removed. Returns those that still exist. */
  readonly remove: (objects: ReadonlyArray<ObjectAddress>) => Effect.Effect<ReadonlyArray<ObjectAddress>>

  /** Every object of a bucket below `prefix`, in whatever order costs the store no memory. */
  readonly list: (bucket: Bucket, prefix: string) => Stream.Stream<ListedObject, Unavailable>

  /** Every upload of a bucket that is still open. */
  readonly listUploads: (
    bucket: Bucket
  ) => Stream.Stream<
    { readonly key: string; readonly uploadId: string; readonly startTime: DateTime.Utc },
    Unavailable
  >

  /** Fails when the store cannot be used, with `no_space` when it accepts no uploads; for `/readyz`. */
  readonly check: Effect.Effect<void, Unavailable>
}>()("@filedrive/core/ports/ObjectStore") {}
