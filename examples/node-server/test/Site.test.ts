import { assert, describe, it, vi } from "@effect/vitest"
import type { Drive } from "@filedrive/adapter-node"
import { createServer, type RequestListener } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { settingsOf } from "../src/Environment.ts"
import { signIn } from "../src/signIn/SignIn.ts"
import { site } from "../src/site.ts"

/** What a server answers to these bytes; `breaksOff`: the connection ends before that. */
const answerTo = async (listener: RequestListener, text: string, breaksOff = false): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const taken = breaksOff && new Promise((resolve) => server.once("request", resolve))
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
  const closed = new Promise((resolve) => socket.once("close", resolve))
  let answer = ""
  socket.on("data", (bytes) => answer += bytes.toString()).write(text)
  await taken
  if (breaksOff) socket.resetAndDestroy()
  await closed
  await new Promise((resolve) => server.close(resolve))
  return answer
}

const urls = { api: "https://drive.test/api", auth: "", site: "https://drive.test", storage: "" }

describe("the server's own pages", () => {
  const pages = signIn({ urls } as Drive, {
    dataDirectory: "/nowhere",
    trustedProxies: 0,
    firstUserId: () => undefined
  })
  const head = "Host: drive.test\r\nConnection: close\r\n"

  it.each(["//[", "http://[", "//a:99999999/", "/sign-in%"])("SIGN-11 a request for %s is answered", async (url) => {
    const answer = await answerTo(site({ urls } as Drive, settingsOf({}), pages), `GET ${url} HTTP/1.1\r\n${head}\r\n`)
    assert.match(answer, /^HTTP\/1\.1 404 /)
  })

  it("SIGN-11 a form that breaks off, and a page that fails, end that request and not the process", async () => {
    const form = `POST /sign-in HTTP/1.1\r\n${head}Content-Length: 100\r\n\r\napiToken=`
    assert.strictEqual(await answerTo(site({ urls } as Drive, settingsOf({}), pages), form, true), "")
    const logged = vi.spyOn(console, "error").mockReturnValue(undefined)
    const failing = site({ urls } as Drive, settingsOf({}), () => Promise.reject(new Error("a secret")))
    const answer = await answerTo(failing, `GET / HTTP/1.1\r\n${head}\r\n`)
    assert.match(answer, /^HTTP\/1\.1 500 /)
    assert.notInclude(answer, "secret")
    assert.strictEqual(logged.mock.calls.length, 1)
    logged.mockRestore()
  })
})
