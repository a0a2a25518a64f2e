/** Sessions and repeats, with a moved clock. */
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { type Calls, createCalls } from "./createCalls.ts"
import { DriveError } from "./DriveError.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

interface Asked {
  readonly path: string
  readonly authorization: string | null
  readonly time: number
}

type Answer =
  | { readonly status?: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | "cut"
  | "silence"

/** A server whose answers are chosen; exchanges give `session 1`, `session 2` … for a day. */
const fake = (answer: (asked: Asked, nth: number) => Answer, options: object = {}) => {
  const asked: Array<Asked> = []
  let exchanges = 0
  const fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    const one = { path: new URL(url).pathname, authorization: headers.get("authorization"), time: Date.now() }
    asked.push(one)
    // An answer takes a while.
    await Promise.resolve()
    const given = one.path === "/auth/exchange-token"
      ? answer(one, ++exchanges) ?? {}
      : answer(one, asked.filter(({ path }) => path === one.path).length)
    if (given === "cut") throw new TypeError("fetch failed")
    if (given === "silence") {
      return new Promise((_, reject) => init.signal!.addEventListener("abort", () => reject(init.signal!.reason)))
    }
    const { body = one.path === "/auth/exchange-token" ? exchanged(exchanges) : {}, headers: more = {}, status = 200 } =
      given
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers: more })
  }
  const calls = createCalls({ url: "https://drive.example.com", apiToken: "fdt_1", fetch, ...options })
  return { asked, calls, counted: (path: string) => asked.filter((one) => one.path === path).length }
}

const exchanged = (nth: number) => ({ gelToken: `session ${nth}`, expiresIn: 86_400, userId: "ada" })
const search = "/api/search-files"
const exchange = "/auth/exchange-token"
const refusal = (status: number, code: string) => ({ status, body: { error: "No.", code, retryable: status >= 429 } })
const failureOf = (promise: Promise<unknown>) => promise.then(() => undefined, (error: unknown) => error as DriveError)

/** Runs a call while the time passes as fast as it is waited. */
const settled = async <A>(promise: Promise<A>): Promise<A> => {
  promise.catch(() => {})
  await vi.runAllTimersAsync()
  return promise
}

const manyCalls = (calls: Calls, count: number) => Promise.all(Array.from({ length: count }, () => calls.searchFiles()))

describe("a session", () => {
  it("CLIENT-4 is exchanged once for all calls that wait, and again before it ends", async () => {
    const { asked, calls, counted } = fake(() => ({}))
    await manyCalls(calls, 50)
    assert.strictEqual(counted(exchange), 1)
    vi.setSystemTime(Date.now() + 86_400_000 - 301_000)
    await calls.searchFiles()
    assert.strictEqual(counted(exchange), 1)
    vi.setSystemTime(Date.now() + 2_000)
    await manyCalls(calls, 50)
    assert.strictEqual(counted(exchange), 2)
    assert.strictEqual(asked.at(-1)!.authorization, "Bearer session 2")
  })

  it("CLIENT-4 is exchanged once more after a 401, and what is not repeatable is sent again then", async () => {
    const { calls, counted } = fake(({ authorization, path }) =>
      path !== exchange && authorization === "Bearer session 1" ? refusal(401, "session_expired") : {}
    )
    await Promise.all([manyCalls(calls, 20), calls.createPlaylist({ title: "a" })])
    assert.strictEqual(counted(exchange), 2)
    assert.strictEqual(counted("/api/create-playlist"), 2)
  })

  it("CLIENT-4 that is refused again is told as it was, and an exchange that fails is tried again by the next call", async () => {
    const { calls, counted } = fake(({ path }, nth) =>
      path === exchange ? nth === 2 ? refusal(401, "invalid_token") : {} : refusal(401, "session_expired")
    )
    assert.deepInclude(await failureOf(calls.searchFiles()), { code: "session_expired", status: 401 })
    assert.deepInclude(await failureOf(calls.searchFiles()), { code: "session_expired" })
    assert.strictEqual(counted(exchange), 4)
  })

  it("CLIENT-4 of a host's own is asked for once, and again after a 401", async () => {
    let handed = 0
    const { calls, counted } = fake(
      ({ authorization }) => authorization === "Bearer own 1" ? refusal(401, "session_expired") : {},
      {
        apiToken: undefined,
        session: async () => `own ${++handed}`
      }
    )
    await manyCalls(calls, 5)
    assert.strictEqual(handed, 2)
    assert.strictEqual(counted(exchange), 0)
    assert.strictEqual(await calls.session(), "own 2")
  })
})

describe("a call", () => {
  it.each<readonly [string, Answer]>([
    ["no answer", "cut"],
    ["500", refusal(500, "internal")],
    ["429", refusal(429, "rate_limited")],
    ["a proxy's 502", { status: 502, body: "<html>" }],
    ["503", refusal(503, "unavailable")]
  ])("CLIENT-5 is repeated after %s, with growing pauses, where that is safe", async (_, answer) => {
    const { asked, calls } = fake(({ path }, nth) => path === search && nth <= 4 ? answer : { body: { files: [] } })
    assert.deepStrictEqual(await settled(calls.searchFiles()) as unknown, { files: [] })
    const times = asked.filter(({ path }) => path === search).map(({ time }) => time)
    const pauses = times.slice(1).map((time, at) => time - times[at]!)
    assert.lengthOf(pauses, 4)
    pauses.forEach((pause, at) => {
      assert.isAtLeast(pause, 250 * 2 ** at)
      assert.isAtMost(pause, 500 * 2 ** at + 1)
    })
  })

  it("CLIENT-5 is not repeated where its declaration does not say that it may be, nor when the refusal does not pass", async () => {
    const { calls, counted } = fake(({ path }) =>
      path === "/api/create-gallery"
        ? refusal(503, "unavailable")
        : path === search
        ? refusal(400, "invalid_field")
        : {}
    )
    assert.deepInclude(await failureOf(settled(calls.createGallery({ title: "a" }))), { status: 503, retryable: true })
    assert.deepInclude(await failureOf(settled(calls.searchFiles())), { status: 400, code: "invalid_field" })
    assert.deepStrictEqual([counted("/api/create-gallery"), counted(search)], [1, 1])
  })

  it("CLIENT-5 waits as long as Retry-After says, in seconds or as a date", async () => {
    const start = Date.now()
    const { asked, calls } = fake(({ path }, nth) =>
      path !== search || nth > 2
        ? { body: { files: [] } }
        : {
          ...refusal(429, "rate_limited"),
          headers: { "retry-after": nth === 1 ? "40" : new Date(Date.now() + 90_000).toUTCString() }
        }
    )
    await settled(calls.searchFiles())
    const times = asked.filter(({ path }) => path === search).map(({ time }) => time - start)
    assert.isAtLeast(times[1]!, 40_000)
    assert.isAtLeast(times[2]! - times[1]!, 89_000)
    assert.isAtMost(times[2]!, 40_250 + 90_250)
  })

  it("CLIENT-5 CLIENT-7 is given up after five repeats, and one that is never answered after two minutes each", async () => {
    const { calls, counted } = fake(({ path }) => path === search ? "silence" : {})
    const failed = await failureOf(settled(calls.searchFiles()))
    assert.instanceOf(failed, DriveError)
    assert.deepInclude(failed, { code: "timeout", status: 0, retryable: true })
    assert.strictEqual(counted(search), 6)
    assert.deepInclude(await failureOf(settled(calls.searchFiles({}, { retries: 0 }))), { code: "timeout" })
    assert.strictEqual(counted(search), 7)
  })

  it("CLIENT-6 is ended by its signal alone, also while it waits to be repeated", async () => {
    const { calls } = fake(({ path }) => path === search ? refusal(500, "internal") : {})
    await calls.session()
    const ending = new AbortController()
    const [ended, other] = [calls.searchFiles({}, { signal: ending.signal }), calls.searchFiles()].map(failureOf)
    await vi.advanceTimersByTimeAsync(100)
    ending.abort(new Error("enough"))
    assert.deepInclude(await ended, { message: "enough" })
    await vi.runAllTimersAsync()
    assert.deepInclude(await other, { code: "internal" })
    assert.deepInclude(await failureOf(calls.searchFiles({}, { signal: AbortSignal.abort(new Error("before")) })), {
      message: "before"
    })
  })

  it("CLIENT-6 that ends ends no exchange that others wait for", async () => {
    const { calls, counted } = fake(() => ({}))
    const ending = new AbortController()
    const ended = failureOf(calls.searchFiles({}, { signal: ending.signal }))
    const other = calls.searchFiles()
    ending.abort(new Error("enough"))
    assert.deepInclude(await ended, { message: "enough" })
    await other
    assert.strictEqual(counted(exchange), 1)
  })

  it("CLIENT-7 fails with what the API says, or with what a proxy does", async () => {
    const { calls } = fake(({ path }, nth) =>
      path !== search
        ? {}
        : nth === 1
        ? {
          status: 400,
          body: { error: "limit must be less.", code: "invalid_field", field: "limit", retryable: false }
        }
        : nth === 2
        ? { status: 409, body: { error: "Missing.", code: "parts_missing", parts: [3], retryable: false } }
        : nth === 3
        ? { status: 418, body: "a teapot" }
        : { status: 200, body: "<html>" }
    )
    const next = () => failureOf(calls.searchFiles())
    assert.deepInclude(await next(), {
      name: "DriveError",
      message: "limit must be less.",
      code: "invalid_field",
      field: "limit",
      status: 400
    })
    assert.deepInclude(await next(), { code: "parts_missing", parts: [3] as unknown as undefined })
    assert.deepInclude(await next(), {
      code: "unexpected_answer",
      status: 418,
      retryable: false,
      message: "The server answered 418."
    })
    assert.deepInclude(await next(), { code: "unexpected_answer", status: 200 })
    const away = fake(() => "cut", { retries: 0 })
    assert.deepInclude(await failureOf(away.calls.searchFiles()), {
      code: "network",
      status: 0,
      retryable: true,
      message: "drive.example.com could not be reached."
    })
  })
})

describe("the address", () => {
  it.each([
    ["https://drive.example.com", "/api/search-files", "/auth/exchange-token"],
    ["https://drive.example.com/", "/api/search-files", "/auth/exchange-token"],
    ["https://drive.example.com/api", "/api/search-files", "/auth/exchange-token"],
    ["https://drive.example.com/some/path/api/", "/some/path/api/search-files", "/some/path/auth/exchange-token"],
    ["https://drive.example.com/some/path", "/some/path/api/search-files", "/some/path/auth/exchange-token"]
  ])("CLIENT-3 %s is the API's or the site's", async (url, call, auth) => {
    const { asked, calls } = fake(() => ({ body: exchanged(1) }), { url })
    await calls.searchFiles()
    assert.deepStrictEqual(asked.map(({ path }) => path), [auth, call])
  })

  it("CLIENT-3 of an API elsewhere is found by its document", async () => {
    const document = {
      servers: [{ url: "/files/v1" }],
      paths: { "/exchange-token": { post: { servers: [{ url: "/tokens" }] } } }
    }
    const { asked, calls } = fake(
      ({ path }) =>
        path === "/files/v1/openapi.json"
          ? { body: document }
          : path === "/tokens/exchange-token"
          ? { body: exchanged(1) }
          : path === "/files/v1/search-files"
          ? { body: { files: [] } }
          : { status: 404, body: "<html>nothing here" },
      { url: "https://drive.example.com/files/v1" }
    )
    await calls.searchFiles()
    await calls.searchFiles()
    assert.deepStrictEqual(asked.slice(-3).map(({ path }) => path), [
      "/tokens/exchange-token",
      "/files/v1/search-files",
      "/files/v1/search-files"
    ])
  })

  it("CLIENT-3 an address that is not http is refused, naming the field", () => {
    assert.throws(
      () => createCalls({ url: "drive.example.com", apiToken: "a" }),
      /^url must be an http\(s\) URL\.$/
    )
  })
})

describe("pages", () => {
  it("CLIENT-10 are read to their end", async () => {
    const { calls } = fake(({ path }, nth) =>
      path === search
        ? { body: { files: [{ id: `${nth}` }], nextOffset: nth < 3 ? nth : null } }
        : path === "/api/select-drive-events"
        ? { body: { events: nth === 2 ? [] : [{ id: `e${nth}` }], nextCursor: `c${nth}`, more: nth < 3 } }
        : {}
    )
    const ids: Array<string> = []
    for await (const { id } of calls.all("searchFiles", { text: "a" })) ids.push(id)
    for await (const { id } of calls.all("selectDriveEvents")) ids.push(id)
    assert.deepStrictEqual(ids, ["1", "2", "3", "e1", "e3"])
  })
})
