/** The keys of calls, by which the drive does once what is sent twice. */
import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { answered } from "../../browser/foundation/answered.ts"

const url = "https://drive.example/api/create-api-token"

describe("the key of a call", () => {
  afterEach(() => void vi.unstubAllGlobals())

  /** Makes `fetch` answer so, one after the other; returns the keys that it was called with. */
  const answers = (...bodies: ReadonlyArray<BodyInit | null>) => {
    const keys: Array<string> = []
    const left = [...bodies]
    vi.stubGlobal("fetch", async (_: string, { headers }: { readonly headers: Record<string, string> }) => {
      keys.push(headers["idempotency-key"]!)
      return new Response(left.shift()!, { headers: { "content-type": "application/json", "x-of": "drive" } })
    })
    return keys
  }

  /** Its connection ends in the middle. */
  const broken = () =>
    new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode("{")),
      pull: (stream) => stream.error(new TypeError("The connection has ended."))
    })

  const call = () => answered(url, { method: "POST", body: "{}" }).then((response) => response.json())

  it("PAGE-212 is kept where its answer ended in the middle, and given up when it has come whole", async () => {
    const keys = answers(broken(), `{"token":"a"}`, `{"token":"b"}`)
    assert.isDefined(await call().catch((error: unknown) => error))
    assert.deepStrictEqual(await call(), { token: "a" })
    assert.deepStrictEqual(await call(), { token: "b" })
    assert.strictEqual(keys[0], keys[1])
    assert.notStrictEqual(keys[1], keys[2])
  })

  it("PAGE-212 an answer keeps its status and headers", async () => {
    answers("{}")
    const { headers, status } = await answered(url, { method: "POST" })
    assert.deepStrictEqual([status, headers.get("x-of")], [200, "drive"])
    vi.stubGlobal("fetch", async () => new Response(null, { status: 204 }))
    assert.strictEqual((await answered(url, { method: "POST" })).status, 204)
  })

  it("PAGE-212 what is followed is not waited for to its end", async () => {
    vi.stubGlobal("fetch", async () =>
      new Response(
        new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("data: 1\n\n")) }),
        { headers: { "content-type": "text/event-stream" } }
      ))
    const { body } = await answered("https://drive.example/api/follow-file-review")
    const { value } = await body!.getReader().read()
    assert.strictEqual(new TextDecoder().decode(value), "data: 1\n\n")
  })
})
