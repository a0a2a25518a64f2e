/** A proxy that offers TLS before a PostgreSQL server, by a certificate of its own for `localhost`. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { TLSSocket } from "node:tls"

/** Of no use to anybody: key and certificate are public, and only tests trust them. */
export const certificate = `
-----BEGIN CERTIFICATE-----
MIIBZjCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKdh6FeiMbLtebCI
CgmBHFAcZwgY0TUo62TjtMej1txgQd8VuFM7A1PG3R8YzIu8yfs9QDHmuCHWsgiP
hK+4jS+jTjBMMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0
hwR/AAABMB0GA1UdDgQWBBSnEkqpzFRZFTT0kgn6BjvlWzKXvzAKBggqhkjOPQQD
AgNHADBEAiBtpdbqxq8dbdVK/AIX0JNaRh9aPEotiMnXpNy7/7RXlgIgARaCcIu7
/FJ72Fvjvq4NC1kAY5QJoe196+svzK6n/7s=
-----END CERTIFICATE-----
`

const key = `
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSiLUgXOyHboHt/fT
3Rudfd1X37z7rEwBkEZov9lCJ16hRANCAASnYehXojGy7XmwiAoJgRxQHGcIGNE1
KOtk47THo9bcYEHfFbhTOwNTxt0fGMyLvMn7PUAx5rgh1rIIj4SvuI0v
-----END PRIVATE KEY-----
`

export const startTlsProxy = async (url: string) => {
  const target = new URL(url)
  const open = new Set<{ destroy: () => unknown }>()
  let encrypted = 0
  const relay = (client: Socket) => {
    const server = connect(Number(target.port), target.hostname)
    const secure = new TLSSocket(client, { isServer: true, key, cert: certificate })
    secure.once("secure", () => encrypted++)
    for (const [end, other] of [[secure, server], [server, secure]] as const) {
      open.add(end)
      end.pipe(other)
      end.on("error", () => other.destroy()).on("close", () => {
        open.delete(end)
        other.destroy()
      })
    }
  }
  const proxy = createServer((client) => {
    client.on("error", () => client.destroy())
    // The request for TLS, to which the answer is one letter.
    client.once("data", () => {
      client.write("S")
      relay(client)
    })
  })
  proxy.listen(0, "127.0.0.1")
  await once(proxy, "listening")
  const through = new URL(url)
  through.hostname = "localhost"
  through.port = String((proxy.address() as AddressInfo).port)
  through.searchParams.set("sslmode", "verify-full")
  return {
    url: through.href,
    /** How many connections have been encrypted. */
    encrypted: () => encrypted,
    close: async () => {
      for (const socket of open) socket.destroy()
      proxy.close()
      await once(proxy, "close")
    }
  }
}
