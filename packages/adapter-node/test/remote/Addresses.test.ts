/** Where a fetch may lead. Servers of these tests listen on loopback: one address stands for the public ones. */
import { assert, describe, it } from "@effect/vitest"
import { RemoteFile } from "@filedrive/core"
import { Effect, Layer, Logger } from "effect"
import { createServer as createRawServer } from "node:net"
import * as NodeRemoteFile from "../../src/remote/NodeRemoteFile.ts"
import { isPublic } from "../../src/remote/PublicAddress.ts"
import { client, fetched, listening, privateAddress, publicAddress, reason, resolver, serve } from "./HostileServer.ts"

const secrets = serve((_, response) => response.end("secret"), privateAddress)

const redirecting = (location: string | undefined, status = 302) =>
  serve((_, response) => {
    response.writeHead(status, location === undefined ? {} : { location }).end("elsewhere")
  })

describe("Addresses", () => {
  it.effect("HOSTILE-31 a name leads to the one address it was looked up as, once, whatever it answers later", () =>
    Effect.gen(function*() {
      const inside = yield* secrets
      const outside = yield* serve((_, response) => response.end("public"))
      let looks = 0
      // Public at first, and private as soon as it was checked.
      const { asked, lookup } = resolver({ "files.test": () => looks++ === 0 ? [publicAddress] : [privateAddress] })
      const remote = NodeRemoteFile.layer({ lookup, allows: (address) => address === publicAddress })
      const { text } = yield* Effect.provide(fetched(outside.url), remote)
      assert.strictEqual(text, "public")
      assert.deepStrictEqual(asked, ["files.test"])
      assert.strictEqual(yield* Effect.provide(reason(outside.url), remote), "address_not_allowed")
      assert.lengthOf(inside.requests, 0)
    }))

  it.effect.each(["http", "https"])(
    "HOSTILE-31 the connection itself is asked where it leads, before anything is sent (%s)",
    (scheme) =>
      Effect.gen(function*() {
        let sent = 0
        const server = createRawServer((socket) => void socket.on("data", () => sent++).on("error", () => undefined))
        const port = yield* listening(server, publicAddress)
        let looks = 0
        // Allowed when it was looked up, and not where it is connected.
        const remote = NodeRemoteFile.layer({ lookup: resolver().lookup, allows: () => looks++ === 0 })
        assert.strictEqual(
          yield* Effect.provide(reason(`${scheme}://files.test:${port}/`), remote),
          "address_not_allowed"
        )
        assert.deepStrictEqual([looks, sent], [2, 0])
      })
  )

  it.effect.each([
    { names: [privateAddress] },
    { names: [publicAddress, privateAddress] },
    { names: [privateAddress, publicAddress] },
    { names: [publicAddress, "::1"] },
    { names: [publicAddress, "::ffff:10.0.0.1"] },
    { names: [publicAddress, "fe80::1%eth0"] }
  ])("HOSTILE-31 a name that leads to $names is not connected to at all", ({ names }) =>
    Effect.gen(function*() {
      const outside = yield* serve((_, response) => response.end("public"))
      assert.strictEqual(
        yield* Effect.provide(reason(outside.url), client({ "files.test": names })),
        "address_not_allowed"
      )
      assert.lengthOf(outside.requests, 0)
    }))

  it.effect("HOSTILE-31 a name without an address, or without a server, is said to be so", () =>
    Effect.gen(function*() {
      const remote = yield* RemoteFile.RemoteFile
      const unknown = yield* Effect.flip(Effect.scoped(remote.open("http://unknown.test/", null)))
      assert.deepInclude(unknown, { reason: "server_unreachable", retryable: false })
      const empty = yield* Effect.flip(Effect.scoped(remote.open("http://empty.test/", null)))
      assert.deepInclude(empty, { reason: "server_unreachable", retryable: false })
      const gone = yield* Effect.scoped(serve(() => undefined))
      const closed = yield* Effect.flip(Effect.scoped(remote.open(gone.url, null)))
      assert.deepInclude(closed, { reason: "server_unreachable", retryable: true })
    }).pipe(Effect.provide(client({ "empty.test": [] }))))

  it.effect("HOSTILE-30 HOSTILE-37 by default no server of this machine is reached, by whatever spelling of its address", () =>
    Effect.gen(function*() {
      const { port, requests } = yield* serve((_, response) => response.end("mine"))
      const remote = yield* RemoteFile.RemoteFile
      for (
        const host of ["127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "0177.1", "[::ffff:127.0.0.1]", "localhost"]
      ) {
        const url = `http://${host}:${port}/`
        assert.strictEqual((yield* Effect.flip(remote.check(url))).reason, "address_not_allowed")
        assert.strictEqual(yield* reason(url), "address_not_allowed")
      }
      assert.lengthOf(requests, 0)
    }).pipe(Effect.provide(NodeRemoteFile.layer())))

  it.effect("HOSTILE-37 where the host says so they are, and the log warns of it", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const log = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
      const { port } = yield* serve((_, response) => response.end("mine"))
      const url = `http://localhost:${port}/`
      const remote = (allowPrivateAddresses: boolean) =>
        Layer.provide(NodeRemoteFile.layer({ allowPrivateAddresses }), log)
      const { text } = yield* Effect.provide(fetched(url), remote(true))
      assert.strictEqual(text, "mine")
      assert.lengthOf(lines, 1)
      assert.match(lines[0]!, /level=WARN.*allowPrivateAddresses/i)
      lines.length = 0
      assert.strictEqual(yield* Effect.provide(reason(url), remote(false)), "address_not_allowed")
      assert.lengthOf(lines, 0)
    }))

  it.effect.each([
    `http://${privateAddress}:PORT/`,
    "http://private.test:PORT/",
    "http://2130706434:PORT/",
    "http://0x7f.2:PORT/",
    "//private.test:PORT/",
    `http://[::ffff:${privateAddress}]:PORT/`
  ])("HOSTILE-32 a redirect to %s goes nowhere", (location) =>
    Effect.gen(function*() {
      const inside = yield* secrets
      for (const status of [301, 302, 303, 307, 308]) {
        const outside = yield* redirecting(location.replace("PORT", String(inside.port)), status)
        assert.strictEqual(yield* reason(outside.url), "address_not_allowed")
      }
      assert.lengthOf(inside.requests, 0)
    }).pipe(Effect.provide(client())))

  it.effect.each<[location: string | undefined, reason: string]>([
    ["http://169.254.169.254/latest/meta-data/", "address_not_allowed"],
    ["http://[fd00:ec2::254]/latest/meta-data/", "address_not_allowed"],
    ["file:///etc/passwd", "url_not_allowed"],
    ["ftp://files.test/a", "url_not_allowed"],
    ["http://user:secret@files.test/", "url_not_allowed"],
    ["http://files.test:22/", "url_not_allowed"],
    ["http://", "url_not_allowed"],
    [undefined, "invalid_answer"]
  ])("HOSTILE-32 a redirect to %s is %s", ([location, expected]) =>
    Effect.gen(function*() {
      const { url } = yield* redirecting(location)
      assert.strictEqual(yield* reason(url), expected)
    }).pipe(Effect.provide(NodeRemoteFile.layer({
      lookup: resolver().lookup,
      allows: (address) => address === publicAddress || isPublic(address)
    }))))

  it.effect("HOSTILE-32 five redirects are followed, six are not, and a loop ends", () =>
    Effect.gen(function*() {
      const chain = yield* serve((request, response) => {
        const left = Number(request.url!.slice(1))
        if (left === 0) response.end("there")
        else response.writeHead(302, { location: `/${left - 1}` }).end()
      })
      const at = (left: number) => `http://files.test:${chain.port}/${left}`
      const { finalUrl, text } = yield* fetched(at(5))
      assert.deepStrictEqual([finalUrl, text], [at(0), "there"])
      chain.requests.length = 0
      assert.strictEqual(yield* reason(at(6)), "too_many_redirects")
      assert.lengthOf(chain.requests, 6)
      const loop = yield* redirecting("/file.bin")
      assert.strictEqual(yield* reason(loop.url), "too_many_redirects")
      assert.lengthOf(loop.requests, 6)
    }).pipe(Effect.provide(client())))

  it.effect("HOSTILE-32 a server is told nothing but what is asked for, and by no proxy", () =>
    Effect.gen(function*() {
      const proxy = yield* serve((_, response) => response.end("proxied"))
      const variables = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "NODE_USE_ENV_PROXY"]
      const before = variables.map((name) => [name, process.env[name]] as const)
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          for (const name of variables) {
            process.env[name] = name.startsWith("NODE")
              ? "1"
              : `http://127.0.0.1:${proxy.port}`
          }
        }),
        () =>
          Effect.sync(() => {
            for (const [name, value] of before) {
              if (value === undefined) delete process.env[name]
              else process.env[name] = value
            }
          })
      )
      const target = yield* serve((_, response) => response.end("there"))
      const first = yield* serve((_, response) => {
        response.writeHead(302, {
          location: target.url,
          "set-cookie": "a=b; Domain=files.test",
          "www-authenticate": "Basic"
        })
        response.end()
      })
      assert.strictEqual((yield* fetched(`${first.url}?secret=1#part`)).text, "there")
      for (const [at, { headers, url }] of [...first.requests, ...target.requests].entries()) {
        assert.strictEqual(url, at === 0 ? "/file.bin?secret=1" : "/file.bin")
        assert.deepStrictEqual(headers, {
          accept: "*/*",
          "accept-encoding": "identity",
          connection: "close",
          host: `files.test:${at === 0 ? first.port : target.port}`,
          "user-agent": "filedrive"
        })
      }
      assert.lengthOf(proxy.requests, 0)
    }).pipe(Effect.provide(client())))
})
