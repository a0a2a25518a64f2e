/** A TCP proxy before PostgreSQL whose connections are cut, also just after a `COMMIT` has gone through, so that its answer is lost. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export const startFaultyProxy = async (url: string) => {
  const target = new URL(url)
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket }>()
  let toLose = 0
  let lost = 0
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    const pair = { client, server }
    pairs.add(pair)
    client.on("data", (chunk: Buffer) => {
      server.write(chunk)
      if (toLose === 0 || !chunk.includes("COMMIT")) return
      toLose--
      lost++
      client.destroy()
      // The server reads what it was sent, and then the end.
      server.end()
    })
    server.pipe(client)
    client.on("error", () => server.end()).on("close", () => server.end())
    server.on("error", () => client.destroy()).on("close", () => pairs.delete(pair))
  })
  proxy.listen(0, "127.0.0.1")
  await once(proxy, "listening")
  const through = new URL(url)
  through.hostname = "127.0.0.1"
  through.port = String((proxy.address() as AddressInfo).port)
  return {
    url: through.href,
    /** The answers of the next so many commits are lost, with their connections. */
    loseCommits: (count: number) => void (toLose = count),
    /** How many were. */
    lost: () => lost,
    /** Ends every connection that is there now. */
    cut: () => {
      for (const { client, server } of pairs) {
        client.destroy()
        server.destroy()
      }
    },
    /** Connections that are there now swallow what either side sends. New ones work. */
    silence: () => {
      for (const { client, server } of pairs) {
        client.removeAllListeners("data").resume()
        server.unpipe(client)
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
