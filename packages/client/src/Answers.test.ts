/** Answers that no drive gives, and what addresses say. */
import { afterEach, assert, describe, it, vi } from "vitest"
import { createClient, createPublicClient } from "./createClient.ts"
import { DriveError } from "./DriveError.ts"

const failureOf = (promise: Promise<unknown>) => promise.then(() => undefined, (error: unknown) => error as DriveError)

const answering = (text: string) =>
  createClient({
    url: "https://drive.example",
    session: async () => "one",
    retries: 0,
    fetch: async () => new Response(text, { status: 409 })
  })

describe("a refusal", () => {
  it.each([
    ["another prototype", "{\"code\":\"taken\",\"error\":\"No.\",\"retryable\":false,\"__proto__\":null}", "No."],
    [
      "what an error has",
      "{\"code\":\"taken\",\"error\":\"No.\",\"retryable\":false,\"toString\":1,\"stack\":2,\"message\":3,\"name\":4}",
      "No."
    ],
    ["no text", "{\"code\":\"taken\",\"error\":{\"toString\":1,\"valueOf\":1},\"retryable\":false}", "[object Object]"]
  ])("CLIENT-199 with %s is one all the same", async (_, text, message) => {
    const failed = await failureOf(answering(text).searchFiles())
    assert.instanceOf(failed, DriveError)
    assert.deepInclude(failed, { code: "taken", status: 409, retryable: false, message })
    assert.strictEqual(String(failed), `DriveError: ${message}`)
  })

  it("CLIENT-199 has the parts, the field and the reference that the drive tells", async () => {
    const told = { code: "parts_missing", retryable: true, parts: [2, 3], field: "parts", reference: "r1" }
    const failed = await failureOf(answering(JSON.stringify({ ...told, error: "No." })).searchFiles())
    assert.deepInclude(failed, { ...told, message: "No." })
  })
})

describe("a server that asks to wait for an hour", () => {
  afterEach(() => void vi.useRealTimers())

  /** Its first exchange is refused. */
  const busy = () => {
    vi.useFakeTimers()
    const start = Date.now()
    const exchanges: Array<number> = []
    const client = createClient({
      url: "https://drive.example",
      apiToken: "t",
      fetch: async (url) => {
        if (!url.endsWith("/exchange-token")) return Response.json({ files: [] })
        exchanges.push(Date.now() - start)
        return exchanges.length === 1
          ? new Response("Away.", { status: 503, headers: { "retry-after": "3600" } })
          : Response.json({ gelToken: "s", userId: "u", expiresIn: 86_400 })
      }
    })
    return { client, exchanges }
  }

  it("CLIENT-206 is not waited for by a call, which tells it", async () => {
    const { client } = busy()
    assert.deepInclude(await failureOf(client.searchFiles()), { status: 503, retryable: true, retryAfterSeconds: 3600 })
    assert.deepStrictEqual(await client.searchFiles() as unknown, { files: [] })
  })

  it("CLIENT-206 is asked for a session again after a minute by an upload, CLIENT-170 which says that it is away", async () => {
    const { client, exchanges } = busy()
    const states: Array<string> = []
    const upload = client.upload(new Blob(["a"]), {
      fileName: "a.txt",
      tags: ["a"],
      onState: (state) => void states.push(state)
    })
    await vi.advanceTimersByTimeAsync(62_000)
    assert.lengthOf(exchanges, 2)
    assert.isAtLeast(exchanges[1]!, 60_000)
    assert.strictEqual(states[0], "offline")
    void upload.cancel()
  })
})

describe("a feed's address", () => {
  it("CLIENT-201 does not have the access token of its link, which is a header", async () => {
    const asked: Array<readonly [url: string, access: string | null]> = []
    const open = createPublicClient({
      url: "https://drive.example",
      fetch: async (url, init) => {
        asked.push([url, new Headers(init!.headers).get("x-link-access")])
        return Response.json({ code: "not_found", error: "No.", retryable: false }, { status: 404 })
      }
    })
    await failureOf(open.followFileReview({ reviewId: "r", after: "1" }, { access: "secret" }).next())
    assert.deepStrictEqual(asked, [["https://drive.example/api/follow-file-review?reviewId=r&after=1", "secret"]])
  })
})
