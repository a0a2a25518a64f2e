/** What strangers send to MCP, as it is. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DriveTools } from "@filedrive/core"
import { type DriveUser, type MemoryDrive, memoryDrive } from "@filedrive/testing"
import { mcpUrl, post, request } from "./Mcp.ts"

let drive: MemoryDrive
let ada: DriveUser

beforeAll(async () => {
  drive = await memoryDrive()
  ada = await drive.user({ handle: "ada" })
})
afterAll(() => drive.close())

const send = async (body: string) => {
  const response = await post(drive, null, { token: ada.apiToken, body })
  return { status: response.status, answer: await response.json() as any }
}

/** A message in which a value can be what no literal is. */
const raw = (method: string, params: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`

const call = async (name: string, args: unknown) => {
  const { answer } = await send(JSON.stringify(request("tools/call", { name, arguments: args })))
  return answer.result.content[0].text as string
}

/** Objects that can't be made into text, and what is no text besides. */
const values = [`{"toString":1,"valueOf":1}`, `["search_files"]`, "1", "null", `{"__proto__":{"toString":1}}`]

describe("parameters", () => {
  const fields = [["tools/call", "name"], ["prompts/get", "name"], ["resources/read", "uri"], [
    "logging/setLevel",
    "level"
  ]] as const
  it.each(fields)("MCP-20 of %s that are not text are refused, by the name of the field: %s", async (method, field) => {
    const bodies = values.map((value) => raw(method, `{"${field}":${value},"_meta":{"progressToken":1}}`))
    for (const body of [...bodies, raw(method, "{}")]) {
      const { answer, status } = await send(body)
      assert.deepStrictEqual([status, answer.error], [200, { code: -32602, message: `${field} must be text.` }], body)
    }
  })

  it("MCP-20 an unknown log level, and a cursor for a list that has one page, are refused", async () => {
    const level = await send(JSON.stringify(request("logging/setLevel", { level: "loud" })))
    assert.match(level.answer.error.message, /^level must be one of debug, info, /)
    for (const method of ["tools/list", "prompts/list", "resources/templates/list", "resources/list"]) {
      for (const cursor of [`"x"`, ...values]) {
        const { answer } = await send(raw(method, `{"cursor":${cursor}}`))
        assert.strictEqual(answer.error?.code, -32602, `${method} ${cursor}`)
      }
    }
  })

  it("MCP-20 keys that objects have by birth are names like any other", async () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const unknown = [
        request("tools/call", { name }),
        request("prompts/get", { name }),
        request(name)
      ]
      for (const message of unknown) {
        const { answer } = await send(JSON.stringify(message))
        assert.oneOf(answer.error.code, [-32601, -32602])
      }
    }
    const polluted = raw("tools/call", `{"name":"search_files","arguments":{"__proto__":{"limit":-1}}}`)
    assert.match((await send(polluted)).answer.result.content[0].text, /^__proto__ is not a known field;/)
    const inherited = raw("tools/call", `{"__proto__":{"name":"search_files"}}`)
    assert.strictEqual((await send(inherited)).answer.error.message, "name must be text.")
  })
})

describe("arguments", () => {
  it("MCP-21 a sentence names what the tool takes", async () => {
    for (const args of [[], "x", 1]) {
      assert.strictEqual(await call("search_files", args), "The arguments must be a JSON object.")
    }
    assert.strictEqual(await call("trash_files", undefined), "fileIds must be a JSON array.")
    assert.strictEqual(await call("trash_files", { fileIds: [] }), "fileIds must have 1 to 100 items.")
    const ids = ["0199a000-0000-7000-8000-0000000000aa", "x"]
    assert.match(await call("trash_files", { fileIds: ids }), /^fileIds\[1\] must be /)
    for (const one of [null, 1, true]) {
      assert.match(await call("trash_files", { fileIds: [one] }), /^fileIds\[0\] must be /)
    }
    assert.strictEqual(await call("trash_files", { fileIds: [{}] }), "fileIds[0] is missing.")
  })

  const hostile: ReadonlyArray<unknown> = [null, [], "x", 5, {}, { toString: 1 }, { fileIds: [{ toString: 1 }] }]
  it.each(DriveTools.driveTools.map(({ name }) => name))(
    "MCP-21 %s says no word of a body, whatever it is given",
    async (name) => {
      for (const args of hostile) {
        const { answer, status } = await send(JSON.stringify(request("tools/call", { name, arguments: args })))
        assert.strictEqual(status, 200)
        assert.isDefined(answer.result, JSON.stringify(args))
        if (answer.result.isError === true) {
          assert.notMatch(answer.result.content[0].text, /^The body|^\[|wrong on our side/, JSON.stringify(args))
        }
      }
    }
  )
})

describe("ways in", () => {
  it.each(["GET", "HEAD", "DELETE", "PUT", "PATCH", "OPTIONS"])(
    "MCP-11 %s is refused, and POST named",
    async (method) => {
      for (const url of [mcpUrl, `${mcpUrl}/`, `${mcpUrl}?session=1`]) {
        const response = await drive.fetch(
          new Request(url, { method, headers: { authorization: `Bearer ${ada.apiToken}` } })
        )
        assert.deepStrictEqual([response.status, response.headers.get("allow")], [405, "POST"])
      }
    }
  )
})
