/** Removes objects, and determines which are gone. */
import type { ObjectStore } from "@filedrive/core"
import { Array, type Context, Effect } from "effect"
import type { S3Client } from "./S3Client.ts"
import { isMissing } from "./S3Failure.ts"
import { bucketAndKey } from "./S3Uploads.ts"

type Store = Context.Service.Shape<typeof ObjectStore.ObjectStore>
type Addresses = ReadonlyArray<ObjectStore.ObjectAddress>

/** As many as the slowest engine removes in the time a call has. */
const batchMax = 250
const singlesAtOnce = 16

export const makeRemoval = (client: S3Client): Pick<Store, "remove"> => {
  /** Engines that require a Content-MD5, or don't know the call, refuse each time: one refusal is enough. */
  let inBatches = true

  const removeSingly = (objects: Addresses): Effect.Effect<Addresses> =>
    Effect.map(
      Effect.forEach(
        objects,
        (at) =>
          client.call("DeleteObject", (s3, options) => s3.deleteObject(bucketAndKey(client, at), options)).pipe(
            Effect.as<Addresses>([]),
            Effect.catchIf(isMissing, () => Effect.succeed<Addresses>([])),
            Effect.catch((failure) => Effect.as(Effect.logWarning(failure.message), [at]))
          ),
        { concurrency: singlesAtOnce }
      ),
      Array.flatten
    )

  const removeBatch = (bucket: ObjectStore.Bucket, objects: Addresses): Effect.Effect<Addresses> =>
    client.call("DeleteObjects", (s3, options) =>
      s3.deleteObjects({
        Bucket: client.bucketNames[bucket],
        Delete: { Quiet: true, Objects: objects.map(({ key }) => ({ Key: key })) }
      }, options)).pipe(
        Effect.flatMap(({ Errors = [] }) => {
          const left = new Set(Errors.filter(({ Code }) => Code !== "NoSuchKey").map(({ Key }) => Key))
          const kept = objects.filter(({ key }) => left.has(key))
          return kept.length === 0
            ? Effect.succeed(kept)
            : Effect.as(
              Effect.logWarning(`S3 DeleteObjects: ${kept.length} objects are still there`, Errors[0]?.Code),
              kept
            )
        }),
        Effect.catch((failure) => {
          if (failure.status !== 400 && failure.status !== 501) {
            return Effect.as(Effect.logWarning(failure.message), objects)
          }
          inBatches = false
          return removeSingly(objects)
        })
      )

  return {
    remove: (objects) =>
      Effect.map(
        Effect.forEach(["private", "public"] as const, (bucket) => {
          const here = objects.filter((at) => at.bucket === bucket)
          return Effect.map(
            Effect.forEach(
              Array.chunksOf(here, batchMax),
              (batch) => Effect.suspend(() => inBatches ? removeBatch(bucket, batch) : removeSingly(batch))
            ),
            Array.flatten
          )
        }),
        Array.flatten
      )
  }
}
