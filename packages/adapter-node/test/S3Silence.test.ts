/** An engine that takes connections and says nothing more. */
import { assert, describe, it } from "@effect/vitest"
import type { ObjectStore as Port } from "@filedrive/core"
import { Duration, Effect, Exit, Fiber, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { type Asked, type FakeS3, withEngine } from "./FakeS3.ts"

const at = { bucket: "private", key: "files/a/b" } as const
const headers = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "no-store" }

type Store = Port.ObjectStore["Service"]

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
const until = Effect.fnUntraced(function*(holds: () => boolean) {
  for (let turns = 0; turns < 100_000; turns++) {
    if (holds()) return
    yield* turn
  }
  assert.fail("it never came about")
})

/** Runs `call` on an engine that is silent from its start on; returns how long it took, and how often the engine was asked. */
const silently = <A, E>(call: (store: Store) => Effect.Effect<A, E>, tryLasts: Duration.Input) => {
  let isSilent = false
  return withEngine(() => isSilent ? undefined : { status: 200 }, (store, { asked }: FakeS3) =>
    Effect.gen(function*() {
      isSilent = true
      const before = asked.length
      const fiber = yield* Effect.forkChild(Effect.flip(call(store)), { startImmediately: true })
      for (let tries = 1; tries <= 3; tries++) {
        yield* until(() => asked.length === before + tries)
        yield* TestClock.adjust(Duration.subtract(Duration.fromInputUnsafe(tryLasts), Duration.millis(1)))
        yield* turn
        assert.strictEqual(asked.length, before + tries)
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust(Duration.millis(1))
        if (tries < 3) yield* TestClock.adjust(Duration.millis(200 * tries))
      }
      const failure = yield* Fiber.join(fiber)
      assert.strictEqual(asked.length, before + 3)
      return failure
    }))
}

describe("S3 store on an engine that goes silent", () => {
  it.effect.each<readonly [string, (store: Store) => Effect.Effect<unknown, { readonly code: string }>, string]>([
    ["head", (store) => store.head(at), "storage_unavailable"],
    ["createUpload", (store) => store.createUpload(at, headers), "storage_unavailable"],
    ["listParts", (store) => store.listParts(at, "u"), "storage_unavailable"],
    ["get, until it begins", (store) => Stream.runDrain(store.get(at)), "fetching_file_failed"],
    ["list", (store) => Stream.runDrain(store.list("private", "")), "storage_unavailable"]
  ])(
    "STO-66 %s is given up after 10 seconds, and after three tries",
    ([, call, code]) => Effect.map(silently(call, "10 seconds"), (failure) => assert.strictEqual(failure.code, code))
  )

  it.effect("STO-66 removing is given up too, and says that all is still there", () =>
    Effect.gen(function*() {
      const left = yield* silently((store) => Effect.flip(store.remove([at])), "10 seconds")
      assert.deepStrictEqual(left, [at])
    }))

  it.effect("STO-66 a copy, for which engines move bytes before they answer, has two minutes while the engine answers others", () => {
    let isSilent = false
    return withEngine(() => isSilent ? undefined : { status: 200 }, (store, { asked }) =>
      Effect.gen(function*() {
        isSilent = true
        const copy = store.copy(at, { ...at, key: "files/a/c" }, headers)
        const fiber = yield* Effect.forkChild(Effect.flip(copy), { startImmediately: true })
        for (let tries = 1; tries <= 3; tries++) {
          yield* until(() => asked.length === tries)
          for (let step = 0; step < 15; step++) {
            // It asks itself whether the engine answers, but has no time for that while the clock is moved.
            yield* store.check
            assert.isUndefined(fiber.pollUnsafe())
            yield* TestClock.adjust("8 seconds")
          }
          if (tries < 3) yield* TestClock.adjust(Duration.millis(200 * tries))
        }
        assert.strictEqual((yield* Fiber.join(fiber)).code, "storage_unavailable")
      }))
  })

  it.effect("STO-66 an answer that stops in its middle counts as none", () => {
    let isSilent = false
    return withEngine(
      (_, __, response: ServerResponse) => {
        if (!isSilent) return { status: 200 }
        response.writeHead(200, { "content-type": "application/xml" })
        response.write("<?xml version=\"1.0\"?><ListPartsResult>")
        return "silent"
      },
      (store, { asked }) =>
        Effect.gen(function*() {
          isSilent = true
          const before = asked.length
          const fiber = yield* Effect.forkChild(Effect.flip(store.listParts(at, "u")), { startImmediately: true })
          for (let tries = 1; tries <= 3; tries++) {
            yield* until(() => asked.length === before + tries)
            yield* TestClock.adjust("10 seconds")
            yield* TestClock.adjust(Duration.millis(200 * tries))
          }
          assert.strictEqual((yield* Fiber.join(fiber)).code, "storage_unavailable")
        })
    )
  })

  it.effect("STO-66 a connection that came back is used by the next try", () => {
    let calls = 0
    let isSilent = false
    return withEngine(
      () => !isSilent ? { status: 200 } : ++calls > 1 ? { status: 404 } : undefined,
      (store) =>
        Effect.gen(function*() {
          isSilent = true
          const fiber = yield* Effect.forkChild(store.head(at), { startImmediately: true })
          yield* until(() => calls === 1)
          yield* TestClock.adjust("10400 millis")
          assert.isTrue(Option.isNone(yield* Fiber.join(fiber)))
        })
    )
  })
})

/** A store whose engine is silent on all connections, or on those that are there, when it is told to be. */
const onSilentEngine = <A, E>(
  use: (store: Store, engine: FakeS3, set: (silent: boolean) => void) => Effect.Effect<A, E>
) => {
  let isSilent = false
  const answer = () => isSilent ? "silent" as const : { status: 200, headers: objectHeaders }
  return withEngine(
    answer,
    (store, engine) => use(store, engine, (silent) => isSilent = silent),
    {},
    () => isSilent ? "silent" : undefined
  )
}

const objectHeaders = { "content-length": "0", etag: "\"e\"", "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT" }

const giveUp = <A, E>(call: Effect.Effect<A, E>, { asked }: FakeS3) =>
  Effect.gen(function*() {
    const before = asked.length
    const fiber = yield* Effect.forkChild(Effect.flip(call), { startImmediately: true })
    for (let tries = 1; tries <= 3; tries++) {
      yield* until(() => asked.length === before + tries)
      yield* TestClock.adjust("10 seconds")
      yield* TestClock.adjust(Duration.millis(200 * tries))
    }
    return yield* Fiber.join(fiber)
  })

describe("S3 store on an engine that says nothing at all", () => {
  it.effect("STO-87 once a call was given up, every other fails at once and asks nothing", () =>
    onSilentEngine((store, engine, set) =>
      Effect.gen(function*() {
        set(true)
        yield* giveUp(store.head(at), engine)
        const asked = engine.asked.length
        const body = Stream.make(new Uint8Array(1))
        const calls: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
          store.head(at),
          store.abortUpload(at, "u"),
          store.copy(at, { ...at, key: "files/a/c" }, headers),
          Stream.runDrain(store.get(at)),
          store.put({ at, headers, sizeBytes: 1, body }),
          store.check
        ]
        for (const call of calls) assert.isTrue(Exit.isFailure(yield* Effect.exit(call)))
        assert.deepStrictEqual(yield* store.remove([at, { bucket: "public", key: "files/a/c" }]), [
          at,
          { bucket: "public", key: "files/a/c" }
        ])
        assert.strictEqual(engine.asked.length, asked)
      })
    ))

  it.effect.each<readonly [string, (store: Store) => Effect.Effect<unknown, { readonly code: string }>]>([
    ["copy", (store) => store.copy(at, { ...at, key: "files/a/c" }, headers)],
    ["completeUpload", (store) => store.completeUpload(at, "u", [{ partNumber: 1, etag: "one" }])]
  ])(
    "STO-87 %s, which may take longer, is given up after 30 seconds, and not tried again",
    ([, call]) =>
      onSilentEngine((store, engine, set) =>
        Effect.gen(function*() {
          set(true)
          const fiber = yield* Effect.forkChild(Effect.flip(call(store)), { startImmediately: true })
          yield* until(() => engine.asked.length === 1)
          yield* TestClock.adjust("29999 millis")
          assert.isUndefined(fiber.pollUnsafe())
          yield* TestClock.adjust("1 millis")
          assert.strictEqual((yield* Fiber.join(fiber)).code, "storage_unavailable")
          assert.strictEqual(engine.asked.length, 1)
        })
      )
  )

  it.effect("STO-87 when it answers again, so do calls", () =>
    onSilentEngine((store, engine, set) =>
      Effect.gen(function*() {
        set(true)
        yield* giveUp(store.head(at), engine)
        set(false)
        yield* TestClock.adjust("2 seconds")
        let found: Option.Option<unknown> = Option.none()
        for (let turns = 0; turns < 100_000 && Option.isNone(found); turns++) {
          yield* turn
          found = yield* Effect.orElseSucceed(store.head(at), () => Option.none())
        }
        assert.isTrue(Option.isSome(found))
      })
    ))

  it.effect("STO-117 a call without an answer fails no other while the store answers probes, be it slowly", () => {
    let isSlow = false
    let probes: Array<() => void> = []
    return withEngine(
      ({ url }, _, response) => {
        if (url.pathname.endsWith(at.key)) return "silent"
        if (isSlow && /^\/[^/]+\/?$/.test(url.pathname)) {
          probes.push(() => response.writeHead(200).end())
          return "silent"
        }
        return { status: 200, headers: objectHeaders }
      },
      (store) =>
        Effect.gen(function*() {
          isSlow = true
          const fiber = yield* Effect.forkChild(Effect.flip(store.head(at)), { startImmediately: true })
          for (let seconds = 0; seconds < 40; seconds += 2) {
            for (let turns = 0; turns < 50; turns++) yield* turn
            if (fiber.pollUnsafe() !== undefined) break
            for (const answer of probes) answer()
            probes = []
            for (let turns = 0; turns < 50; turns++) yield* turn
            yield* TestClock.adjust("2 seconds")
          }
          assert.strictEqual((yield* Fiber.join(fiber)).code, "storage_unavailable")
          assert.isTrue(Option.isSome(yield* store.head({ ...at, key: "files/a/other" })))
        }),
      {},
      () => isSlow ? "silent" : undefined
    )
  })

  it.effect("STO-117 either bucket's answer, for itself or for an object, shows that the store is not silent", () => {
    let isHanging = false
    const hangs = ({ headers, url }: Asked) =>
      isHanging && (headers["x-amz-copy-source"] !== undefined || /private\/?$/.test(url.pathname))
    return withEngine(
      (asked) => hangs(asked) ? "silent" : { status: 200, headers: objectHeaders },
      (store, { asked }) =>
        Effect.gen(function*() {
          isHanging = true
          const copy = store.copy(at, { ...at, key: "files/a/c" }, headers)
          const fiber = yield* Effect.forkChild(Effect.flip(copy), { startImmediately: true })
          yield* until(() => asked.length === 1)
          for (let seconds = 0; seconds < 40; seconds += 2) {
            yield* TestClock.adjust("2 seconds")
            for (let turns = 0; turns < 50; turns++) yield* turn
          }
          assert.isUndefined(fiber.pollUnsafe())
          assert.isTrue(Option.isSome(yield* store.head(at)))
        })
    )
  })

  it.effect("STO-118 a copy that a silence swallowed is tried again soon after the store answers, once", () =>
    onSilentEngine((store, engine, set) =>
      Effect.gen(function*() {
        set(true)
        const copy = store.copy(at, { ...at, key: "files/a/c" }, headers)
        const fiber = yield* Effect.forkChild(Effect.exit(copy), { startImmediately: true })
        yield* until(() => engine.asked.length === 1)
        // Two probes are swallowed too.
        for (let seconds = 0; seconds < 12; seconds += 2) {
          yield* TestClock.adjust("2 seconds")
          for (let turns = 0; turns < 50; turns++) yield* turn
        }
        set(false)
        assert.isUndefined(fiber.pollUnsafe())
        for (let tries = 0; tries < 20 && engine.asked.length === 1; tries++) {
          yield* TestClock.adjust("200 millis")
          for (let turns = 0; turns < 50; turns++) yield* turn
        }
        assert.strictEqual(engine.asked.length, 2)
        assert.isDefined(engine.asked[1]!.headers["x-amz-copy-source"])
      })
    ))

  it.effect("STO-87 a call that was given up takes the connections that nobody uses with it", () => {
    const silent = new Set<Socket>()
    const sockets = new Set<Socket>()
    let waiting: Array<() => void> = []
    return withEngine(
      ({ url }, { socket }, response) => {
        if (!url.pathname.endsWith(at.key)) return undefined
        sockets.add(socket)
        if (silent.has(socket)) return "silent"
        waiting.push(() => response.writeHead(200, objectHeaders).end())
        return undefined
      },
      (store, { asked }) =>
        Effect.gen(function*() {
          const fibers = yield* Effect.forEach([1, 2, 3, 4], () => Effect.forkChild(store.head(at)))
          yield* until(() => waiting.length === 4)
          for (const answer of waiting) answer()
          for (const fiber of fibers) yield* Fiber.join(fiber)
          for (const socket of sockets) silent.add(socket)
          waiting = []
          const fiber = yield* Effect.forkChild(store.head(at), { startImmediately: true })
          yield* until(() => asked.length === 5)
          yield* TestClock.adjust("10200 millis")
          yield* until(() => waiting.length === 1)
          waiting[0]!()
          assert.isTrue(Option.isSome(yield* Fiber.join(fiber)))
        })
    )
  })
})
