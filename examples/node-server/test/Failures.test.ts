/** Requests that fail, or whose callers go away: each is the end of itself alone. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Drive, DriveError } from "@filedrive/adapter-node"
import { ServiceUnavailable } from "@filedrive/core"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { settingsOf } from "../src/Environment.ts"
import { signIn } from "../src/signIn/SignIn.ts"
import { site } from "../src/site.ts"

const away = new DriveError(
  new ServiceUnavailable({ error: "The drive can't be reached.", code: "unavailable", retryable: true })
)

const drive = {
  urls: { site: "http://127.0.0.1:4500", api: "", auth: "", storage: "" },
  tokens: { find: () => Promise.reject(away) },
  sessions: { end: () => Promise.reject(new Error("a fault")) }
} as unknown as Drive

let server: Server
let port: number

beforeAll(async () => {
  const pages = signIn(drive, { dataDirectory: "/nowhere", trustedProxies: 0, firstUserId: () => undefined })
  server = createServer(site(drive, settingsOf({}), pages)).listen(0, "127.0.0.1")
  await once(server, "listening")
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

/** Sends bytes as they are; `leaves`: without waiting for an answer. */
const raw = async (text: string, leaves = false): Promise<string> => {
  const socket = connect(port, "127.0.0.1")
  await once(socket, "connect")
  let answer = ""
  socket.setEncoding("utf8").on("data", (chunk) => answer += chunk)
  if (leaves) {
    const begun = once(server, "request")
    socket.write(text)
    const [, response] = await begun
    const closed = once(response, "close")
    socket.destroy()
    await closed
    // What it rejected would be heard of by now.
    await new Promise(setImmediate)
    return answer
  }
  socket.write(text)
  await once(socket, "close")
  return answer
}

const statusOf = (answer: string) => Number(answer.split(" ")[1])

const formOf = (path: string, body: string, headers = "") =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`

describe("a request that fails at the example server", () => {
  it.each(["//", "http://a:b/", "/\\\\", "*"])("SIGN-30 the target %s is not there", async (target) => {
    assert.strictEqual(statusOf(await raw(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)), 404)
  })

  it("SIGN-30 while the database is away signing in is 503, and says that it can be tried again", async () => {
    const answer = await raw(formOf("/sign-in", "apiToken=a"))
    assert.strictEqual(statusOf(answer), 503)
    assert.include(answer, "The drive can't be reached.")
  })

  it("SIGN-30 a fault is 500, and tells nothing of its cause", async () => {
    const answer = await raw(formOf("/sign-out", "", "cookie: filedrive=a\r\n"))
    assert.strictEqual(statusOf(answer), 500)
    assert.notInclude(answer, "a fault")
  })

  it("SIGN-30 who goes away in the middle of a form ends nothing else", async () => {
    await raw(formOf("/sign-in", "apiToken=a").replace("content-length: 10", "content-length: 100"), true)
    assert.strictEqual(statusOf(await raw(formOf("/sign-in", "apiToken=a"))), 503)
  })
})
