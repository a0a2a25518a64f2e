/** Calls of a client in Node to servers that answer in unusual ways. */
import { getEventListeners } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer, type RequestListener } from "node:http"
import * as https from "node:https"
import { type AddressInfo, createServer as createSocketServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterEach, assert, describe, it } from "vitest"
import { createClient } from "../createClient.ts"
import { DriveError } from "../DriveError.ts"
import { agents } from "./agents.ts"
import { callByHttp } from "./callByHttp.ts"
import { sendByHttp } from "./sendByHttp.ts"

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(() =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const clientOf = (url: string, options: object = {}) =>
  createClient({ url, session: async () => "one", retries: 0, ...options })

/** A proxy that takes connections and says nothing; `asked` is called when something was asked of it. */
const silentProxy = async (asked: () => void): Promise<string> => {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {}).on("data", asked)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(() => resolve()))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const failureOf = (promise: Promise<unknown>) => promise.then(() => undefined, (error: unknown) => error as DriveError)

describe("a call in Node", () => {
  it("CLIENT-180 takes no fetch, and follows a redirect of its own origin that keeps its method and its body", async () => {
    const asked: Array<string> = []
    const url = await serve(async (request, response) => {
      const body = await text(request)
      asked.push(`${request.method} ${request.url} ${body} ${request.headers.authorization}`)
      if (request.url === "/api/search-files") return void response.writeHead(308, { location: "/moved" }).end("Moved.")
      response.end(JSON.stringify({ files: [{ fileName: "Zoë" }] }))
    })
    const real = globalThis.fetch
    let fetches = 0
    globalThis.fetch = (...args) => {
      fetches++
      return real(...args)
    }
    try {
      const client = clientOf(url)
      assert.deepStrictEqual(await client.selectTrashedFiles() as unknown, { files: [{ fileName: "Zoë" }] })
      await client.searchFiles({ text: "é" })
      assert.strictEqual(fetches, 0)
    } finally {
      globalThis.fetch = real
    }
    assert.deepStrictEqual(asked, [
      "POST /api/select-trashed-files  Bearer one",
      "POST /api/search-files {\"text\":\"é\"} Bearer one",
      "POST /moved {\"text\":\"é\"} Bearer one"
    ])
  })

  it("CLIENT-180 fails when its answer is cut off, before it or in the middle of it", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/api/search-files") return request.socket.destroy()
      response.writeHead(200, { "content-length": 100 })
      response.write("{", () => request.socket.destroy())
    })
    for (const call of [clientOf(url).searchFiles(), clientOf(url).selectTrashedFiles()]) {
      const failed = await failureOf(call)
      assert.instanceOf(failed, DriveError)
      assert.deepInclude(failed, { code: "network", status: 0, retryable: true })
    }
  })

  it("CLIENT-180 ends by its signal, before its answer and in the middle of it", async () => {
    const ending = new AbortController()
    const url = await serve((request, response) => {
      if (request.url === "/api/select-trashed-files") response.write("{")
      ending.abort(new Error("enough"))
    })
    assert.deepInclude(await failureOf(clientOf(url).searchFiles({}, { signal: ending.signal })), { message: "enough" })
    const inside = new AbortController()
    const slow = await serve((_, response) => {
      response.write("{")
      setImmediate(() => inside.abort(new Error("enough")))
    })
    const call = clientOf(slow).selectTrashedFiles(undefined, { signal: inside.signal })
    assert.deepInclude(await failureOf(call), { message: "enough" })
  })

  it("CLIENT-215 leaves a connection that is kept before the server ends it", async () => {
    const url = await serve((_, response) => void response.writeHead(200, { "keep-alive": "timeout=5" }).end("{}"))
    const free = new Promise<Socket>((resolve) => agents["http:"].once("free", resolve))
    await clientOf(url).searchFiles()
    const socket = await free
    // Set when the agent has taken it back.
    await new Promise((resolve) => setImmediate(resolve))
    assert.isAbove(socket.timeout!, 0)
    assert.isAtMost(socket.timeout!, 5_000)
  })

  it("CLIENT-195 fails when the server makes something else of the connection, and of what is sent too", async () => {
    const url = await serve((request) => {
      request.socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n")
    })
    const failed = await failureOf(clientOf(url).searchFiles())
    assert.deepInclude(failed, { code: "network", retryable: true })
    const sent = await failureOf(sendByHttp({
      method: "PUT",
      url,
      headers: {},
      pieces: [new Uint8Array(10)],
      signal: new AbortController().signal,
      onSent: () => {}
    }))
    assert.deepInclude(sent, { code: "network", retryable: true })
  })

  it.each([301, 302, 303, 307, 308])(
    "CLIENT-221 nothing of it goes to another origin, by a redirect %i",
    async (status) => {
      const asked: Array<string> = []
      const other = await serve(async (request, response) => {
        asked.push(`${request.method} ${await text(request)} ${request.headers.authorization}`)
        response.end("{}")
      })
      const url = await serve((_, response) => void response.writeHead(status, { location: other }).end())
      assert.deepInclude(await failureOf(clientOf(url).searchFiles({ text: "secret" })), {
        code: "unexpected_answer",
        status,
        retryable: false
      })
      // Where the API is may be asked of anybody.
      assert.deepStrictEqual(asked.filter((one) => one !== "GET  undefined"), [])
    }
  )

  it.each(["a call", "an upload"])(
    "CLIENT-223 %s ends by its signal behind a proxy that says nothing",
    async (kind) => {
      const ending = new AbortController()
      const { signal } = ending
      const proxy = await silentProxy(() => ending.abort(new Error("enough")))
      const own = agents["https:"]
      agents["https:"] = new https.Agent({ proxyEnv: { HTTPS_PROXY: proxy } })
      try {
        const failed = await failureOf(
          kind === "a call"
            ? clientOf("https://drive.example").searchFiles({}, { signal })
            : sendByHttp({
              method: "PUT",
              url: "https://storage.example/1",
              headers: {},
              pieces: [new Uint8Array(10)],
              signal,
              onSent: () => {}
            })
        )
        assert.deepInclude(failed, { message: "enough" })
      } finally {
        agents["https:"] = own
      }
    }
  )

  it("CLIENT-223 is not sent when its signal has been aborted before, and nor is an upload", async () => {
    let asked = 0
    const url = await serve((_, response) => void response.end(`${++asked}`))
    const signal = AbortSignal.abort(new Error("enough"))
    const init = { method: "POST", url, headers: {}, pieces: [], signal, onSent: () => {} } as const
    for (const run of [() => callByHttp(url, init), () => sendByHttp(init)]) {
      assert.deepInclude(await failureOf(run()), { message: "enough" })
    }
    assert.strictEqual(asked, 0)
  })

  it("CLIENT-223 leaves no listener on its signal, nor does an upload, whether they succeed or fail", async () => {
    const url = await serve((request, response) =>
      request.url === "/cut" ? request.socket.destroy() : void response.end("{}")
    )
    const { signal } = new AbortController()
    await (await callByHttp(url, { method: "POST", headers: {}, signal })).text()
    await failureOf(callByHttp(`${url}/cut`, { method: "POST", headers: {}, signal }))
    const sending = { method: "PUT", headers: {}, pieces: [new Uint8Array(10)], signal, onSent: () => {} } as const
    await sendByHttp({ ...sending, url })
    await failureOf(sendByHttp({ ...sending, url: `${url}/cut` }))
    // What Node has put there goes when the connections are free.
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepStrictEqual(getEventListeners(signal, "abort"), [])
  })

  it("CLIENT-231 refuses an answer of more than 64 MiB, and leaves its connection", async () => {
    let isLeft = () => {}
    const left = new Promise<void>((resolve) => isLeft = resolve)
    const chunk = Buffer.alloc(1024 ** 2, "a")
    const url = await serve((_, response) => {
      let given = 0
      const fill = () => {
        while (given++ < 128) {
          if (!response.write(chunk)) return
        }
        response.end()
      }
      response.on("close", isLeft).on("drain", fill)
      fill()
    })
    const failed = await failureOf(clientOf(url).searchFiles())
    assert.deepInclude(failed, { code: "unexpected_answer", status: 200, retryable: false })
    await left
  })

  it("CLIENT-231 reads an answer of several chunks as one text", async () => {
    const bytes = Buffer.from("\ufeff{\"é\": 1}")
    const url = await serve((_, response) => {
      // In the middle of a character.
      response.write(bytes.subarray(0, 6), () => response.end(bytes.subarray(6)))
    })
    const { signal } = new AbortController()
    const answer = await callByHttp(url, { method: "POST", headers: {}, signal })
    assert.strictEqual(await answer.text(), "{\"é\": 1}")
  })

  it("CLIENT-221 is sent elsewhere a few times only", async () => {
    let asked = 0
    const url = await serve((request, response) => {
      if (request.method === "GET") return void response.writeHead(404).end()
      asked++
      response.writeHead(308, { location: request.url! }).end()
    })
    assert.deepInclude(await failureOf(clientOf(url).searchFiles()), { code: "unexpected_answer", status: 308 })
    assert.strictEqual(asked, 6)
  })

  it("CLIENT-195 leaves a redirect whose own answer has no end", async () => {
    let isLeft = () => {}
    const left = new Promise<void>((resolve) => isLeft = resolve)
    const url = await serve((request, response) => {
      if (request.url === "/moved") return void response.end("{}")
      response.writeHead(307, { location: "/moved" }).write("Moved.")
      response.on("close", isLeft)
    })
    assert.deepStrictEqual(await clientOf(url).searchFiles() as unknown, {})
    await left
  })

  it("CLIENT-181 goes by the host's fetch where it gives one, and so does a download to a path", async () => {
    const asked: Array<string> = []
    const fetch = async (url: string, init?: RequestInit) => {
      asked.push(`${init?.method ?? "GET"} ${url}`)
      return url.startsWith("https://drive.example/")
        ? Response.json({ downloadUrl: "https://storage.example/1", fileSize: 5 })
        : new Response("bytes", { status: 206, headers: { etag: "\"1\"", "content-range": "bytes 0-4/5" } })
    }
    const directory = await mkdtemp(join(tmpdir(), "filedrive-client-"))
    closing.push(() => rm(directory, { recursive: true }))
    await clientOf("https://drive.example", { fetch }).downloadTo("1", join(directory, "file"))
    assert.strictEqual(await readFile(join(directory, "file"), "utf8"), "bytes")
    assert.deepStrictEqual(asked, [
      "POST https://drive.example/api/generate-download-url",
      "POST https://drive.example/api/generate-download-url",
      "GET https://storage.example/1"
    ])
  })
})
