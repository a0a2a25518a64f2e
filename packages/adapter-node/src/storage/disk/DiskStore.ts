/**
 * Objects in a directory of this machine: the drive's default, and no less
 * careful than an engine of its own. What was acknowledged is on the disk and
 * there after a power cut; what was refused or cut off leaves nothing.
 *
 * Several processes may use one root.
 */
import { DriveError, Limits, ObjectStore as Port } from "@filedrive/core"
import { Cause, Config, Context, DateTime, Duration, Effect, Layer, Option, Stream } from "effect"
import { constants } from "node:fs"
import { access, mkdir, rm, utimes } from "node:fs/promises"
import { join, resolve } from "node:path"
import { DiskReserve } from "../../DiskReserve.ts"
import { makeDirectories } from "../../makeDirectories.ts"
import { objectUrl, presign, presignForm, presignParts, type SigningStore } from "../Signature.ts"
import { attempt, unavailable } from "./Attempt.ts"
import { restoreReplaced } from "./DirectoryObjects.ts"
import * as DiskRoutes from "./DiskRoutes.ts"
import { DiskUploads, isSealed, restoreCompleting } from "./DiskUploads.ts"
import { forEachOf } from "./Durable.ts"
import { Layout, partName } from "./Layout.ts"
import { Locks } from "./Locks.ts"
import { type ObjectMeta, onePart } from "./ObjectMeta.ts"
import { Objects } from "./Objects.ts"
import { OpenForms } from "./OpenForms.ts"
import { isPackable } from "./Packed.ts"
import { RangeReader } from "./RangeReader.ts"
import { isFull, Room } from "./Room.ts"
import * as RootCredentials from "./RootCredentials.ts"
import { Sendings } from "./Sendings.ts"
import * as StallWatch from "./StallWatch.ts"
import { notOpen, StorageError } from "./StorageError.ts"
import { notOpened, type StorageNotOpened } from "./StorageNotOpened.ts"
import type { Stored } from "./Stored.ts"
import { sweep } from "./Sweep.ts"
import { refuseDamaged, verifyBlock, verifyPacked } from "./Verify.ts"
import { readBody, writeBody } from "./WriteBody.ts"

export interface DiskStoreOptions {
  /** Directory that holds everything; made when it is not there. */
  readonly root: string
  /** Public base URL of the routes, like `http://127.0.0.1:4500/storage`. */
  readonly endpoint: string
  /** A body or download that stalls for so long is cut. Default 60 seconds. */
  readonly idleTimeout?: Duration.Input
  /** Bytes of the disk that uploads leave free. Default 256 MiB, or one percent of the disk where that is more. */
  readonly reserveBytes?: number
}

/** The store and the routes that serve what it signs. Fails to build, with a sentence for people, when the root cannot be written. */
export const layer = (
  options: DiskStoreOptions
): Layer.Layer<Port.ObjectStore | DiskRoutes.DiskRoutes, StorageNotOpened> =>
  Layer.effectContext(Effect.gen(function*() {
    const stored = yield* start(options)
    const runFork = Effect.runForkWith(yield* Effect.context())
    const routes = DiskRoutes.make(
      stored,
      (error) => runFork(Effect.logError("A storage request failed", Cause.die(error)))
    )
    yield* Effect.forkScoped(Effect.forever(Effect.delay(sweep(stored), "1 day")))
    return Context.make(Port.ObjectStore, operations(stored)).pipe(Context.add(DiskRoutes.DiskRoutes, routes))
  }))

/** {@link layer} with its options read by `Config`. */
export const layerConfig = (
  config: Config.Wrap<DiskStoreOptions>
): Layer.Layer<Port.ObjectStore | DiskRoutes.DiskRoutes, StorageNotOpened | Config.ConfigError> =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))

const start = Effect.fn("DiskStore.start")(function*(options: DiskStoreOptions) {
  const layout = new Layout(resolve(options.root))
  const clock = yield* Effect.clockWith(Effect.succeed)
  const { credentials, reserve } = yield* Effect.tryPromise({
    try: async () => {
      await makeDirectories(layout.root)
      await layout.make()
      await access(layout.unfinished, constants.R_OK | constants.W_OK)
      await restoreReplaced(layout)
      await restoreCompleting(layout)
      const credentials = await RootCredentials.load(layout)
      const place = join(layout.root, "copies.reserve")
      return { credentials, reserve: new DiskReserve(place, { bytes: copiesReserveBytes, marginBytes: 0, isFull }) }
    },
    catch: notOpened(layout.root)
  })
  const room = new Room(layout.root, options.reserveBytes)
  const signing: SigningStore = { endpoint: options.endpoint, region: "local", forcePathStyle: true, credentials }
  const objects = new Objects(layout)
  const stored: Stored = {
    layout,
    signing,
    objects,
    uploads: new DiskUploads(layout, objects),
    forms: new OpenForms(layout),
    formSendings: new Sendings(layout, "form"),
    partSendings: new Sendings(layout, "part"),
    replacements: new Locks(),
    room,
    reserve,
    stalls: StallWatch.make(
      Duration.fromInputUnsafe(options.idleTimeout ?? "60 seconds"),
      Effect.runForkWith(yield* Effect.context())
    ),
    nowMillis: () => clock.currentTimeMillisUnsafe()
  }
  yield* sweep(stored)
  return stored
})

/**
 * Reserved for copies to the private bucket: a copy shares the bytes of its source and takes a few KiB for its names, and a
 * file that is no longer public, or in trash, must leave the public bucket on a full disk too.
 */
const [copyBytes, copiesReserveBytes] = [32 * 1024, 2 * 1024 * 1024]

const lost = (because: string) =>
  new DriveError.Unavailable({ code: "fetching_file_failed", cause: new Error(because), isLost: true })

const operations = (stored: Stored): Port.ObjectStore["Service"] => {
  const { formSendings, forms, layout, objects, partSendings, reserve, room, signing, uploads } = stored

  const seconds = (lifetime: Duration.Duration) => Math.floor(Duration.toSeconds(lifetime))
  const describe = ({ etag, sizeBytes, storedMillis }: ObjectMeta): Port.StoredObject => ({
    sizeBytes,
    etag,
    storedTime: DateTime.makeUnsafe(storedMillis)
  })

  /** An object that is not whole counts as missing: the bytes can be sent again, or are read from elsewhere. */
  const whole = <A>(run: Effect.Effect<A | undefined, DriveError.Unavailable>) =>
    Effect.catchIf(
      run,
      ({ isLost }) => isLost === true,
      (error) => Effect.as(Effect.logWarning("An object is damaged", error.cause), undefined)
    )

  /** Runs at the caller's time. */
  const at = <A>(run: (nowMillis: number) => Promise<A>) =>
    Effect.flatMap(DateTime.now, (now) => attempt(() => run(DateTime.toEpochMillis(now))))

  const read = (from: Port.ObjectAddress, range: Port.ByteRange | undefined) =>
    Effect.gen(function*() {
      const found = yield* attempt(async () => {
        const found = await objects.findContent(from)
        return found === undefined ? undefined : refuseDamaged(found)
      })
      if (found === undefined) return yield* lost("no such object")
      return new RangeReader(objects.directories, found, range ?? { start: 0, end: found.meta.sizeBytes - 1 })
    })

  const put: Port.ObjectStore["Service"]["put"] = Effect.fnUntraced(function*({ at: to, body, headers, sizeBytes }) {
    const nowMillis = DateTime.toEpochMillis(yield* DateTime.now)
    yield* attempt(() => room.check(sizeBytes))
    if (isPackable(to.key, sizeBytes)) {
      const bytes = yield* readBody(sizeBytes, body)
      return describe(yield* attempt(() => objects.put(to, bytes, { headers, nowMillis })))
    }
    const directory = layout.temporary()
    const parts = onePart(sizeBytes)
    return yield* attempt(() => mkdir(directory, { mode: 0o700 })).pipe(
      Effect.andThen(writeBody(join(directory, partName(1)), sizeBytes, true, body)),
      Effect.andThen(attempt(() => objects.publish(directory, to, { headers, parts, nowMillis }))),
      Effect.map(describe),
      Effect.onError(() => Effect.promise(() => rm(directory, { recursive: true, force: true })))
    )
  })

  const putPart: Port.ObjectStore["Service"]["putPart"] = Effect.fnUntraced(
    function*({ at: to, body, partNumber, sizeBytes, uploadId }) {
      const notOpen = unavailable("storage_unavailable")(new Error("The upload is not open."))
      const upload = yield* attempt(() => uploads.find(to, uploadId))
      if (upload === undefined) return yield* notOpen
      yield* attempt(() => room.check(sizeBytes))
      // If the process is killed meanwhile, the file is removed when the part is stored again or the upload ends.
      const path = yield* attempt(() => partSendings.place(`${uploadId}.${partNumber}`))
      yield* writeBody(path, sizeBytes, isSealed(upload), body).pipe(
        Effect.andThen(at((nowMillis) => utimes(path, nowMillis / 1000, nowMillis / 1000))),
        Effect.onError(() => Effect.promise(() => rm(path, { force: true })))
      )
      const part = yield* attempt(() => uploads.storePart(uploadId, partNumber, path))
      return part === undefined ? yield* notOpen : part.etag
    }
  )

  return Port.ObjectStore.of({
    singleUploadMaxBytes: Limits.fileSizeMaxBytes,
    room: (bytes) => attempt(() => room.check(bytes)),
    signForm: ({ at: { bucket, key }, headers, lifetime, sizeBytes }) =>
      Effect.gen(function*() {
        const now = yield* DateTime.now
        const expiryMillis = DateTime.toEpochMillis(DateTime.addDuration(now, lifetime))
        yield* attempt(() => forms.issue({ bucket, key }, expiryMillis))
        return presignForm(signing, {
          bucket,
          key,
          sizeBytes,
          fields: {
            "Content-Type": headers.contentType,
            "Content-Disposition": headers.contentDisposition,
            "Cache-Control": headers.cacheControl
          },
          hasPermission: true,
          now,
          lifetimeSeconds: seconds(lifetime)
        })
      }),
    revokesForms: true,
    revokeForms: (addresses, until) =>
      attempt(() =>
        forEachOf(addresses.filter((address) => !forms.isSpent(address)), 8, async (address) => {
          const revoke = () => forms.revoke(address, DateTime.toEpochMillis(until))
          const end = () =>
            formSendings.end(layout.form(address), new StorageError("AccessDenied", "This form was revoked."))
          // Recording it for a form of an earlier release takes room: on a full disk that of the file being received.
          await revoke().catch((error: unknown) => isFull(error) ? end().then(revoke) : Promise.reject(error))
          await end()
        })
      ),
    signParts: ({ at: { bucket, key }, lifetime, parts, uploadId }) =>
      Effect.map(
        DateTime.now,
        (now) => presignParts(signing, { bucket, key, uploadId, parts, now, lifetimeSeconds: seconds(lifetime) })
      ),
    signGet: ({ at: { bucket, key }, headers, lifetime }) =>
      Effect.map(DateTime.now, (now) =>
        presign(signing, {
          method: "GET",
          bucket,
          key,
          query: {
            "response-content-type": headers.contentType,
            "response-content-disposition": headers.contentDisposition,
            "response-cache-control": headers.cacheControl
          },
          now,
          lifetimeSeconds: seconds(lifetime)
        })),
    publicUrl: (key) => objectUrl(signing, "public", key),
    createUpload: (to, headers) => at((startMillis) => uploads.open({ at: to, headers, startMillis })),
    listParts: (to, uploadId) =>
      Effect.map(
        attempt(() => uploads.list(to, uploadId)),
        (parts) =>
          Option.map(Option.fromUndefinedOr(parts), (parts) =>
            parts.map(({ storedMillis, ...part }) => ({ ...part, storedTime: DateTime.makeUnsafe(storedMillis) })))
      ),
    completeUpload: (to, uploadId, parts) =>
      at(async (nowMillis) => {
        const isMade = await uploads.complete(to, uploadId, parts, nowMillis)
        await partSendings.end(uploadId, notOpen())
        return isMade
      }),
    abortUpload: (to, uploadId) =>
      attempt(async () => {
        await uploads.abort(to, uploadId)
        await partSendings.end(uploadId, notOpen())
      }),
    head: (from) =>
      Effect.map(
        whole(attempt(() => objects.findWhole(from))),
        (found) => Option.map(Option.fromUndefinedOr(found), ({ meta }) => describe(meta))
      ),
    get: (from, range) =>
      Stream.unwrap(
        Effect.map(read(from, range), (reader) =>
          Stream.fromAsyncIterable(reader.blocks(), unavailable("fetching_file_failed")))
      ),
    put,
    putPart,
    copy: (from, to, headers) =>
      Effect.map(
        whole(at(async (nowMillis) => {
          const copy = () => objects.copy(from, to, { headers, nowMillis })
          if (to.bucket === "public") return copy()
          reserve.refill()
          return reserve.lendTo(copyBytes, copy)
        })),
        (meta) => Option.map(Option.fromUndefinedOr(meta), describe)
      ),
    copyPart: Effect.fnUntraced(function*({ from, partNumber, range, to, uploadId }) {
      const reader = yield* read(from, range)
      const body = Stream.fromAsyncIterable(reader.blocks(), unavailable("storage_unavailable"))
      return yield* putPart({ at: to, body, partNumber, sizeBytes: reader.leftBytes, uploadId })
    }),
    verify: (object, from) =>
      attempt(async () => {
        const found = await objects.find(object, "content")
        if (found === undefined) return undefined
        return found._tag === "Packed" ? verifyPacked(found, from) : await verifyBlock(objects.directories, found, from)
      }).pipe(Effect.flatMap((verified) => verified === undefined ? lost("no such object") : Effect.succeed(verified))),
    remove: (addresses) =>
      Effect.filter(addresses, (address) =>
        attempt(() => objects.remove(address)).pipe(
          Effect.as(false),
          Effect.catch((error) => Effect.as(Effect.logWarning("Could not remove an object", error), true))
        ), { concurrency: 8 }),
    list: (bucket, prefix) =>
      // Listed anew each time that the stream is run.
      Stream.suspend(() => Stream.fromAsyncIterable(objects.list(bucket, prefix), unavailable("storage_unavailable")))
        .pipe(
          Stream.map(({ key, sizeBytes, storedMillis }) => ({
            key,
            sizeBytes,
            storedTime: DateTime.makeUnsafe(storedMillis)
          }))
        ),
    listUploads: (bucket) =>
      Stream.suspend(() => Stream.fromAsyncIterable(uploads.listOpen(bucket), unavailable("storage_unavailable"))).pipe(
        Stream.map(({ at: { key }, startMillis, uploadId }) => ({
          key,
          uploadId,
          startTime: DateTime.makeUnsafe(startMillis)
        }))
      ),
    check: attempt(async () => {
      await access(layout.unfinished, constants.R_OK | constants.W_OK)
      await room.check(0)
    })
  })
}
