/** Multipart uploads: opening, listing, finishing, discarding. */
import type { CompletedPart, ListPartsCommandOutput } from "@aws-sdk/client-s3"
import type { ObjectStore } from "@filedrive/core"
import { Array, type Context, DateTime, Effect, Option, Stream } from "effect"
import { encodePath } from "../Signature.ts"
import type { S3Client } from "./S3Client.ts"
import { isMissing, S3Failure, storageUnavailable } from "./S3Failure.ts"

type Store = Context.Service.Shape<typeof ObjectStore.ObjectStore>

const pageSize = 1_000
const partNumberMax = 10_000
const pagesAtOnce = 10

/** ETags come in quotes and are compared without; both forms are accepted back. */
export const unquote = (etag: string) => etag.replaceAll("\"", "")

/** A field that the protocol always sends and the SDK's types call optional. */
export const sent = <A>(operation: string, value: A | undefined): Effect.Effect<A, S3Failure> =>
  value === undefined
    ? Effect.fail(new S3Failure({ operation, status: 200, code: "IncompleteAnswer" }))
    : Effect.succeed(value)

/** Where one object is, as the SDK wants it. */
export const bucketAndKey = (client: S3Client, at: ObjectStore.ObjectAddress) => ({
  Bucket: client.bucketNames[at.bucket],
  Key: at.key
})

const storedParts = (page: ListPartsCommandOutput): ReadonlyArray<ObjectStore.StoredPart> =>
  (page.Parts ?? []).map((part) => ({
    partNumber: part.PartNumber!,
    sizeBytes: part.Size!,
    etag: unquote(part.ETag!),
    storedTime: DateTime.fromDateUnsafe(part.LastModified!)
  }))

const isUpTo = (marker: number) => ({ partNumber }: ObjectStore.StoredPart): boolean => partNumber <= marker

/** Where a list of parts goes on; none at its end. Fails when the engine says that there is more, and not where. */
const nextMarker = (page: ListPartsCommandOutput, marker: number): Effect.Effect<Option.Option<number>, S3Failure> => {
  if (page.IsTruncated !== true) return Effect.succeedNone
  const next = Number(page.NextPartNumberMarker ?? page.Parts?.at(-1)?.PartNumber)
  return Effect.asSome(sent("ListParts", next > marker ? next : undefined))
}

export const makeUploads = (
  client: S3Client
): Pick<Store, "createUpload" | "listParts" | "completeUpload" | "abortUpload" | "copyPart" | "listUploads"> => {
  const listPage = (at: ObjectStore.ObjectAddress, uploadId: string, marker: number) =>
    client.call("ListParts", (s3, options) =>
      s3.listParts({
        ...bucketAndKey(client, at),
        UploadId: uploadId,
        MaxParts: pageSize,
        ...(marker === 0 ? {} : { PartNumberMarker: String(marker) })
      }, options))

  /**
   * The parts after `from`, to `end` at least where there are more: page after page, each of as many as the engine likes, which
   * may be fewer than it was asked for.
   */
  const listFrom = (at: ObjectStore.ObjectAddress, uploadId: string, from: number, end: number) =>
    Stream.paginate(from, (marker) =>
      Effect.flatMap(listPage(at, uploadId, marker), (page) => {
        const parts = storedParts(page)
        if (parts.some(isUpTo(marker))) return Effect.succeed([parts, Option.none<number>()] as const)
        return Effect.map(
          nextMarker(page, marker),
          (next) => [parts, Option.filter(next, (next) => next < end)] as const
        )
      })).pipe(Stream.runCollect)

  /**
   * Part numbers are known without asking, so the pages after the first come
   * at once: 0.2 s for 10,000 parts rather than 0.6 s.
   */
  const listAll = Effect.fnUntraced(function*(at: ObjectStore.ObjectAddress, uploadId: string) {
    const first = yield* listPage(at, uploadId, 0)
    const begin = storedParts(first)
    const next = yield* nextMarker(first, 0)
    if (Option.isNone(next)) return begin
    const last = next.value
    const markers = Array.range(0, Math.max(0, Math.ceil((partNumberMax - last) / pageSize) - 1)).map((n) =>
      last + n * pageSize
    )
    const ranges = yield* Effect.forEach(
      markers,
      (marker) => Effect.map(listFrom(at, uploadId, marker, marker + pageSize), (parts) => ({ marker, parts })),
      { concurrency: pagesAtOnce }
    )
    // Some engines take only markers that they gave out.
    if (ranges.some(({ marker, parts }) => parts.some(isUpTo(marker)))) {
      const rest = yield* listFrom(at, uploadId, last, partNumberMax)
      return [...begin, ...yield* sent("ListParts", rest.some(isUpTo(last)) ? undefined : rest)]
    }
    // Where numbers are left out a page reaches into the next one's.
    const rest = ranges.flatMap(({ marker, parts }) => parts.filter(isUpTo(marker + pageSize)))
    return [...begin, ...rest]
  })

  const abort = (at: ObjectStore.ObjectAddress, uploadId: string) =>
    client.call(
      "AbortMultipartUpload",
      (s3, options) => s3.abortMultipartUpload({ ...bucketAndKey(client, at), UploadId: uploadId }, options)
    )

  return {
    createUpload: (at, headers) =>
      client.call("CreateMultipartUpload", (s3, options) =>
        s3.createMultipartUpload({
          ...bucketAndKey(client, at),
          ContentType: headers.contentType,
          ContentDisposition: headers.contentDisposition,
          CacheControl: headers.cacheControl
        }, options)).pipe(
          Effect.flatMap((answer) => sent("CreateMultipartUpload", answer.UploadId)),
          Effect.mapError(storageUnavailable)
        ),

    listParts: (at, uploadId) =>
      listAll(at, uploadId).pipe(
        Effect.asSome,
        Effect.catchIf(isMissing, () => Effect.succeedNone),
        Effect.mapError(storageUnavailable)
      ),

    completeUpload: (at, uploadId, parts) => {
      const ordered: Array<CompletedPart> = parts
        .toSorted((a, b) => a.partNumber - b.partNumber)
        .map(({ etag, partNumber }) => ({ PartNumber: partNumber, ETag: `"${etag}"` }))
      return client.call("CompleteMultipartUpload", (s3, options) =>
        s3.completeMultipartUpload({
          ...bucketAndKey(client, at),
          UploadId: uploadId,
          MultipartUpload: { Parts: ordered }
        }, options)).pipe(
          // The status is sent before the outcome is known: an error can follow a 200.
          Effect.flatMap((answer) => sent("CompleteMultipartUpload", answer.ETag)),
          Effect.as(true),
          // Not every engine answers 404 here (Ceph: 500); so it is checked whether the upload is still open.
          Effect.catch((failure) => Effect.andThen(listPage(at, uploadId, 0), Effect.fail(failure))),
          Effect.catchIf(isMissing, () => Effect.succeed(false)),
          Effect.mapError(storageUnavailable)
        )
    },

    abortUpload: (at, uploadId) =>
      abort(at, uploadId).pipe(
        // A part that was being received during the abort is kept, and paid for, until a second abort.
        Effect.andThen(listPage(at, uploadId, 0)),
        Effect.andThen(abort(at, uploadId)),
        Effect.asVoid,
        Effect.catchIf(isMissing, () => Effect.void),
        Effect.mapError(storageUnavailable)
      ),

    copyPart: ({ from, partNumber, range, to, uploadId }) =>
      client.call("UploadPartCopy", (s3, options) =>
        s3.uploadPartCopy({
          ...bucketAndKey(client, to),
          UploadId: uploadId,
          PartNumber: partNumber,
          CopySource: copySource(client, from),
          CopySourceRange: `bytes=${range.start}-${range.end}`
        }, options)).pipe(
          Effect.flatMap((answer) => sent("UploadPartCopy", answer.CopyPartResult?.ETag)),
          Effect.map(unquote),
          Effect.mapError(storageUnavailable)
        ),

    listUploads: (bucket) =>
      Stream.paginate(
        { key: "", uploadId: "" },
        (marker) =>
          client.call("ListMultipartUploads", (s3, options) =>
            s3.listMultipartUploads({
              Bucket: client.bucketNames[bucket],
              ...(marker.key === "" ? {} : { KeyMarker: marker.key, UploadIdMarker: marker.uploadId })
            }, options)).pipe(Effect.flatMap((page) => {
              const uploads = (page.Uploads ?? []).map((upload) => ({
                key: upload.Key!,
                uploadId: upload.UploadId!,
                startTime: DateTime.fromDateUnsafe(upload.Initiated!)
              }))
              if (page.IsTruncated !== true) return Effect.succeed([uploads, Option.none<typeof marker>()] as const)
              const last = uploads.at(-1)
              const key = page.NextKeyMarker || last?.key
              const next = { key: key ?? "", uploadId: page.NextUploadIdMarker || (last?.uploadId ?? "") }
              const isFurther = key !== undefined && (next.key !== marker.key || next.uploadId !== marker.uploadId)
              return Effect.map(
                sent("ListMultipartUploads", isFurther ? next : undefined),
                (next) => [uploads, Option.some(next)] as const
              )
            }))
      ).pipe(Stream.mapError(storageUnavailable))
  }
}

export const copySource = (client: S3Client, from: ObjectStore.ObjectAddress) =>
  encodePath(`${client.bucketNames[from.bucket]}/${from.key}`)
