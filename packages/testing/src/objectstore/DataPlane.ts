/** Sends the suite's signed requests to the store under test. */
import { type DriveError, ObjectStore as Port } from "@filedrive/core"
import { Clock, Context, Duration, Effect, Layer, Stream } from "effect"
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"

export class DataPlane extends Context.Service<DataPlane, {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
}>()("@filedrive/testing/objectstore/DataPlane") {
  /** Over the network, as any client does. */
  static readonly layerHttp = Layer.succeed(DataPlane, DataPlane.of({ fetch: (url, init) => fetch(url, init) }))
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Sends a request and reads the whole answer. */
export const request = Effect.fn("DataPlane.request")(function*(url: string, init?: RequestInit) {
  const plane = yield* DataPlane
  return yield* Effect.promise(async (): Promise<Answer> => {
    const response = await plane.fetch(url, init)
    return {
      status: response.status,
      headers: response.headers,
      bytes: new Uint8Array(await response.arrayBuffer())
    }
  })
})

/** The `Cache-Control` that an object was given: a store may add that nobody on the way may transform it. */
export const cacheControlOf = ({ headers }: Answer): string | undefined =>
  headers.get("cache-control")?.replace(/, no-transform$/, "")

/** Posts a form as a browser does: its fields first, the file last. */
export const sendForm = (form: Port.SignedForm, file: Uint8Array<ArrayBuffer>) => {
  const body = new FormData()
  for (const [name, value] of Object.entries(form.fields)) body.append(name, value)
  body.append("file", new Blob([file]), "any name.bin")
  return request(form.url, { method: "POST", body })
}

export const sendPart = (url: string, part: Uint8Array<ArrayBuffer>) => request(url, { method: "PUT", body: part })

/** `length` bytes that differ from position to position and from `seed` to seed. */
export const content = (length: number, seed = 0): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8) + seed * 101) % 251)

export const headers: Port.ObjectHeaders = {
  contentType: "image/png",
  contentDisposition: `attachment; filename="a.png"; filename*=UTF-8''%C3%A4.png`,
  cacheControl: "private, max-age=60"
}

/** An address that nothing else uses. */
export const freshAddress = (bucket: Port.Bucket = "private", folder = "files"): Port.ObjectAddress => ({
  bucket,
  key: `${folder}/suite/${uuidV7Unsafe()}`
})

/** Runs `effect` as if it were `duration` ago; for signing what has expired by now. */
export const ago = <A, E, R>(duration: Duration.Input, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.clockWith(Effect.succeed), (clock) => {
    const millis = Duration.toMillis(Duration.fromInputUnsafe(duration))
    const earlier: Clock.Clock = Object.create(clock, {
      currentTimeMillisUnsafe: { value: () => clock.currentTimeMillisUnsafe() - millis },
      currentTimeMillis: { value: Effect.map(clock.currentTimeMillis, (now) => now - millis) }
    })
    return Effect.provideService(effect, Clock.Clock, earlier)
  })

/** The bytes stored at an address. */
export const read: (
  at: Port.ObjectAddress,
  range?: Port.ByteRange
) => Effect.Effect<Uint8Array<ArrayBuffer>, DriveError.Unavailable, Port.ObjectStore> = Effect.fn("DataPlane.read")(
  function*(at, range) {
    const store = yield* Port.ObjectStore
    return new Uint8Array(yield* Stream.mkUint8Array(store.get(at, range)))
  }
)

/** Stores `bytes` at an address, a fresh one when none is given. */
export const stored: (
  bytes: Uint8Array,
  at?: Port.ObjectAddress
) => Effect.Effect<Port.StoredObject & { readonly at: Port.ObjectAddress }, DriveError.Unavailable, Port.ObjectStore> =
  Effect.fn("DataPlane.stored")(function*(bytes, at = freshAddress()) {
    const store = yield* Port.ObjectStore
    const object = yield* store.put({ at, headers, sizeBytes: bytes.length, body: Stream.make(bytes) })
    return { at, ...object }
  })
