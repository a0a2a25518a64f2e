/** Where and how webhooks are sent. Servers of these tests listen on loopback: one address stands for the public ones. */
import { assert, describe, it } from "@effect/vitest"
import { WebhookSender } from "@filedrive/core"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { IncomingMessage } from "node:http"
import { eventually } from "../../../core/test/FilesTest.ts"
import * as NodeWebhookSender from "../../src/remote/NodeWebhookSender.ts"
import { privateAddress, publicAddress, released, resolver, serve } from "./HostileServer.ts"

/** A sender for which one address alone is public, and http as good as https. */
const sender = (names: Parameters<typeof resolver>[0] = {}) =>
  NodeWebhookSender.layer({
    allowPrivateAddresses: true,
    lookup: resolver(names).lookup,
    allows: (address) => address === publicAddress
  })

const delivery = (url: string) => ({
  url,
  headers: { "X-A2A-Notification-Token": "tok-1", "Authorization": "Bearer cred-1" },
  body: "{\"task\":{\"id\":\"t\"}}"
})

const send = (url: string) => WebhookSender.WebhookSender.use((webhooks) => webhooks.send(delivery(url)))

const textOf = (request: IncomingMessage) =>
  new Promise<string>((resolve) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => resolve(Buffer.concat(chunks).toString()))
  })

describe("Webhooks", () => {
  it.effect("HOOK-1 a delivery is a POST of JSON with its headers", () =>
    Effect.gen(function*() {
      let body: Promise<string> | undefined
      const server = yield* serve((request, response) => {
        body = textOf(request)
        response.writeHead(204).end()
      })
      yield* send(server.url)
      assert.strictEqual(yield* Effect.promise(() => body!), delivery("").body)
      const [request] = server.requests
      assert.strictEqual(request!.method, "POST")
      assert.include(request!.headers, {
        "content-type": "application/json",
        "x-a2a-notification-token": "tok-1",
        "authorization": "Bearer cred-1"
      })
      yield* released(server)
    }).pipe(Effect.provide(sender())))

  it.effect.each(["never ends", "is larger than a megabyte", "breaks off"] as const)(
    "HOOK-1 what was answered 2xx is delivered, though the answer %s",
    (how) =>
      Effect.gen(function*() {
        const server = yield* serve((request, response) => {
          request.resume()
          response.writeHead(200)
          if (how === "never ends") response.write("…")
          else if (how === "breaks off") response.write("…", () => response.destroy())
          else response.end("x".repeat(2_000_000))
        })
        const sent = yield* Effect.forkChild(send(server.url))
        yield* eventually(Effect.sync(() => server.requests.length), (count) => count === 1)
        yield* Effect.raceFirst(Fiber.join(sent), Effect.forever(Effect.andThen(TestClock.adjust("1 second"), pause)))
        yield* released(server)
      }).pipe(Effect.provide(sender()))
  )

  it.effect.each([301, 302, 303, 307, 308, 400, 404, 410, 500, 503])(
    "HOOK-2 an answer %i is a failed delivery, and leads nowhere",
    (status) =>
      Effect.gen(function*() {
        const elsewhere = yield* serve((_, response) => response.end())
        const server = yield* serve((request, response) => {
          request.resume()
          response.writeHead(status, { location: elsewhere.url }).end()
        })
        const failure = yield* Effect.flip(send(server.url))
        assert.strictEqual(failure.reason, "server_refused")
        assert.lengthOf(elsewhere.requests, 0)
        yield* released(server)
      }).pipe(Effect.provide(sender()))
  )

  it.effect("HOOK-3 only https addresses on the public internet are taken", () =>
    Effect.gen(function*() {
      const webhooks = yield* WebhookSender.WebhookSender
      for (
        const url of [
          "https://example.com/hook",
          "https://example.com:8443/",
          "https://93.184.215.14/",
          "https://[2606:4700::1111]/"
        ]
      ) {
        yield* webhooks.check(url)
      }
      const refused = {
        "": "url_not_allowed",
        "example.com": "url_not_allowed",
        "/hook": "url_not_allowed",
        "ftp://example.com/": "url_not_allowed",
        "http://example.com/hook": "url_not_allowed",
        "https://user:password@example.com/": "url_not_allowed",
        "https://localhost/": "address_not_allowed",
        "https://app.localhost/": "address_not_allowed",
        "https://127.0.0.1/": "address_not_allowed",
        "https://2130706433/": "address_not_allowed",
        "https://0x7f.1/": "address_not_allowed",
        "https://10.1.2.3/": "address_not_allowed",
        "https://169.254.169.254/latest": "address_not_allowed",
        "https://[::1]/": "address_not_allowed",
        "https://[::ffff:10.0.0.1]/": "address_not_allowed"
      }
      for (const [url, reason] of Object.entries(refused)) {
        assert.strictEqual((yield* Effect.flip(webhooks.check(url))).reason, reason, url)
        assert.strictEqual((yield* Effect.flip(webhooks.send(delivery(url)))).reason, reason, url)
      }
    }).pipe(Effect.provide(NodeWebhookSender.layer())))

  it.effect.each([
    { names: [privateAddress] },
    { names: [publicAddress, privateAddress] },
    { names: [publicAddress, "::1"] }
  ])(
    "HOOK-3 a name that leads to $names is not connected to",
    ({ names }) =>
      Effect.gen(function*() {
        const inside = yield* serve((_, response) => response.end(), privateAddress)
        const outside = yield* serve((_, response) => response.end())
        for (const { port } of [inside, outside]) {
          const failure = yield* Effect.flip(send(`http://inside.test:${port}/`))
          assert.strictEqual(failure.reason, "address_not_allowed")
        }
        assert.lengthOf([...inside.requests, ...outside.requests], 0)
      }).pipe(Effect.provide(sender({ "inside.test": names })))
  )

  it.effect("HOOK-3 an address that turns out to be another one when the connection is made gets nothing", () =>
    Effect.gen(function*() {
      const server = yield* serve((_, response) => response.end())
      let looks = 0
      const changing = NodeWebhookSender.layer({
        allowPrivateAddresses: true,
        lookup: resolver().lookup,
        allows: () => looks++ === 0
      })
      const failure = yield* Effect.flip(Effect.provide(send(server.url), changing))
      assert.strictEqual(failure.reason, "address_not_allowed")
      assert.lengthOf(server.requests, 0)
    }))

  it.effect("HOOK-4 with private addresses allowed, http on this machine is reached", () =>
    Effect.gen(function*() {
      const server = yield* serve((request, response) => void request.resume().on("end", () => response.end()))
      yield* send(`http://127.0.0.1:${server.port}/`)
      yield* send(`http://localhost:${server.port}/`)
      assert.lengthOf(server.requests, 2)
    }).pipe(Effect.provide(NodeWebhookSender.layer({ allowPrivateAddresses: true }))))

  it.effect("HOOK-5 an attempt that is not answered ends after 10 seconds", () =>
    Effect.gen(function*() {
      const server = yield* serve((request) => request.resume())
      const sent = yield* Effect.forkChild(Effect.flip(send(server.url)))
      yield* eventually(Effect.sync(() => server.requests.length), (count) => count === 1)
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(sent.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(sent)).reason, "server_stalled")
      yield* released(server)
    }).pipe(Effect.provide(sender())))

  it.effect("HOOK-6 no failure says what was sent, or where", () =>
    Effect.gen(function*() {
      const server = yield* serve((_, response) => response.writeHead(500).end("tok-1 cred-1"))
      const urls = [
        server.url,
        "http://files.test:1/secret-path",
        "http://unknown.test/secret-path",
        "https://10.0.0.1/secret-path"
      ]
      for (const url of urls) {
        const failure = yield* Effect.flip(send(url))
        assert.notMatch(JSON.stringify(failure) + failure.message, /tok-1|cred-1|files\.test|secret-path|task/)
      }
    }).pipe(Effect.provide(sender())))
})

/** Lets what the machine reports come in. */
const pause = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})
