/** Bodies whose length nobody knows beforehand, and that never end. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { MemoryDrive } from "@filedrive/testing"
import { createServer, request as httpRequest, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { newDrive, site } from "../oauth/Apps.ts"

interface Answer {
  readonly status: number
  readonly text: string
}

let drive: MemoryDrive
let server: Server
let token: string

beforeAll(async () => {
  drive = await newDrive()
  token = (await drive.user()).apiToken
  server = createServer((incoming, outgoing) => drive.nodeHandler(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await drive.close()
})

const overWeb = async (path: string, headers: Readonly<Record<string, string>>, sent: Uint8Array): Promise<Answer> => {
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(sent) })
  const init = { method: "POST", headers, body, duplex: "half" }
  const response = await drive.fetch(new Request(site + path, init as RequestInit))
  return { status: response.status, text: await response.text() }
}

const overNode = (path: string, headers: Readonly<Record<string, string>>, sent: Uint8Array): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const call = httpRequest({ host: "127.0.0.1", port, method: "POST", path, headers, agent: false }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => text += chunk).on("end", () => {
        resolve({ status: response.statusCode!, text })
        call.destroy()
      })
    })
    call.on("error", reject)
    call.write(sent)
  })

describe.each([["fetch", overWeb], ["node:http", overNode]] as const)("bodies without an end, over %s", (_, send) => {
  it("MCP-27 a message is refused as soon as it is longer than 512 KiB", async () => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` }
    const { status, text } = await send("/mcp", headers, new Uint8Array(524_289).fill(32))
    assert.deepStrictEqual([status, JSON.parse(text).error], [
      400,
      { code: -32600, message: "The body is larger than 524288 bytes; send less in one call." }
    ])
  })

  it.each(["/oauth/token", "/oauth/revoke"])(
    "OAUTH-27 a form at %s, as soon as it is longer than 16 KiB",
    async (path) => {
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      const { status, text } = await send(path, headers, new Uint8Array(16_385).fill(97))
      assert.deepStrictEqual([status, JSON.parse(text).error], [400, "invalid_request"])
    }
  )
})
