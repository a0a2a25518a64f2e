/** MCP as clients meet it, through the drive's own HTTP. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { CurrentAccount, DriveTools } from "@filedrive/core"
import { type DriveUser, type MemoryDrive, memoryDrive } from "@filedrive/testing"
import { connect, mcpUrl, post, request, stateless } from "./Mcp.ts"

const metadata = "http://drive.test/.well-known/oauth-protected-resource/mcp"

let drive: MemoryDrive
let ada: DriveUser

beforeAll(async () => {
  drive = await memoryDrive()
  ada = await drive.user({ handle: "ada" })
})
afterAll(() => drive.close())

const bytes = (text: string) => new TextEncoder().encode(text)

const json = async (response: Response) => await response.json() as any

describe("MCP", () => {
  it("MCP-1 the official client connects, lists tools with schemas and hints, and calls one", async () => {
    const id = await ada.upload({ fileName: "lease.txt", bytes: bytes("the deposit is 900") })
    const client = await connect(drive, ada.apiToken)
    const { tools } = await client.listTools()
    const search = tools.find(({ name }) => name === "search_files")!
    assert.strictEqual(search.outputSchema!.type, "object")
    assert.deepInclude(search.annotations, { readOnlyHint: true, destructiveHint: false, idempotentHint: true })
    assert.isTrue(tools.find(({ name }) => name === "delete_files")!.annotations!.destructiveHint)
    assert.isTrue(tools.find(({ name }) => name === "import_from_url")!.annotations!.openWorldHint)
    const found = await client.callTool({ name: "search_files", arguments: { text: "lease" } }) as any
    assert.strictEqual(found.structuredContent.files[0].id, id)
    assert.deepStrictEqual(JSON.parse(found.content[0].text), found.structuredContent)
    await client.close()
  })

  it("MCP-2 the tools are the operations that are offered as tools, named as their routes", async () => {
    const client = await connect(drive, ada.apiToken)
    const { tools } = await client.listTools()
    assert.deepStrictEqual(tools.map(({ name }) => name).sort(), DriveTools.driveTools.map(({ name }) => name).sort())
    for (const { inputSchema, name, outputSchema } of tools) {
      assert.deepStrictEqual([inputSchema.type, outputSchema!.type], ["object", "object"], name)
    }
    await client.close()
  })

  it("MCP-3 a list is the field files of structured content; a list of files is taken as fileIds", async () => {
    const id = await ada.upload({ fileName: "doomed.txt", bytes: bytes("x") })
    const client = await connect(drive, ada.apiToken)
    const trashed = await client.callTool({ name: "trash_files", arguments: { fileIds: [id] } }) as any
    assert.isUndefined(trashed.isError)
    const listed = await client.callTool({ name: "select_trashed_files" }) as any
    assert.deepStrictEqual(listed.structuredContent.files.map((file: any) => file.id), [id])
    await client.close()
  })

  it("MCP-4 a refused call is an error for the model, with the drive's sentence", async () => {
    const client = await connect(drive, ada.apiToken)
    const refused = await client.callTool({ name: "rename_file", arguments: { fileId: "no id", fileName: "b" } }) as any
    assert.isTrue(refused.isError)
    assert.match(refused.content[0].text, /^fileId must /)
    await client.close()
  })

  it("MCP-62 an unknown argument is refused, naming the known ones, and nothing is done", async () => {
    const client = await connect(drive, ada.apiToken)
    const id = await ada.upload({ fileName: "kept.txt", bytes: bytes("kept") })
    const refused = [
      [
        "rename_file",
        { fileId: id, fileName: "b.txt", name: "c" },
        "name is not a known field; the known ones are fileId, fileName."
      ],
      ["trash_files", { fileIds: [id], file: id }, "file is not a known field; the known ones are fileIds."],
      ["select_collections", { folder: "/" }, "folder is not a known field; there are none."],
      [
        "search_files",
        { within: { south: 1, west: 1, north: 2, east: 2, up: 3 } },
        "within.up is not a known field; the known ones are south, west, north, east."
      ]
    ] as const
    for (const [name, args, sentence] of refused) {
      const answer = await client.callTool({ name, arguments: args }) as any
      assert.deepStrictEqual([answer.isError, answer.content[0].text], [true, sentence], name)
    }
    const found = await client.callTool({ name: "search_files", arguments: { text: "kept.txt" } }) as any
    assert.deepStrictEqual(found.structuredContent.files.map((file: any) => file.id), [id])
    await client.close()
  })

  it("MCP-5 a file is read as a text part, and as a resource", async () => {
    const id = await ada.upload({ fileName: "note.txt", bytes: bytes("read me") })
    const client = await connect(drive, ada.apiToken)
    const read = await client.callTool({ name: "read_file", arguments: { fileId: id } }) as any
    assert.strictEqual(read.content[0].text, "read me")
    const { resources } = await client.listResources()
    const uri = `filedrive://files/${id}`
    assert.deepInclude(resources.find((one) => one.uri === uri), { name: "note.txt", mimeType: "text/plain", size: 7 })
    const { contents } = await client.readResource({ uri })
    assert.deepStrictEqual(contents, [{ uri, mimeType: "text/plain", text: "read me" }])
    const { resourceTemplates } = await client.listResourceTemplates()
    assert.strictEqual(resourceTemplates[0]!.uriTemplate, "filedrive://files/{id}")
    await client.close()
  })

  it("MCP-6 resources come in pages, newest first, each once", async () => {
    const eve = await drive.user()
    const ids = new Set<string>()
    for (let n = 0; n < 103; n++) ids.add(await eve.upload({ fileName: `${n}.txt`, bytes: bytes("x") }))
    const client = await connect(drive, eve.apiToken)
    const seen: Array<string> = []
    let cursor: string | undefined
    do {
      const page = await client.listResources(cursor === undefined ? {} : { cursor })
      seen.push(...page.resources.map(({ uri }) => uri.split("/").at(-1)!))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    assert.lengthOf(seen, 103)
    assert.deepStrictEqual(new Set(seen), ids)
    const wrong = await json(await post(drive, request("resources/list", { cursor: "x" }), { token: eve.apiToken }))
    assert.strictEqual(wrong.error.code, -32602)
    await client.close()
  })

  it("MCP-7 another account's files are answered like resources that don't exist", async () => {
    const id = await ada.upload({ fileName: "mine.txt", bytes: bytes("x") })
    const eve = await drive.user()
    for (const one of [id, "0199a000-0000-7000-8000-0000000000aa", "x", "../x"]) {
      const uri = `filedrive://files/${one}`
      const answer = await json(await post(drive, request("resources/read", { uri }), { token: eve.apiToken }))
      assert.deepStrictEqual([answer.error.code, answer.error.data], [-32002, { uri }])
    }
  })

  it("MCP-8 prompts have arguments, which are checked", async () => {
    const client = await connect(drive, ada.apiToken)
    const { prompts } = await client.listPrompts()
    assert.deepStrictEqual(prompts.map(({ name }) => name), [
      "find_files",
      "summarize_file",
      "tidy_folder",
      "collect_files"
    ])
    const { messages } = await client.getPrompt({ name: "tidy_folder", arguments: { folder: "/Inbox" } })
    assert.match((messages[0]!.content as { readonly text: string }).text, /\/Inbox/)
    for (
      const params of [{ name: "tidy_folder" }, { name: "toString" }, { name: "tidy_folder", arguments: { folder: 1 } }]
    ) {
      const answer = await json(await post(drive, request("prompts/get", params), { token: ada.apiToken }))
      assert.strictEqual(answer.error.code, -32602)
    }
    await client.close()
  })

  it("MCP-9 without a valid token the answer is 401, and says where sign-in is described", async () => {
    for (const token of [null, "fdt_wrong", "fda_wrong"]) {
      const response = await post(drive, request("ping"), { token })
      assert.strictEqual(response.status, 401)
      const challenge = response.headers.get("www-authenticate")!
      assert.include(challenge, `resource_metadata="${metadata}"`)
      assert.strictEqual(challenge.includes("invalid_token"), token !== null)
    }
  })

  it("MCP-10 pages of other origins are refused, and names that only lead to this machine", async () => {
    const local = await memoryDrive({ url: "http://127.0.0.1:4500", allowedOrigins: ["https://app.test"] })
    const { apiToken } = await local.user()
    const send = (headers: Readonly<Record<string, string>>) =>
      local.fetch(
        new Request("http://127.0.0.1:4500/mcp", {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${apiToken}`, ...headers },
          body: JSON.stringify(request("ping"))
        })
      )
    for (const origin of ["http://evil.test", "null", "http://127.0.0.1:9999", "https://127.0.0.1:4500"]) {
      assert.strictEqual((await send({ origin })).status, 403, origin)
    }
    for (const host of ["evil.test", "127.0.0.1.evil.test:4500", "localhost@evil.test"]) {
      assert.strictEqual((await send({ host })).status, 403, host)
    }
    const fine = [{}, { origin: "https://app.test" }, { origin: "http://localhost:4500" }, { host: "localhost:4500" }]
    for (const headers of fine) assert.strictEqual((await send(headers)).status, 200, JSON.stringify(headers))
    await local.close()
  })

  it("MCP-11 a body that is not a message is refused, and one that would keep others waiting", async () => {
    const token = ada.apiToken
    const many = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${"\"a\":1,".repeat(3_000)}"b":1}}`
    const values = JSON.stringify(request("tools/call", { list: Array.from({ length: 30_000 }, () => 1) }))
    const bodies = [
      "",
      "x",
      "[]",
      "[{}]",
      "1",
      "{}",
      "{\"jsonrpc\":\"2.0\"}",
      "[".repeat(50),
      many,
      values,
      " ".repeat(600_000)
    ]
    for (const body of bodies) {
      const response = await post(drive, null, { token, body })
      assert.strictEqual(response.status, 400, body.slice(0, 40))
      assert.oneOf((await json(response)).error.code, [-32700, -32600])
    }
    const response = await post(drive, request("ping"), { token, headers: { "content-type": "text/plain" } })
    assert.strictEqual(response.status, 415)
    const got = await drive.fetch(new Request(mcpUrl, { headers: { authorization: `Bearer ${token}` } }))
    assert.deepStrictEqual([got.status, got.headers.get("allow")], [405, "POST"])
  })

  it("MCP-12 a client gets the revision that it asks for, or the newest one that is negotiated", async () => {
    const token = ada.apiToken
    for (
      const [asked, got] of [["2025-06-18", "2025-06-18"], ["2025-11-25", "2025-11-25"], ["1999-01-01", "2025-11-25"]]
    ) {
      const answer = await json(await post(drive, request("initialize", { protocolVersion: asked }), { token }))
      assert.strictEqual(answer.result.protocolVersion, got)
    }
    const unknown = await post(drive, request("ping"), { token, headers: { "mcp-protocol-version": "1999-01-01" } })
    assert.deepStrictEqual([unknown.status, (await json(unknown)).error.code], [400, -32022])
    assert.strictEqual(
      (await post(drive, { jsonrpc: "2.0", method: "notifications/initialized" }, { token })).status,
      202
    )
    assert.strictEqual((await json(await post(drive, request("nothing"), { token }))).error.code, -32601)
  })

  it("MCP-13 a request of 2026-07-28 says all by itself; headers that contradict it are refused", async () => {
    const token = ada.apiToken
    const [message, headers] = stateless("tools/call", { name: "search_files", arguments: {} })
    const { result } = await json(await post(drive, message, { token, headers }))
    assert.strictEqual(result.resultType, "complete")
    assert.isArray(result.structuredContent.files)
    assert.strictEqual(result._meta["io.modelcontextprotocol/serverInfo"].name, "filedrive")
    const [discover, discoverHeaders] = stateless("server/discover")
    const discovered = await json(await post(drive, discover, { token, headers: discoverHeaders }))
    assert.include(discovered.result.supportedVersions, "2026-07-28")
    const [list, listHeaders] = stateless("tools/list")
    const tools = await json(await post(drive, list, { token, headers: listHeaders }))
    assert.deepInclude(tools.result, { ttlMs: 0, cacheScope: "private", resultType: "complete" })
    const wrong = [
      { ...headers, "mcp-name": "read_file" },
      { ...headers, "mcp-method": "tools/list" },
      { ...headers, "mcp-protocol-version": "2025-11-25" }
    ]
    for (const sent of wrong) {
      const response = await post(drive, message, { token, headers: sent })
      assert.deepStrictEqual([response.status, (await json(response)).error.code], [400, -32020])
    }
    // The revision has neither; an `initialize` of an older one is not mistaken for it because of its header.
    for (const method of ["ping", "initialize"]) {
      const [removed, removedHeaders] = stateless(method)
      const unknown = await post(drive, removed, { token, headers: removedHeaders })
      assert.deepStrictEqual([unknown.status, (await json(unknown)).error.code], [404, -32601])
    }
    const older = request("initialize", { protocolVersion: "2025-11-25" })
    assert.strictEqual(
      (await post(drive, older, { token, headers: { "mcp-protocol-version": "2026-07-28" } })).status,
      200
    )
  })

  it("MCP-14 who asks for progress is told how far an archive is, in a stream, and then its result", async () => {
    const id = await ada.upload({ fileName: "packed.txt", bytes: bytes("pack me") })
    const params = {
      name: "create_archive_request",
      arguments: { fileIds: [id] },
      _meta: { progressToken: "p" }
    }
    const pending = post(drive, request("tools/call", params), { token: ada.apiToken })
    const response = await pending
    assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    let ran = false
    while (true) {
      const { done, value } = await reader.read()
      if (done) break
      text += value
      if (!ran) {
        ran = true
        await drive.runJobs()
      }
    }
    const messages = text.trim().split("\n\n").map((event) => JSON.parse(event.slice(event.indexOf("data: ") + 6)))
    const progress = messages.slice(0, -1).map(({ params }) => params)
    assert.isTrue(progress.every((one) => one.progressToken === "p"))
    assert.isTrue(progress.every((one, at) => at === 0 || one.progress > progress[at - 1].progress))
    assert.isString(messages.at(-1).result.structuredContent.id)
  })
})

describe("the limits of tools", () => {
  const tools = DriveTools.driveTools
  it.each(CurrentAccount.permissions)(
    "MCP-15 a token with the permission %s alone lists the tools that it allows, and no other can be called",
    async (permission) => {
      const user = await drive.user({ permissions: [permission] })
      const answer = await json(await post(drive, request("tools/list"), { token: user.apiToken }))
      const listed: ReadonlyArray<string> = answer.result.tools.map(({ name }: { readonly name: string }) => name)
      const allowed = tools.filter(({ permissions }) => permissions.includes(permission)).map(({ name }) => name)
      assert.deepStrictEqual(listed, allowed)
      for (const { name } of tools) {
        const answer = await post(drive, request("tools/call", { name, arguments: {} }), { token: user.apiToken })
        assert.strictEqual((await json(answer)).error?.code, allowed.includes(name) ? undefined : -32602, name)
      }
    }
  )

  it("MCP-16 a token that may not read has no resources", async () => {
    const id = await ada.upload({ fileName: "secret.txt", bytes: bytes("x") })
    const { token } = await drive.tokens.create(ada.userId, { name: "adds", permissions: ["add"] })
    const listed = await json(await post(drive, request("resources/list"), { token }))
    assert.deepStrictEqual(listed.result, { resources: [] })
    const read = await json(await post(drive, request("resources/read", { uri: `filedrive://files/${id}` }), { token }))
    assert.strictEqual(read.error.code, -32002)
  })
})
