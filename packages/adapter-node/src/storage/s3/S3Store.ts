/**
 * The object store on S3: AWS, Ceph, MinIO, R2, B2 and their like.
 *
 * ```ts
 * S3Store.layer({ region: "eu-central-1", privateBucket: "drive-private", publicBucket: "drive-public" })
 * ```
 *
 * Calls are made by `@aws-sdk/client-s3`, an optional peer that is loaded when
 * the layer is built; signing is our own.
 */
import { ObjectStore } from "@filedrive/core"
import { Config, Context, Effect, Layer, Option } from "effect"
import { FormRelay } from "../relay/FormRelay.ts"
import { openClient, type S3Client } from "./S3Client.ts"
import { S3SetupError, storageUnavailable } from "./S3Failure.ts"
import { makeObjects } from "./S3Objects.ts"
import { type RelayOptions, type S3Options, singleUploadMaxBytes } from "./S3Options.ts"
import { checkStrangers, takesForms } from "./S3Probe.ts"
import { openRelay } from "./S3Relay.ts"
import { makeRemoval } from "./S3Removal.ts"
import { makeSigning } from "./S3Signing.ts"
import { checkBuckets, reachObjects, warnOfClockSkew, warnOfShortCredentials } from "./S3Startup.ts"
import { makeUploads } from "./S3Uploads.ts"

export { FormRelay } from "../relay/FormRelay.ts"
export { prepareBuckets } from "./S3Buckets.ts"
export { S3SetupError } from "./S3Failure.ts"
export { type RelayOptions, type S3Credentials, type S3Options } from "./S3Options.ts"

/** An answer to `/readyz` waits no longer. */
const checkTimeout = "2 seconds"

/** Opens the client and checks what would fail every call. */
const open = (options: S3Options) =>
  Effect.gen(function*() {
    const client = yield* openClient(options)
    yield* client.credentials.pipe(
      Effect.mapError((failure) =>
        new S3SetupError({ message: `No credentials for the object storage (${failure.code}).` })
      )
    )
    yield* checkBuckets(client)
    yield* checkStrangers(client, makeSigning(client).publicUrl)
    yield* warnOfClockSkew(client)
    yield* Effect.orDie(warnOfShortCredentials(client))
    return client
  })

const makeStore = (client: S3Client): typeof ObjectStore.ObjectStore.Service => ({
  singleUploadMaxBytes: client.options.singleUploadMaxBytes ?? singleUploadMaxBytes,
  room: () => Effect.void,
  ...makeSigning(client),
  // A signed policy is valid until it expires: no engine can revoke one.
  revokesForms: false,
  revokeForms: () => Effect.void,
  ...makeUploads(client),
  ...makeObjects(client),
  ...makeRemoval(client),
  check: reachObjects(client).pipe(Effect.timeout(checkTimeout), Effect.mapError(storageUnavailable))
})

/** Fails to build, with a sentence for people, when a bucket, the credentials or the SDK are missing. */
export const layer = (options: S3Options): Layer.Layer<ObjectStore.ObjectStore, S3SetupError> =>
  Layer.effect(ObjectStore.ObjectStore, Effect.map(open(options), makeStore))

/** {@link layer} with its options read by `Config`; of what is not given there, the defaults hold. */
export const layerConfig = (
  config: Config.Wrap<S3Options>
): Layer.Layer<ObjectStore.ObjectStore, S3SetupError | Config.ConfigError> =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))

const relayed = Effect.fnUntraced(function*(client: S3Client, options: RelayOptions) {
  const { relay, signForm } = yield* openRelay(client, options)
  return { relay, store: { ...makeStore(client), signForm } }
})

/**
 * For an engine without POST policies: forms come to `relay.url`, where the
 * host mounts {@link FormRelay}. All else is as in {@link layer}.
 */
export const layerWithRelay = (
  options: S3Options,
  relay: RelayOptions
): Layer.Layer<ObjectStore.ObjectStore | FormRelay, S3SetupError> =>
  Layer.effectContext(Effect.gen(function*() {
    const made = yield* relayed(yield* open(options), relay)
    return Context.make(ObjectStore.ObjectStore, made.store).pipe(Context.add(FormRelay, made.relay))
  }))

/** The relay of {@link layerFitting}; none where the engine takes forms itself. */
export class FittingRelay extends Context.Service<FittingRelay, Option.Option<typeof FormRelay.Service>>()(
  "@filedrive/adapter-node/storage/s3/S3Store/FittingRelay"
) {}

/** {@link layerWithRelay} where the engine turns out to take no forms, else {@link layer}. */
export const layerFitting = (
  options: S3Options,
  relay: RelayOptions
): Layer.Layer<ObjectStore.ObjectStore | FittingRelay, S3SetupError> =>
  Layer.effectContext(Effect.gen(function*() {
    const client = yield* open(options)
    if (yield* takesForms(client)) {
      return Context.make(ObjectStore.ObjectStore, makeStore(client)).pipe(Context.add(FittingRelay, Option.none()))
    }
    const made = yield* relayed(client, relay)
    return Context.make(ObjectStore.ObjectStore, made.store).pipe(Context.add(FittingRelay, Option.some(made.relay)))
  }))

/** {@link layerWithRelay} with its options read by `Config`. */
export const layerWithRelayConfig = (
  config: Config.Wrap<S3Options>,
  relay: Config.Wrap<RelayOptions>
): Layer.Layer<ObjectStore.ObjectStore | FormRelay, S3SetupError | Config.ConfigError> =>
  Layer.unwrap(
    Effect.map(
      Effect.all([Config.unwrap(config), Config.unwrap(relay)]),
      ([options, relay]) => layerWithRelay(options, relay)
    )
  )
