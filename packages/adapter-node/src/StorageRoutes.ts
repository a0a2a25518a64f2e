/** The drive's own routes for bytes, where its store has some: the disk's, or a relay's before S3. */
import { Context, Effect, Layer, Option } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { DiskRoutes } from "./storage/disk/DiskRoutes.ts"
import { FormRelay } from "./storage/relay/FormRelay.ts"
import { FittingRelay } from "./storage/s3/S3Store.ts"

export class StorageRoutes extends Context.Service<StorageRoutes, {
  /** Both take a URL without the storage path; none when nothing is served here. */
  readonly routes: Option.Option<{
    readonly handleNode: (request: IncomingMessage, response: ServerResponse) => void
    readonly handleWeb: (request: Request) => Promise<Response>
  }>
  /** To be run when the whole drive has started: warns of what holds for a drive that runs, and not for one that can't start. */
  readonly started: Effect.Effect<void>
}>()("@filedrive/adapter-node/StorageRoutes") {
  static readonly none = Layer.succeed(StorageRoutes, { routes: Option.none(), started: Effect.void })

  static readonly ofDisk = Layer.effect(
    StorageRoutes,
    Effect.map(DiskRoutes, (routes) => ({ routes: Option.some(routes), started: routes.warnIfFull }))
  )

  static readonly ofRelay = Layer.effect(
    StorageRoutes,
    Effect.map(FormRelay, (routes) => ({ routes: Option.some(routes), started: Effect.void }))
  )

  static readonly ofFittingRelay = Layer.effect(
    StorageRoutes,
    Effect.map(FittingRelay, (routes) => ({ routes, started: Effect.void }))
  )
}
