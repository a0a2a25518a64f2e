/** Servers that a test makes up, well-behaved and otherwise, and the client under test. */
import { RemoteFile } from "@filedrive/core"
import { Effect, type Scope, Stream } from "effect"
import type { LookupAddress } from "node:dns"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from "node:net"
import { eventually } from "../../../core/test/FilesTest.ts"
import * as NodeRemoteFile from "../../src/remote/NodeRemoteFile.ts"

/** Stands for the public Internet in these tests; every other address is as good as private. */
export const publicAddress = "127.0.0.1"
export const privateAddress = "127.0.0.2"

export const listening = <S extends Server>(server: S, host: string): Effect.Effect<number, never, Scope.Scope> =>
  Effect.gen(function*() {
    const sockets = new Set<Socket>()
    server.on("connection", (socket: Socket) => {
      sockets.add(socket)
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket))
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(0, host, () => resume(Effect.void))
      }),
      () =>
        Effect.callback<void>((resume) => {
          for (const socket of sockets) socket.destroy()
          server.close(() => resume(Effect.void))
        })
    )
    return (server.address() as AddressInfo).port
  })

export interface Served {
  readonly port: number
  /** At the name that leads there. */
  readonly url: string
  readonly requests: Array<IncomingMessage>
  /** How many connections are open. */
  readonly connections: Effect.Effect<number>
}

/** Serves HTTP until the scope closes. */
export const serve = Effect.fnUntraced(function*(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  host = publicAddress
): Effect.fn.Return<Served, never, Scope.Scope> {
  const requests: Array<IncomingMessage> = []
  const listener: RequestListener = (request, response) => {
    requests.push(request)
    handler(request, response)
  }
  const server = createServer(listener)
  const port = yield* listening(server, host)
  const connections = Effect.callback<number>((resume) => {
    server.getConnections((_, count) => resume(Effect.succeed(count)))
  })
  return { port, url: `http://files.test:${port}/file.bin`, requests, connections }
})

/** Serves whatever is written to the socket once a request has come. */
export const serveRaw = Effect.fnUntraced(function*(
  answer: (socket: Socket) => void
): Effect.fn.Return<string, never, Scope.Scope> {
  const server = createRawServer((socket) => void socket.once("data", () => answer(socket)))
  return `http://files.test:${yield* listening(server, publicAddress)}/file.bin`
})

/** Answers of the resolver by name; every lookup is counted. */
export const resolver = (
  names: Readonly<Record<string, ReadonlyArray<string> | (() => ReadonlyArray<string>)>> = {}
) => {
  const asked: Array<string> = []
  const known: typeof names = { "files.test": [publicAddress], "private.test": [privateAddress], ...names }
  const lookup = async (host: string): Promise<ReadonlyArray<LookupAddress>> => {
    asked.push(host)
    const found = known[host]
    if (found === undefined) throw Object.assign(new Error("unknown"), { code: "ENOTFOUND" })
    return (typeof found === "function" ? found() : found).map((address) => ({
      address,
      family: address.includes(":") ? 6 : 4
    }))
  }
  return { asked, lookup }
}

/** The client, for which one address alone is public. */
export const client = (names: Parameters<typeof resolver>[0] = {}) =>
  NodeRemoteFile.layer({ lookup: resolver(names).lookup, allows: (address) => address === publicAddress })

/** The answer of a fetch with its whole body. */
export const fetched = (url: string, resume: RemoteFile.ResumePoint | null = null) =>
  RemoteFile.RemoteFile.use((remote) =>
    Effect.scoped(Effect.gen(function*() {
      const { body, ...answer } = yield* remote.open(url, resume)
      return { ...answer, text: Buffer.from(yield* Stream.mkUint8Array(body)).toString("latin1") }
    }))
  )

/** Why a fetch fails. */
export const reason = (url: string, resume: RemoteFile.ResumePoint | null = null) =>
  Effect.map(Effect.flip(fetched(url, resume)), (failure) => failure.reason)

/** No connection is left to the server. */
export const released = ({ connections }: Served) => eventually(connections, (open) => open === 0)
