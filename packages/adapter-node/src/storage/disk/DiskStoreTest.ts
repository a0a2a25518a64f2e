/** A disk store in a directory of its own, on a server of its own. */
import { DriveError, ObjectStore as Port } from "@filedrive/core"
import { DataPlane } from "@filedrive/testing/suites"
import { Context, Effect, Layer } from "effect"
import { existsSync } from "node:fs"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DiskRoutes } from "./DiskRoutes.ts"
import * as DiskStore from "./DiskStore.ts"

/** The directory and address of the store under test. */
export class Place extends Context.Service<Place, { readonly root: string; readonly port: number }>()(
  "@filedrive/adapter-node/storage/disk/DiskStoreTest/Place"
) {}

/** Every file and directory that a store holds and that is more than its frame, below its root. */
export const filesIn = (root: string) =>
  Effect.promise(async () =>
    (await readdir(root, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name !== "credentials.json")
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)).sort()
  )

/** In memory where the machine has such a place: thousands of synced writes wait for no disk then. */
const parent = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

export const temporaryRoot = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(parent, "filedrive-disk-"))),
  (root) => Effect.promise(() => rm(root, { recursive: true, force: true }))
)

const listening = (handler: (req: IncomingMessage, res: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<Server>((resolve) => {
        const server = createServer({ requestTimeout: 0 }, handler)
        server.listen(0, "127.0.0.1", () => resolve(server))
      })
    ),
    (server) =>
      Effect.promise(() =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        })
      )
  )

export type ServedOptions = Pick<DiskStore.DiskStoreOptions, "idleTimeout">

/** A disk store whose routes listen on a port of this machine. */
export const served = (
  options: ServedOptions = {}
): Layer.Layer<Port.ObjectStore | DiskRoutes | Place, DriveError.Unavailable> =>
  Layer.effectContext(Effect.gen(function*() {
    const root = yield* temporaryRoot
    let handler: (req: IncomingMessage, res: ServerResponse) => void = (_req, res) => res.destroy()
    const server = yield* listening((req, res) => handler(req, res))
    const { port } = server.address() as AddressInfo
    const store = yield* Layer.build(
      DiskStore.layer({ root, endpoint: `http://127.0.0.1:${port}/storage`, ...options })
    )
    handler = Context.get(store, DiskRoutes).handleNode
    return Context.add(store, Place, { root, port })
  }))

/** A disk store reached through its web-standard handler, without a socket. */
export const webPlane: Layer.Layer<Port.ObjectStore | DiskRoutes | DataPlane, DriveError.Unavailable> = Layer
  .effectContext(Effect.gen(function*() {
    const root = yield* temporaryRoot
    const store = yield* Layer.build(DiskStore.layer({ root, endpoint: "http://drive.test/storage" }))
    const { handleWeb } = Context.get(store, DiskRoutes)
    return Context.add(
      store,
      DataPlane,
      DataPlane.of({
        fetch: (url, init) => {
          const request = new Request(url, { ...init, duplex: "half" } as RequestInit)
          // A server puts the length here; a Request that is made does not have it.
          if (init?.body instanceof Uint8Array) request.headers.set("content-length", String(init.body.length))
          return handleWeb(request)
        }
      })
    )
  }))
