/** Objects: asking after them, reading, writing, copying, listing. */
import type { DriveError, ObjectStore } from "@filedrive/core"
import { type Context, DateTime, Effect, Option, Stream } from "effect"
import type { Readable } from "node:stream"
import type { S3Client } from "./S3Client.ts"
import { fetchingFailed, isMissing, lost, type S3Failure, storageUnavailable } from "./S3Failure.ts"
import { headerFields, signPut } from "./S3Signing.ts"
import { bucketAndKey, copySource, sent, unquote } from "./S3Uploads.ts"
import { signedPut } from "./SignedPut.ts"

type Store = Context.Service.Shape<typeof ObjectStore.ObjectStore>

export const makeObjects = (
  client: S3Client
): Pick<Store, "head" | "get" | "put" | "putPart" | "copy" | "verify" | "list"> => {
  const stored = (at: ObjectStore.ObjectAddress): Effect.Effect<ObjectStore.StoredObject, S3Failure> =>
    client.call("HeadObject", (s3, options) => s3.headObject(bucketAndKey(client, at), options)).pipe(
      Effect.flatMap((answer) =>
        Effect.all({
          sizeBytes: sent("HeadObject", answer.ContentLength),
          etag: Effect.map(sent("HeadObject", answer.ETag), unquote),
          storedTime: Effect.map(sent("HeadObject", answer.LastModified), DateTime.fromDateUnsafe)
        })
      )
    )

  /**
   * A PUT takes as long as its body does, and is watched by its progress: a store that accepts its bytes is not silent,
   * however slow it answers everything else.
   */
  const sending = <A, E>(operation: string, put: Effect.Effect<A, E>): Effect.Effect<A, E | DriveError.Unavailable> =>
    Effect.andThen(
      Effect.mapError(client.unlessSilent(operation), storageUnavailable),
      Effect.tap(put, () => Effect.sync(client.heard))
    )

  return {
    head: (at) =>
      stored(at).pipe(
        Effect.asSome,
        Effect.catchIf(isMissing, () => Effect.succeedNone),
        Effect.mapError(storageUnavailable)
      ),

    get: (at, range) =>
      Effect.acquireRelease(
        client.call("GetObject", (s3, options) =>
          s3.getObject({
            ...bucketAndKey(client, at),
            ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` })
          }, options)).pipe(Effect.flatMap((answer) => sent("GetObject", answer.Body as Readable | undefined))),
        // A body that is not read to its end would keep its connection.
        (body) => Effect.sync(() => body.destroy()),
        { interruptible: true }
      ).pipe(
        Effect.mapError((failure) => isMissing(failure) ? lost(failure) : fetchingFailed(failure)),
        Effect.map((body) =>
          Stream.fromAsyncIterable<Uint8Array, ReturnType<typeof fetchingFailed>>(body, fetchingFailed)
        ),
        Stream.unwrap
      ),

    put: ({ at, body, headers, sizeBytes }) =>
      Effect.gen(function*() {
        const url = yield* signPut(client, at)
        yield* sending("PutObject", signedPut({ url, headers: headerFields(headers), sizeBytes, body }))
        return yield* Effect.mapError(stored(at), storageUnavailable)
      }),

    putPart: ({ at, body, partNumber, sizeBytes, uploadId }) =>
      Effect.gen(function*() {
        const url = yield* signPut(client, at, { partNumber: String(partNumber), uploadId })
        const etag = yield* sending("UploadPart", signedPut({ url, headers: {}, sizeBytes, body }))
        return unquote(yield* Effect.mapError(sent("UploadPart", etag), storageUnavailable))
      }),

    copy: (from, to, headers) =>
      Effect.gen(function*() {
        const copied = yield* client.call("CopyObject", (s3, options) =>
          s3.copyObject({
            ...bucketAndKey(client, to),
            CopySource: copySource(client, from),
            // Without REPLACE the copy keeps the source's headers, of which Ceph has lost two after a form upload.
            MetadataDirective: "REPLACE",
            ContentType: headers.contentType,
            ContentDisposition: headers.contentDisposition,
            CacheControl: headers.cacheControl
          }, options)).pipe(
            // As with completing, an error can follow a 200.
            Effect.flatMap((answer) => sent("CopyObject", answer.CopyObjectResult?.ETag)),
            Effect.as(true),
            Effect.catchIf(isMissing, () => Effect.succeed(false))
          )
        return copied ? Option.some(yield* stored(to)) : Option.none()
      }).pipe(Effect.mapError(storageUnavailable)),

    // The engine keeps checksums of its own and repairs what they find; reading all of it again would cost money.
    verify: (at) =>
      stored(at).pipe(
        Effect.as({ readBytes: 0, next: null }),
        Effect.mapError((failure) => isMissing(failure) ? lost(failure) : storageUnavailable(failure))
      ),

    list: (bucket, prefix) =>
      Stream.paginate("", (token) =>
        client.call("ListObjectsV2", (s3, options) =>
          s3.listObjectsV2({
            Bucket: client.bucketNames[bucket],
            Prefix: prefix,
            ...(token === "" ? {} : { ContinuationToken: token })
          }, options)).pipe(Effect.flatMap((page) => {
            const objects = (page.Contents ?? []).map((object) => ({
              key: object.Key!,
              sizeBytes: object.Size!,
              storedTime: DateTime.fromDateUnsafe(object.LastModified!)
            }))
            const { IsTruncated, NextContinuationToken: next } = page
            if (!(IsTruncated ?? next !== undefined)) return Effect.succeed([objects, Option.none<string>()] as const)
            return Effect.map(
              sent("ListObjectsV2", next === token ? undefined : next),
              (next) => [objects, Option.some(next)] as const
            )
          }))).pipe(Stream.mapError(storageUnavailable))
  }
}
