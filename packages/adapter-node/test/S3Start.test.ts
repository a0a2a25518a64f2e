/** What a store says and does when it starts, and while its credentials change. */
import { assert, describe, it } from "@effect/vitest"
import { ObjectStore } from "@filedrive/core"
import { Context, DateTime, Duration, Effect, Fiber, Layer, Logger, Option } from "effect"
import { TestClock } from "effect/testing"
import type { S3Options } from "../src/storage/s3/S3Store.ts"
import * as S3Store from "../src/storage/s3/S3Store.ts"
import {
  type Answer,
  type Asked,
  error,
  isStranger,
  patiently,
  type Probing,
  serveFakeS3,
  withEngine
} from "./FakeS3.ts"

const at = { bucket: "private", key: "files/a/b" } as const
const headers = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "no-store" }

describe("S3 store starting", () => {
  const atEpoch = { status: 200, headers: { date: "Thu, 01 Jan 1970 00:00:00 GMT" } }
  type Answering = Parameters<typeof serveFakeS3>[0]
  const start = (answer: Answering, change: Partial<S3Options> = {}, probing?: Probing) => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    return withEngine(answer, () => Effect.succeed(lines), change, probing).pipe(Effect.provide(Logger.layer([logger])))
  }

  it.effect.each([{ status: 404, says: /"drive-public" does not exist on http.*create it/ }, {
    status: 403,
    says: /"drive-public".*refuses these credentials/
  }])(
    "STO-34 a bucket that answers $status stops the start with its name",
    ({ says, status }) =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(
          start(({ url }) => url.pathname.includes("drive-public") ? { status } : undefined)
        )
        assert.match(failure.message, says)
      })
  )

  it.effect("STO-34 a clock that is off is warned of, with the minutes", () =>
    Effect.gen(function*() {
      const lines = yield* start(() => ({ status: 200, headers: { date: "Thu, 01 Jan 1970 00:20:00 GMT" } }))
      assert.match(lines.join(), /clock is 20 minutes behind/)
      const near = yield* start(() => ({ status: 200, headers: { date: "Thu, 01 Jan 1970 00:01:00 GMT" } }))
      assert.deepStrictEqual(near, [])
    }))

  it.effect("STO-34 credentials that end before the links do are warned of", () =>
    Effect.gen(function*() {
      const temporary = (hours: number) => ({
        credentials: {
          accessKeyId: "k",
          secretAccessKey: "s",
          sessionToken: "t",
          expiration: DateTime.toDateUtc(DateTime.makeUnsafe(hours * 3_600_000))
        }
      })
      assert.match((yield* start(() => atEpoch, temporary(12))).join(), /temporary and expire in 12 hours/)
      assert.deepStrictEqual(yield* start(() => atEpoch, temporary(49)), [])
    }))

  it.effect("STO-35 credentials are asked for again when they end, and their token is in every signature", () => {
    let given = 0
    const credentials = () =>
      Promise.resolve({
        accessKeyId: `key${++given}`,
        secretAccessKey: "s",
        sessionToken: `token${given}`,
        // Over already: each use must ask again.
        expiration: DateTime.toDateUtc(DateTime.makeUnsafe(0))
      })
    return withEngine(() => undefined, (store) =>
      Effect.gen(function*() {
        const lifetime = Duration.hours(1)
        const first = yield* store.signForm({ at, headers, sizeBytes: 1, lifetime })
        const second = yield* store.signForm({ at, headers, sizeBytes: 1, lifetime })
        const number = Number(first.fields["X-Amz-Security-Token"]?.slice("token".length))
        assert.isAbove(number, 0)
        assert.strictEqual(second.fields["X-Amz-Security-Token"], `token${number + 1}`)
        assert.match(second.fields["X-Amz-Credential"] ?? "", new RegExp(`^key${number + 1}/`))
        const link = yield* store.signGet({ at, headers, lifetime })
        assert.include(link, "X-Amz-Security-Token=token")
        const parts = [{ partNumber: 1, sizeBytes: 1 }]
        assert.include(
          (yield* store.signParts({ at, uploadId: "u", parts, lifetime }))[0],
          "X-Amz-Security-Token=token"
        )
      }), { credentials })
  })

  it.effect.each([401, 403])(
    "STO-68 a public bucket that answers strangers by %s stops the start, with what to allow",
    (status) =>
      Effect.gen(function*() {
        let strangers = 0
        const failure = yield* Effect.flip(patiently(start(() => undefined, {}, (asked) => {
          if (!isStranger(asked)) return undefined
          strangers++
          assert.match(asked.url.pathname, /^\/drive-public\//)
          return error(status, "AccessDenied")
        })))
        assert.match(
          failure.message,
          /"drive-public" refuses strangers.*s3:GetObject on "arn:aws:s3:::drive-public\/\*"/
        )
        assert.strictEqual(strangers, 3)
      })
  )

  it.effect("STO-68 strangers that are answered at the second try stop nothing, and nothing is said", () =>
    Effect.gen(function*() {
      let strangers = 0
      const lines = yield* patiently(
        start(
          () => atEpoch,
          {},
          (asked) => isStranger(asked) && strangers++ === 0 ? error(403, "AccessDenied") : undefined
        )
      )
      assert.deepStrictEqual(lines, [])
      assert.strictEqual(strangers, 2)
    }))

  it.effect("STO-68 an address of the public bucket that can't be asked from here is warned of", () =>
    Effect.gen(function*() {
      const nobody = yield* patiently(start(() => undefined, { publicBucketUrl: "http://127.0.0.1:1/files" }))
      assert.match(nobody.join(), /can't be seen from here: GET http:\/\/127.0.0.1:1\/files\/filedrive-probe gave/)
      const elsewhere = (answer: Answer) =>
        patiently(start(() => atEpoch, {}, (asked) => isStranger(asked) ? answer : undefined))
      assert.match((yield* elsewhere({ status: 404 })).join(), /gave status 404/)
      assert.match((yield* elsewhere({ status: 200, body: "Welcome" })).join(), /gave another answer/)
    }))

  it.effect("STO-68 strangers that get no answer are given up after ten seconds, three times in all", () =>
    Effect.gen(function*() {
      const started = yield* DateTime.now
      let strangers = 0
      const lines = yield* patiently(start(() => undefined, {}, (asked) => {
        if (!isStranger(asked)) return undefined
        strangers++
        return "silent"
      }))
      assert.match(lines.join(), /gave no answer in 10 seconds/)
      assert.strictEqual(strangers, 3)
      const took = Duration.toSeconds(DateTime.distance(started, yield* DateTime.now))
      assert.isAtLeast(took, 30)
      assert.isAtMost(took, 33)
    }))

  it.effect("STO-69 a bucket whose objects are refused stops the start, and /readyz later", () =>
    Effect.gen(function*() {
      const refuse = ({ url }: Asked) => url.pathname.includes("drive-private") ? error(403, "AccessDenied") : undefined
      const failure = yield* Effect.flip(start(() => undefined, {}, refuse))
      assert.match(failure.message, /objects of the bucket "drive-private".*allow them s3:GetObject/)
      let refuses = false
      yield* withEngine(
        () => undefined,
        (store) =>
          Effect.gen(function*() {
            yield* store.check
            refuses = true
            assert.strictEqual((yield* Effect.flip(store.check)).code, "storage_unavailable")
          }),
        {},
        (asked) => refuses ? refuse(asked) : undefined
      )
    }))

  it.effect("STO-69 a probe that was removed is made again", () =>
    Effect.gen(function*() {
      let gone = false
      const made: Array<string> = []
      yield* withEngine(
        () => undefined,
        (store) =>
          Effect.gen(function*() {
            assert.deepStrictEqual(made, ["/drive-private/filedrive-probe"])
            gone = true
            yield* store.check
            assert.sameMembers(made.slice(1), ["/drive-private/filedrive-probe", "/drive-public/filedrive-probe"])
          }),
        {},
        ({ method, url }) => {
          if (method === "PUT") made.push(url.pathname)
          return gone && method === "GET" ? error(404, "NoSuchKey") : undefined
        }
      )
    }))

  it.effect("STO-34 /readyz waits two seconds for a store that says nothing", () => {
    let silent = false
    return withEngine(
      () => undefined,
      (store) =>
        Effect.gen(function*() {
          silent = true
          const check = yield* Effect.forkChild(Effect.flip(store.check), { startImmediately: true })
          yield* TestClock.adjust("2 seconds")
          assert.strictEqual((yield* Fiber.join(check)).code, "storage_unavailable")
        }),
      {},
      () => silent ? "silent" : undefined
    )
  })
})

describe("S3 store that finds out whether its engine takes forms", () => {
  const relay = { url: "https://drive.test/storage" }
  const starting = (answers: ReadonlyArray<number | "nothing">) => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    let tries = 0
    return Effect.gen(function*() {
      const engine = yield* serveFakeS3(({ method, url }, _, response) => {
        if (method !== "POST" || url.search !== "") return undefined
        const status = answers[Math.min(tries++, answers.length - 1)]!
        if (status !== "nothing") return { status }
        response.destroy()
        return undefined
      })
      const context = yield* Layer.build(S3Store.layerFitting(engine.options, relay))
      const store = Context.get(context, ObjectStore.ObjectStore)
      const form = yield* store.signForm({ at, headers, lifetime: Duration.hours(1), sizeBytes: 1 })
      const isRelayed = Option.isSome(Context.get(context, S3Store.FittingRelay))
      assert.strictEqual(form.url.startsWith(isRelayed ? relay.url : engine.options.endpoint!), true)
      return { isRelayed, lines: lines.filter((line) => line.includes("forms")), tries }
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])), patiently)
  }

  it.effect.each([200, 201, 204, 303])(
    "STO-138 an engine that answers a form with %i gets the drive's forms, without a warning",
    (status) =>
      Effect.gen(function*() {
        const { isRelayed, lines } = yield* starting([status])
        assert.isFalse(isRelayed)
        assert.deepStrictEqual(lines, [])
      })
  )

  it.effect.each([400, 403, 404, 405, 501])(
    "STO-138 if the engine answers a form with %i, files pass through the drive, and the log says so",
    (status) =>
      Effect.gen(function*() {
        const { isRelayed, lines, tries } = yield* starting([status])
        assert.isTrue(isRelayed)
        assert.match(lines.join(), new RegExp(`takes no upload forms .*${status}.*S3_POST_POLICY=0`))
        assert.strictEqual(tries, 1)
      })
  )

  it.effect("STO-138 passing errors are tried again; an engine without an answer counts as one that takes forms", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* starting([503, 204]), { isRelayed: false, lines: [], tries: 2 })
      assert.deepInclude(yield* starting([429, 501]), { isRelayed: true, tries: 2 })
      const unknown = yield* starting(["nothing"])
      assert.deepInclude(unknown, { isRelayed: false, tries: 3 })
      assert.match(unknown.lines.join(), /test whether the object storage .* takes upload forms failed/)
    }))
})
