/**
 * An object store in memory, for tests: bytes may be described instead of
 * held, calls may be made to fail, and signed requests go through
 * {@link MemoryObjectStore}'s `fetch` instead of a network.
 */
import { DriveError, ObjectStore as Port } from "@filedrive/core"
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import { DataPlane } from "./objectstore/DataPlane.ts"
import * as Faults from "./objectstore/Faults.ts"
import * as MemoryPlane from "./objectstore/MemoryPlane.ts"
import * as MemoryState from "./objectstore/MemoryState.ts"
import * as SparseBytes from "./objectstore/SparseBytes.ts"

export * as Faults from "./objectstore/Faults.ts"

type Store = Port.ObjectStore["Service"]

/** As on S3, so that larger files are copied in parts here too. */
const singleUploadMaxBytes = 5 * 1024 ** 3

/** A method of the store that can be made to fail. */
export type FaultyMethod = Exclude<keyof Store, "publicUrl" | "singleUploadMaxBytes" | "revokesForms">

export class MemoryObjectStore extends Context.Service<MemoryObjectStore, {
  /** Plays the server behind the store's signed URLs and forms. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  /**
   * Plays a client that sends `sizeBytes` zeros to a part's URL or with a
   * form, in constant memory whatever the size. Returns the status.
   */
  readonly sendZeros: (to: string | Port.SignedForm, sizeBytes: number) => Effect.Effect<number>
  /** Plants `fault` in the next `times` (default 1) calls of a method, after those already planted. */
  readonly plant: (method: FaultyMethod, fault: Faults.Fault, times?: number) => Effect.Effect<void>
  /** Every stored object of an account, in byte order of keys; not the mark of the drive. */
  readonly objects: Effect.Effect<ReadonlyArray<Port.ObjectAddress & { readonly sizeBytes: number }>>
  /** Ids of the uploads that are open. */
  readonly openUploads: Effect.Effect<ReadonlyArray<string>>
}>()("@filedrive/testing/MemoryObjectStore") {
  static readonly layer: Layer.Layer<Port.ObjectStore | MemoryObjectStore | DataPlane> = Layer.effectContext(
    Effect.gen(function*() {
      const clock = yield* Effect.clockWith(Effect.succeed)
      const state = MemoryState.make()
      const plane = MemoryPlane.make(state, () => DateTime.makeUnsafe(clock.currentTimeMillisUnsafe()))
      const faults = Faults.make<FaultyMethod>()
      const memory = MemoryObjectStore.of({
        fetch: plane.fetch,
        sendZeros: (to, sizeBytes) => Effect.sync(() => plane.sendZeros(to, sizeBytes)),
        plant: (method, fault, times = 1) => Effect.sync(() => faults.plant(method, fault, times)),
        objects: Effect.sync(() =>
          [...state.objects].map(([address, { sizeBytes }]) => {
            const [bucket, ...key] = address.split("/")
            return { bucket: bucket as Port.Bucket, key: key.join("/"), sizeBytes }
          }).filter(({ key }) => key !== markKey).sort((a, b) => a.key < b.key ? -1 : 1)
        ),
        openUploads: Effect.sync(() => [...state.uploads.keys()])
      })
      return Context.make(Port.ObjectStore, make(state, plane, faults.guard)).pipe(
        Context.add(MemoryObjectStore, memory),
        Context.add(DataPlane, DataPlane.of({ fetch: plane.fetch }))
      )
    })
  )
}

const lost = () =>
  new DriveError.Unavailable({ code: "fetching_file_failed", cause: new Error("no such object"), isLost: true })

const refused = (because: string, code: DriveError.Unavailable["code"] = "storage_unavailable") =>
  new DriveError.Unavailable({ code, cause: new Error(because) })

/** The key of the mark by which a drive knows whether its storage and its database are of one time. */
const markKey = "filedrive-mark"

const make = (
  state: MemoryState.MemoryState,
  plane: ReturnType<typeof MemoryPlane.make>,
  guard: ReturnType<typeof Faults.make<FaultyMethod>>["guard"]
): Store => {
  const objectAt = (at: Port.ObjectAddress) => state.objects.get(MemoryState.addressOf(at))

  const stored = ({ etag, sizeBytes, storedTime }: MemoryState.Held): Port.StoredObject => ({
    sizeBytes,
    etag,
    storedTime
  })

  /** Faults are planted for what is done with files; the drive's own mark is stored at times that a test doesn't know. */
  const unplanted: typeof guard = (_, run) => run

  /** Runs a step at the caller's time. */
  const step = <A, E = never>(method: FaultyMethod, run: (now: DateTime.Utc) => Effect.Effect<A, E> | A) =>
    guard(
      method,
      Effect.flatMap(DateTime.now, (now) => {
        const result = run(now)
        return Effect.isEffect(result) ? result : Effect.succeed(result)
      })
    )

  const inBucket = (address: string, bucket: Port.Bucket, prefix = "") => address.startsWith(`${bucket}/${prefix}`)

  return Port.ObjectStore.of({
    singleUploadMaxBytes,
    room: () => step("room", () => undefined),
    signForm: (form) => step("signForm", (now) => plane.signForm(form, now)),
    revokesForms: true,
    revokeForms: (objects) => step("revokeForms", () => plane.revokeForms(objects)),
    signParts: (upload) => step("signParts", (now) => plane.signParts(upload, now)),
    signGet: ({ at, headers, lifetime }) => step("signGet", (now) => plane.signGet(at, headers, lifetime, now)),
    publicUrl: plane.publicUrl,
    createUpload: (at, headers) => step("createUpload", (now) => state.open(at, headers, now)),
    listParts: (at, uploadId) =>
      step("listParts", () =>
        Option.map(
          Option.fromUndefinedOr(state.find(at, uploadId)),
          ({ parts }) =>
            [...parts.values()].sort((a, b) => a.partNumber - b.partNumber)
              .map(({ etag, partNumber, sizeBytes, storedTime }) => ({ partNumber, sizeBytes, etag, storedTime }))
        )),
    completeUpload: (at, uploadId, parts) =>
      step("completeUpload", (now) => {
        const upload = state.find(at, uploadId)
        if (upload === undefined) return Effect.succeed(false)
        return state.complete(uploadId, upload, parts, now)
          ? Effect.succeed(true)
          : Effect.fail(refused("a part is not stored as it is named"))
      }),
    abortUpload: (at, uploadId) =>
      step("abortUpload", () => {
        if (state.find(at, uploadId) !== undefined) state.uploads.delete(uploadId)
      }),
    head: (at) => step("head", () => Option.map(Option.fromUndefinedOr(objectAt(at)), stored)),
    get: (at, range) =>
      Stream.unwrap(step("get", () => {
        const object = objectAt(at)
        if (object === undefined) return Effect.fail(lost())
        const { end, start } = range ?? { start: 0, end: object.sizeBytes - 1 }
        return Effect.succeed(SparseBytes.stream(SparseBytes.slice(object.content, start, end + 1)))
      })),
    put: ({ at, body, headers, sizeBytes }) =>
      (at.key === markKey ? unplanted : guard)(
        "put",
        Effect.gen(function*() {
          const bytes = yield* Stream.mkUint8Array(body)
          if (bytes.length !== sizeBytes) return yield* refused(`${bytes.length} bytes came, ${sizeBytes} were stated`)
          return stored(state.store(at, headers, SparseBytes.of(bytes), yield* DateTime.now))
        })
      ),
    copy: (from, to, headers) =>
      step("copy", (now) =>
        Option.map(
          Option.fromUndefinedOr(objectAt(from)),
          ({ content }) => stored(state.store(to, headers, content, now))
        )),
    putPart: ({ at, body, partNumber, sizeBytes, uploadId }) =>
      guard(
        "putPart",
        Effect.gen(function*() {
          const bytes = yield* Stream.mkUint8Array(body)
          if (bytes.length !== sizeBytes) return yield* refused(`${bytes.length} bytes came, ${sizeBytes} were stated`)
          const upload = state.find(at, uploadId)
          if (upload === undefined) return yield* refused("the upload is not open")
          return state.storePart(upload, partNumber, SparseBytes.of(bytes), yield* DateTime.now).etag
        })
      ),
    copyPart: ({ from, partNumber, range, to, uploadId }) =>
      step("copyPart", (now) => {
        const [source, upload] = [objectAt(from), state.find(to, uploadId)]
        if (source === undefined || upload === undefined) return Effect.fail(refused("nothing to copy from or to"))
        const content = SparseBytes.slice(source.content, range.start, range.end + 1)
        return Effect.succeed(state.storePart(upload, partNumber, content, now).etag)
      }),
    verify: (at) =>
      step("verify", () => {
        const object = objectAt(at)
        return object === undefined
          ? Effect.fail(lost())
          : Effect.succeed({ readBytes: object.sizeBytes, next: null })
      }),
    remove: (objects) =>
      step("remove", () => {
        for (const at of objects) state.objects.delete(MemoryState.addressOf(at))
        return []
      }).pipe(Effect.orElseSucceed(() => objects)),
    list: (bucket, prefix) =>
      Stream.unwrap(step("list", () =>
        Stream.fromIterable(
          [...state.objects].filter(([address]) => inBucket(address, bucket, prefix))
            .map(([address, { sizeBytes, storedTime }]) => ({
              key: address.slice(bucket.length + 1),
              sizeBytes,
              storedTime
            }))
            .sort((a, b) => a.key < b.key ? -1 : 1)
        ))),
    listUploads: (bucket) =>
      Stream.unwrap(step("listUploads", () =>
        Stream.fromIterable(
          [...state.uploads].filter(([, { at }]) => at.bucket === bucket)
            .map(([uploadId, { at, startTime }]) => ({ key: at.key, uploadId, startTime }))
        ))),
    check: step("check", () => undefined)
  })
}
