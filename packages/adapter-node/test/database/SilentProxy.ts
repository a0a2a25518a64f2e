/** A TCP proxy before a server whose connections can go silent: what they are sent is taken and goes nowhere. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

interface Pair {
  readonly client: Socket
  readonly server: Socket
}

export const startSilentProxy = async (url: string) => {
  const target = new URL(url)
  const pairs = new Set<Pair>()
  let opened = 0
  const proxy = createServer((client) => {
    opened++
    const server = connect(Number(target.port), target.hostname)
    const pair = { client, server }
    pairs.add(pair)
    client.pipe(server)
    server.pipe(client)
    client.on("error", () => server.destroy()).on("close", () => server.destroy())
    server.on("error", () => client.destroy()).on("close", () => pairs.delete(pair))
  })
  proxy.listen(0, "127.0.0.1")
  await once(proxy, "listening")
  const through = new URL(url)
  through.hostname = "127.0.0.1"
  through.port = String((proxy.address() as AddressInfo).port)
  return {
    url: through.href,
    /** How many connections were ever made through it. */
    opened: () => opened,
    /** Connections that are there now swallow what either side sends. New ones work. */
    silence: () => {
      for (const { client, server } of pairs) {
        client.unpipe(server)
        server.unpipe(client)
        client.resume()
        server.resume()
      }
    },
    close: async () => {
      for (const { client, server } of pairs) {
        client.destroy()
        server.destroy()
      }
      proxy.close()
      await once(proxy, "close")
    }
  }
}
