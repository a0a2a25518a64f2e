/** The relay before an S3 engine without POST policies. */
import type { ObjectStore } from "@filedrive/core"
import { type Context, DateTime, Duration, Effect, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { type FormRelay, makeRelay, storeFailed } from "../relay/FormRelay.ts"
import { relayStore, signRelayForm } from "../relay/RelayForm.ts"
import type { S3Client } from "./S3Client.ts"
import { S3SetupError } from "./S3Failure.ts"
import type { RelayOptions } from "./S3Options.ts"
import { headerFields, signPut } from "./S3Signing.ts"
import { openPut } from "./SignedPut.ts"

type Store = Context.Service.Shape<typeof ObjectStore.ObjectStore>

export interface OpenRelay {
  readonly relay: Context.Service.Shape<typeof FormRelay>
  readonly signForm: Store["signForm"]
}

/** The given secret, or one that every process with these credentials arrives at. */
const secretOf = (client: S3Client, { secret }: RelayOptions): Effect.Effect<string, S3SetupError> =>
  secret !== undefined
    ? Effect.succeed(Redacted.value(secret))
    : Effect.orDie(client.credentials).pipe(
      Effect.flatMap(({ secretAccessKey, sessionToken }) =>
        sessionToken === undefined
          ? Effect.succeed(createHmac("sha256", secretAccessKey).update("filedrive form relay").digest("base64url"))
          : Effect.fail(
            new S3SetupError({
              message: "The storage credentials are temporary, so the relay needs a secret of its own."
            })
          )
      )
    )

export const openRelay = (client: S3Client, options: RelayOptions): Effect.Effect<OpenRelay, S3SetupError> =>
  Effect.gen(function*() {
    const store = relayStore(options.url, yield* secretOf(client, options))
    const relay = yield* makeRelay(
      store,
      ({ bucket, headers, key, sizeBytes }) =>
        signPut(client, { bucket, key }).pipe(
          Effect.mapError(storeFailed),
          Effect.flatMap((url) => openPut({ url, headers: headerFields(headers), sizeBytes })),
          Effect.map(({ request, stored }) => ({
            request,
            stored: Effect.tap(stored, () => Effect.sync(client.heard))
          }))
        )
    )
    return {
      relay,
      signForm: ({ at, headers, lifetime, sizeBytes }) =>
        // By the clock that the drive's processes share: one of them will check it.
        Effect.map(DateTime.now, (now) => {
          const lifetimeSeconds = Math.floor(Duration.toSeconds(lifetime))
          return signRelayForm(store, { now, lifetimeSeconds, at, sizeBytes, fields: headerFields(headers) })
        })
    }
  })
