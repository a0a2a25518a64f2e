/** A drive that is not where its address says, and how it is found. */
import { assert, describe, it, vi } from "vitest"
import { createClient, createPublicClient } from "./createClient.ts"
import type { DriveError } from "./DriveError.ts"

const url = "https://drive.example.com/files/v1"
const document = {
  servers: [{ url: "/files/v1" }],
  paths: { "/exchange-token": { post: { servers: [{ url: "/tokens" }] } } }
}
const page = () => new Response("<html>nothing here", { headers: { "content-type": "text/html" } })
const feed = () =>
  new Response("id: 1\nevent: file\ndata: {}\n\n", { headers: { "content-type": "text/event-stream; charset=utf-8" } })

/** A host whose drive is elsewhere, and whose other pages are answered as browsers like it. `changed` answers in place of it. */
const moved = (
  changed: (path: string, signal: AbortSignal | null, nth: number) => Promise<Response> | undefined = () => undefined
) => {
  const asked: Array<string> = []
  const fetch = async (address: string, { signal }: RequestInit = {}): Promise<Response> => {
    const path = new URL(address).pathname
    asked.push(path)
    const given = changed(path, signal ?? null, asked.filter((one) => one === path).length)
    if (given) return given
    await Promise.resolve()
    signal?.throwIfAborted()
    switch (path) {
      case "/files/v1/openapi.json":
        return Response.json(document)
      case "/tokens/exchange-token":
        return Response.json({ gelToken: "a", expiresIn: 86_400, userId: "ada" })
      case "/files/v1/search-files":
        return Response.json({ files: [] })
      case "/files/v1/drive-events":
      case "/files/v1/follow-file-review":
        return feed()
      default:
        return page()
    }
  }
  const options = { url, fetch, retries: 0 }
  return {
    asked,
    client: createClient({ ...options, apiToken: "fdt_1" }),
    visitor: createPublicClient(options),
    lookups: () => asked.filter((path) => path === "/files/v1/openapi.json").length
  }
}

const failureOf = (promise: Promise<unknown>) => promise.then(() => undefined, (error: unknown) => error as DriveError)

/** A request that lasts as long as its signal lets it. */
const silent = (signal: AbortSignal | null): Promise<Response> =>
  new Promise((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)))

describe("a drive that is elsewhere", () => {
  it("CLIENT-3 is looked for once for all calls that wait", async () => {
    const { asked, client, lookups, visitor } = moved()
    await Promise.all(Array.from({ length: 20 }, () => client.searchFiles()))
    assert.strictEqual(lookups(), 1)
    await client.searchFiles()
    assert.strictEqual(lookups(), 1)
    assert.strictEqual(asked.at(-1), "/files/v1/search-files")
    for await (const { kind } of visitor.followFileReview({ reviewId: "a" })) {
      assert.strictEqual(kind as string, "file")
      break
    }
    assert.strictEqual(lookups(), 2, "each client looks by itself")
  })

  it("CLIENT-3 is found by a feed, too", async () => {
    const { client, lookups } = moved()
    for await (const { cursor } of client.events()) {
      assert.strictEqual(cursor, "1")
      break
    }
    assert.strictEqual(lookups(), 1)
  })

  it("CLIENT-6 is found for the others when the call that looked for it is aborted", async () => {
    const answers: Array<() => void> = []
    const { client, lookups } = moved((path) =>
      path === "/files/v1/openapi.json"
        ? new Promise((resolve) => answers.push(() => resolve(Response.json(document))))
        : undefined
    )
    // Sessions are shared by themselves: what is looked for here is where the API is.
    const impatient = new AbortController()
    const first = failureOf(client.searchFiles({}, { signal: impatient.signal }))
    const second = client.searchFiles()
    while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve))
    impatient.abort(new Error("Enough."))
    assert.strictEqual((await first)!.message, "Enough.")
    answers.forEach((answer) => answer())
    assert.deepStrictEqual((await second).files, [])
    assert.strictEqual(lookups(), 1)
  })

  it("CLIENT-216 is looked for again by the next call when it could not be asked", async () => {
    const { client, lookups } = moved((path, _, nth) =>
      path === "/files/v1/openapi.json" && nth === 1 ? Promise.reject(new TypeError("fetch failed")) : undefined
    )
    assert.strictEqual((await failureOf(client.searchFiles()))!.code, "network")
    assert.deepStrictEqual((await client.searchFiles()).files, [])
    assert.strictEqual(lookups(), 2)
  })

  it("CLIENT-216 is looked for again by the next call where nothing was found", async () => {
    let isThere = false
    const { client } = moved((path) => isThere || path.startsWith("/auth/") ? undefined : Promise.resolve(page()))
    assert.strictEqual((await failureOf(client.searchFiles()))!.code, "unexpected_answer")
    isThere = true
    assert.deepStrictEqual((await client.searchFiles()).files, [])
  })

  it("CLIENT-216 a strange answer of an operation leaves the exchange where it is, and is not asked for twice", async () => {
    // Behind a proxy that takes away `/drive`, of which the drive's own document tells.
    const asked: Array<string> = []
    let strange = 1
    let ended = 0
    const client = createClient({
      url: "https://inner.example",
      apiToken: "fdt_1",
      retries: 0,
      fetch: async (address) => {
        const { pathname } = new URL(address)
        asked.push(pathname)
        switch (pathname) {
          case "/auth/exchange-token":
            return Response.json({ gelToken: "a", expiresIn: 86_400, userId: "ada" })
          case "/api/openapi.json":
            return Response.json({
              paths: { "/exchange-token": { post: { servers: [{ url: "https://outer.example/drive/auth" }] } } }
            })
          case "/api/create-playlist":
            return strange-- > 0 ? page() : Response.json({ id: "made" })
          case "/api/search-files":
            return ended-- > 0
              ? Response.json({ code: "no_session", error: "It ended." }, { status: 401 })
              : Response.json({ files: [] })
          default:
            return page()
        }
      }
    })
    assert.strictEqual((await failureOf(client.createPlaylist({ title: "a" })))!.code, "unexpected_answer")
    assert.lengthOf(asked.filter((path) => path === "/api/create-playlist"), 1)
    ended = 1
    assert.deepStrictEqual((await client.searchFiles()).files, [])
    assert.lengthOf(asked.filter((path) => path === "/auth/exchange-token"), 2)
  })

  it("CLIENT-216 a call that no answer of the API came for is not made twice where the API is", async () => {
    const { asked, client } = moved((path) =>
      path.endsWith("/create-playlist") ? Promise.resolve(new Response("{\"id\": \"cut")) : undefined
    )
    await client.searchFiles()
    assert.strictEqual((await failureOf(client.createPlaylist({ title: "a" })))!.code, "unexpected_answer")
    assert.lengthOf(asked.filter((path) => path.endsWith("/create-playlist")), 1)
  })

  it.each([
    ["https://evil.example/tokens", "/tokens"],
    ["//evil.example/tokens", "/tokens"],
    ["https://drive.example.com//evil.example", "//evil.example"],
    ["javascript:evil.example", "/evil.example"],
    ["/tokens?to=https://evil.example", "/tokens"]
  ])("CLIENT-220 an API token goes to the client's own origin, when its document names %s", async (address, path) => {
    const origins = new Set<string>()
    const asked: Array<string> = []
    const client = createClient({
      url,
      apiToken: "fdt_1",
      retries: 0,
      fetch: async (called) => {
        const { origin, pathname } = new URL(called)
        origins.add(origin)
        asked.push(pathname)
        return pathname === "/files/v1/openapi.json"
          ? Response.json({ paths: { "/exchange-token": { post: { servers: [{ url: address }] } } } })
          : page()
      }
    })
    await failureOf(client.searchFiles())
    assert.deepStrictEqual([...origins], ["https://drive.example.com"])
    assert.strictEqual(asked.at(-1), `${path}/exchange-token`)
  })

  it.each([
    {},
    { paths: {} },
    { paths: { "/exchange-token": { post: { servers: [] } } } },
    { paths: { "/exchange-token": { post: { servers: [{ url: "http://[" }] } } } },
    7,
    null
  ])(
    "CLIENT-216 a document that is no drive's leads nowhere: %j",
    async (other) => {
      const { client } = moved((path) =>
        path === "/files/v1/openapi.json" ? Promise.resolve(Response.json(other)) : undefined
      )
      assert.strictEqual((await failureOf(client.searchFiles()))!.code, "unexpected_answer")
    }
  )

  it("CLIENT-216 a look-up that nobody answers ends", async () => {
    const { client } = moved((path, signal) => path === "/files/v1/openapi.json" ? silent(signal) : undefined)
    vi.useFakeTimers()
    try {
      const failed = failureOf(client.searchFiles())
      await vi.advanceTimersByTimeAsync(121_000)
      assert.strictEqual((await failed)!.code, "timeout")
    } finally {
      vi.useRealTimers()
    }
  })
})

describe("a feed", () => {
  it("CLIENT-217 fails at an event that can't be read", async () => {
    const { client } = moved((path) =>
      path.endsWith("/drive-events")
        ? Promise.resolve(
          new Response("id: 1\nevent: file\ndata: {\n\n", { headers: { "content-type": "text/event-stream" } })
        )
        : undefined
    )
    assert.deepInclude(await failureOf(client.events().next()), { code: "unexpected_answer", retryable: false })
  })

  it("CLIENT-217 fails where something else is answered, and does not ask again for ever", async () => {
    const { asked, client } = moved((path) => path.endsWith("/drive-events") ? Promise.resolve(page()) : undefined)
    const failed = await failureOf(client.events().next())
    assert.deepInclude(failed, { code: "unexpected_answer", retryable: false })
    assert.lengthOf(asked.filter((path) => path.endsWith("/drive-events")), 1)
  })
})
