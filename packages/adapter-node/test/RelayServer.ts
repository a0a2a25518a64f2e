/** A host that mounts the relay, as small as can be. */
import { Context, Effect, Layer, Redacted } from "effect"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import * as S3Store from "../src/storage/s3/S3Store.ts"

/** A store whose forms come to a relay that serves while the layer lives. */
export const relayedLayer = (options: S3Store.S3Options, secret?: string) =>
  Layer.effectContext(Effect.gen(function*() {
    let handle: RequestListener = () => {}
    const server = createServer({ requestTimeout: 0 }, (request, response) => handle(request, response))
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    const { port } = server.address() as AddressInfo
    const context = yield* Layer.build(S3Store.layerWithRelay(options, {
      url: `http://127.0.0.1:${port}/storage`,
      secret: secret === undefined ? undefined : Redacted.make(secret)
    }))
    const relay = Context.get(context, S3Store.FormRelay)
    handle = relay.handleNode
    return context
  }))
