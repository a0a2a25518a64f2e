/** A proxy by which a host is reached that nobody reaches otherwise. RFC 9110, "CONNECT" and RFC 9112, "absolute-form". */
import { createServer, request } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"

export interface ForwardProxy {
  readonly url: string
  /** Requests and tunnels so far. */
  readonly count: () => number
  readonly close: () => Promise<void>
}

/** Whatever is asked of it goes to the target. */
export const forwardProxy = async (target: string): Promise<ForwardProxy> => {
  const { hostname, port } = new URL(target)
  let count = 0
  const sockets = new Set<Socket>()
  const server = createServer((incoming, outgoing) => {
    count++
    const { pathname, search } = new URL(incoming.url!)
    const { headers, method } = incoming
    const onward = request({ hostname, port, method, headers, path: pathname + search }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on("error", () => outgoing.destroy())
    outgoing.on("close", () => onward.destroy())
    incoming.pipe(onward)
  })
  server.on("connect", (_request, socket: Socket, head: Buffer) => {
    count++
    sockets.add(socket)
    const onward = connect({ host: hostname, port: Number(port) }, () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n")
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on("error", () => socket.destroy())
    socket.on("error", () => onward.destroy())
    socket.on("close", () => {
      sockets.delete(socket)
      onward.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    close: async () => {
      server.closeAllConnections()
      // What has become a tunnel is no connection of the server's any more.
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
