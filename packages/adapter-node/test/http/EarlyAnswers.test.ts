/** Requests that are answered before their bodies have come, on servers of hosts' own. */
import { assert, describe, it } from "@effect/vitest"
import { DriveHttp } from "@filedrive/core"
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { vi } from "vitest"
import { bind } from "../../src/http/Binding.ts"
import { listen } from "../../src/http/DriveServer.ts"
import { StorageRoutes } from "../../src/StorageRoutes.ts"
import { answerOf, connect, eventually } from "../disk/DiskStoreTest.ts"
import { temporaryDrive } from "../hosts/hosts.ts"

const listening = (server: Server) =>
  Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  ).pipe(Effect.map(() => (server.address() as AddressInfo).port))

/** A drive that answers every call at once, and reads no body. */
const Refusing = Layer.mock(DriveHttp, {
  app: Effect.succeed(HttpServerResponse.text("no", { status: 401 })),
  fetch: () => Promise.reject(new Error("not asked")),
  owns: () => true
})

const call = (length: number) => `POST /api/a HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`

describe("Early answers", () => {
  it.effect("HOST-22 a body that drips on once its call is answered has 10 seconds, on a server of a host's own", () =>
    Effect.scoped(Effect.gen(function*() {
      const binding = yield* bind("/storage")
      const port = yield* listening(
        createServer((request, response) => binding.node(request, response, request.url ?? ""))
      )
      const dripping = yield* connect(port, call(1_000))
      const whole = yield* connect(port, call(1) + "x")
      let answered = 0
      for (const socket of [dripping, whole]) socket.on("data", () => answered++)
      yield* eventually(Effect.sync(() => answered === 2))
      for (let second = 1; second < 10; second++) {
        dripping.write("x")
        yield* TestClock.adjust("1 second")
      }
      assert.isFalse(dripping.closed)
      yield* TestClock.adjust("1 second")
      yield* eventually(Effect.sync(() => dripping.closed))
      yield* TestClock.adjust("1 hour")
      assert.isFalse(whole.closed)
      whole.write(call(1) + "x")
      yield* eventually(Effect.sync(() => answered === 3))
    })).pipe(Effect.provide([Refusing, StorageRoutes.none])))

  it.live("HOST-22 so it has on a server of the drive's, whoever answers", () =>
    Effect.scoped(Effect.gen(function*() {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => listen((_, response) => void response.end("no"), { port: 0, restMillis: 200 })),
        (server) => Effect.promise(() => server.stop())
      )
      const port = Number(new URL(server.origin).port)
      const heads = ["", "Expect: nonsense\r\n", "Connection: upgrade\r\nUpgrade: websocket\r\n"]
      for (const head of heads) {
        const dripping = yield* connect(port, `POST / HTTP/1.1\r\nHost: x\r\n${head}Content-Length: 100000\r\n\r\n`)
        let isAnswered = false
        dripping.on("error", () => {}).once("data", () => {
          isAnswered = true
        })
        yield* eventually(Effect.sync(() => isAnswered))
        yield* eventually(Effect.sync(() => {
          if (!dripping.destroyed) dripping.write("x")
          return dripping.closed
        }))
      }
    })), 30_000)

  it.live(
    "HOST-23 a call's body that does not come is answered after 30 seconds, and its connection closed",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { close, drive } = yield* Effect.promise(() => temporaryDrive({ url: "http://drive.test" }))
        yield* Effect.addFinalizer(() => Effect.promise(close))
        yield* Effect.promise(() => drive.ready())
        const { userId } = (yield* Effect.promise(() => drive.accounts.create({})))!
        const { token } = yield* Effect.promise(() => drive.sessions.open(userId))
        const port = yield* listening(createServer((request, response) => drive.nodeHandler(request, response)))
        const begun = new Promise<() => void>((resolve) => {
          const real = setTimeout
          // Only the body's own time is moved: it is the one timer of 30 seconds.
          vi.spyOn(globalThis, "setTimeout").mockImplementation(
            ((work: () => void, millis: number) => {
              if (millis === 30_000) {
                resolve(work)
                return real(() => {}, 0)
              }
              return real(work, millis)
            }) as never
          )
        })
        yield* Effect.addFinalizer(() => Effect.sync(() => void vi.restoreAllMocks()))
        const socket = yield* connect(
          port,
          `POST /api/search-files HTTP/1.1\r\nHost: x\r\nX-Service-App: filedrive\r\nAuthorization: Bearer ${token}\r\n` +
            "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        )
        const answer = answerOf(socket)
        ;(yield* Effect.promise(() => begun))()
        const text = yield* answer
        assert.match(text, /^HTTP\/1\.1 400 /)
        assert.match(text, /connection: close/i)
        assert.include(text, "The body took too long to arrive.")
      })),
    30_000
  )
})
