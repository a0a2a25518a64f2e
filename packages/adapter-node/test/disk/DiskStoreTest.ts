/** A disk store in a directory of its own, on a server of its own. */
import { assert } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { DataPlane } from "@filedrive/testing/suites"
import { Context, DateTime, Duration, Effect, Layer, Stream } from "effect"
import { existsSync, readdirSync, readlinkSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, createConnection, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DiskRoutes } from "../../src/storage/disk/DiskRoutes.ts"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"
import { Layout } from "../../src/storage/disk/Layout.ts"
import { Sealing } from "../../src/storage/disk/Seal.ts"
import type { StorageNotOpened } from "../../src/storage/disk/StorageNotOpened.ts"
import { formBody } from "../formBody.ts"

/** The directory and address of the store under test. */
export class Place extends Context.Service<Place, { readonly root: string; readonly port: number }>()(
  "@filedrive/adapter-node/test/disk/DiskStoreTest/Place"
) {}

const walk = async (directory: string): Promise<Array<string>> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const found = await Promise.all(entries.map((entry) => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? walk(path) : [path]
  }))
  return found.flat()
}

/** Every file of a store below its root, its credentials and the permissions of forms aside. */
export const filesIn = (root: string) =>
  Effect.map(
    Effect.promise(() => walk(root)),
    (files) =>
      files.map((path) => path.slice(root.length + 1))
        .filter((path) => !["credentials.json", "copies.reserve"].includes(path))
        .filter((path) => !path.startsWith("s/") || path.startsWith("s/arrived.")).sort()
  )

/** The bytes of all files of a store, without its JSON files. A file with two names counts once. */
export const bytesIn = Effect.fnUntraced(function*(root: string) {
  const files = (yield* filesIn(root)).filter((file) => !file.endsWith(".json"))
  const states = yield* Effect.promise(() => Promise.all(files.map((file) => stat(join(root, file)).catch(() => null))))
  const sizes = new Map(states.flatMap((state) => state === null ? [] : [[state.ino, state.size] as const]))
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
})

/** Descriptors of files that this process has open below `root`. */
export const openFiles = (root: string): ReadonlyArray<string> =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(root) ? [path] : []
    } catch {
      return []
    }
  })

/** A connection that sends `text` at once. */
export const connect = (port: number, text: string) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = createConnection(port, "127.0.0.1", () => {
        socket.write(text)
        resume(Effect.succeed(socket))
      })
      socket.on("error", () => {})
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** Everything that comes until the connection is closed. */
export const answerOf = (socket: Socket) =>
  Effect.callback<string>((resume) => {
    let text = ""
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
    })
    socket.on("close", () => resume(Effect.succeed(text)))
  })

/** One turn of the event loop. */
export const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Waits, turn by turn of the event loop, for what another connection brings about. */
export const eventually = Effect.fnUntraced(function*<E, R>(holds: Effect.Effect<boolean, E, R>) {
  for (let turns = 0; turns < 50_000; turns++) {
    if (yield* holds) return
    yield* turn
  }
  assert.fail("it never came about")
})

export const headers: Port.ObjectHeaders = {
  contentType: "text/html",
  contentDisposition: "attachment; filename=a.html",
  cacheControl: "no-cache"
}

let keys = 0
export const fresh = (bucket: Port.Bucket = "private"): Port.ObjectAddress => ({ bucket, key: `files/disk/${++keys}` })

export const lifetime = Duration.days(2)
export const inTwoDays = Effect.map(DateTime.now, (now) => DateTime.addDuration(now, lifetime))

export const read = Effect.fnUntraced(function*(at: Port.ObjectAddress) {
  const store = yield* Port.ObjectStore
  return new Uint8Array(yield* Stream.mkUint8Array(store.get(at)))
})

/** Sends a form; the status of the answer. */
export const post = (form: Port.SignedForm, file: BlobPart) =>
  Effect.promise(async () => (await fetch(form.url, { method: "POST", body: formBody(form.fields, file) })).status)

/** A new upload of one part, and the head of a request that sends the part. */
export const openUpload = Effect.fnUntraced(function*(sizeBytes: number) {
  const store = yield* Port.ObjectStore
  const at = fresh()
  const uploadId = yield* store.createUpload(at, headers)
  const parts = [{ partNumber: 1, sizeBytes }]
  const [url = ""] = yield* store.signParts({ at, uploadId, parts, lifetime: Duration.days(1) })
  const { pathname, search } = new URL(url)
  const start =
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${sizeBytes}\r\n\r\n`
  return { at, uploadId, url, start }
})

export const putBytes = Effect.fnUntraced(
  function*(at: Port.ObjectAddress, bytes: Uint8Array, own: Port.ObjectHeaders = headers) {
    const store = yield* Port.ObjectStore
    return yield* store.put({ at, headers: own, sizeBytes: bytes.length, body: Stream.make(bytes) })
  }
)

/** Stores an object as an earlier release did: a directory with its description and one part file, sealed or not. */
export const putAsBefore = Effect.fnUntraced(function*(at: Port.ObjectAddress, bytes: Uint8Array, isSealed = true) {
  const { root } = yield* Place
  const directory = new Layout(root).object(at)
  const sealing = new Sealing()
  sealing.add(bytes)
  const meta = {
    key: at.key,
    headers,
    sizeBytes: bytes.length,
    etag: "0123456789abcdef0123456789abcdef",
    storedMillis: 1,
    parts: [{ firstNumber: 1, count: 1, sizeBytes: bytes.length }]
  }
  yield* Effect.promise(async () => {
    await mkdir(directory, { mode: 0o700 })
    await writeFile(join(directory, "meta.json"), JSON.stringify(meta))
    await writeFile(join(directory, "p00001"), isSealed ? Buffer.concat([bytes, sealing.end()]) : bytes)
  })
  return directory
})

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
): Layer.Layer<Port.ObjectStore | DiskRoutes | Place, StorageNotOpened> =>
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
export const webPlane: Layer.Layer<Port.ObjectStore | DiskRoutes | DataPlane, StorageNotOpened> = Layer
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
