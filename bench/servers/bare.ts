/** `node:http` and nothing else: PUT streams a body to a file, GET pipes one out. */
import { createReadStream, createWriteStream } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { options, ready } from "./parent.ts"

/** `bufferBytes`: how much is held before a side waits; Node's own default when left out. */
const { bufferBytes, directory } = options<{ readonly directory: string; readonly bufferBytes?: number }>()
const buffers = bufferBytes === undefined ? {} : { highWaterMark: bufferBytes }

const handle = async (request: IncomingMessage, response: ServerResponse) => {
  const path = join(directory, request.url!.slice(1))
  if (request.method === "PUT") {
    await pipeline(request, createWriteStream(path, buffers))
    response.writeHead(201, { "content-length": 0 }).end()
    return
  }
  const size = Number(request.headers["x-size"])
  response.writeHead(200, { "content-type": "application/octet-stream", "content-length": size })
  createReadStream(path, buffers).pipe(response)
}

const server = createServer({ requestTimeout: 0, ...buffers }, (request, response) => void handle(request, response))
server.listen(0, "127.0.0.1", () => ready({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
