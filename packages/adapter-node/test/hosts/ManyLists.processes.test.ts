/** Many long lists at once, of a server with little memory. */
import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs/promises"
import { Agent, type IncomingMessage, request } from "node:http"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { Client } from "pg"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { start } from "../database/ChildProcess.ts"

const script = fileURLToPath(new URL("./ManyListsHost.ts", import.meta.url))
const heap = ["env", "NODE_OPTIONS=--max-old-space-size=512"]
const files = 100_000
const accounts = 3

/** How long the test waits for a server before it fails. */
const failsAfter = 900_000

const agent = new Agent({ keepAlive: false })

const call = (origin: string, route: string, session: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${session}`, "x-service-app": "filedrive" }
    request(`${origin}/api${route}`, { method: "POST", headers, agent }, resolve).once("error", reject).end()
  })

/** The files of a whole answer, counted as they come: the test must not hold them either. */
const count = async (answer: IncomingMessage): Promise<number> => {
  let found = 0
  let before = ""
  for await (const piece of answer.setEncoding("latin1")) {
    const text: string = before + piece
    found += text.split("{\"id\":\"").length - 1
    // What may be the beginning of a next one.
    before = text.slice(text.lastIndexOf("{\"id\":\"") + 7).slice(-6)
  }
  assert.isTrue(answer.complete)
  return found
}

const listing = async (origin: string, session: string) => {
  const answer = await call(origin, "/select-user-files", session)
  if (answer.statusCode === 200) return { status: 200, files: await count(answer) }
  answer.resume()
  return { status: answer.statusCode, retryAfter: answer.headers["retry-after"] }
}

const served = async (of: ReadonlyArray<string>) => {
  const directory = await fs.mkdtemp(path.join(os.tmpdir(), "filedrive-lists-"))
  const child = start([directory, String(files), String(accounts), ...of], heap, script)
  try {
    await child.printed(accounts + 2)
    const [origin, ...sessions] = child.lines as [string, ...Array<string>]
    const other = sessions.pop()!
    const state = { isOver: false }
    const others = (async () => {
      const statuses = new Set<number | undefined>()
      while (!state.isOver) {
        const answer = await call(origin, "/get-user-storage-usage", other)
        for await (const _ of answer) { /* It is short. */ }
        statuses.add(answer.statusCode)
      }
      return [...statuses]
    })()
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, n) => listing(origin, sessions[n % 10 < 8 ? 0 : n % 10 - 7]!))
    )
    state.isOver = true
    const whole = outcomes.filter(({ status }) => status === 200)
    // Of one account there are 24, of the two others three each.
    assert.strictEqual(whole.length, 4 + 3 + 3)
    assert.deepStrictEqual(new Set(whole.map(({ files }) => files)), new Set([files]))
    const refused = outcomes.filter(({ status }) => status === 429)
    assert.strictEqual(refused.length, 20)
    for (const { retryAfter } of refused) assert.isAtLeast(Number(retryAfter), 1)
    assert.deepStrictEqual(await others, [200])
    assert.strictEqual((await listing(origin, sessions[0]!)).files, files)
  } finally {
    await child.kill()
    await fs.rm(directory, { recursive: true })
  }
}

describe("30 lists of 100,000 files at once, with a heap of 512 MB", () => {
  it("LONG-5 a server on the embedded database goes on, and calls of others are answered", () => served([]), failsAfter)

  it("LONG-5 so does one on PostgreSQL", async () => {
    const url = await postgresUrl()
    const schema = `many_lists_${process.pid}`
    try {
      await served([url, schema])
    } finally {
      const client = new Client(url)
      await client.connect()
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      await client.end()
    }
  }, failsAfter)
})
