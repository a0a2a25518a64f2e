/** The ends of streams of progress. No jobs run here, so what they tell of never ends. */
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import type { DriveUser, MemoryDrive } from "@filedrive/testing"
import { memoryDrive } from "@filedrive/testing"
import { post, request } from "./Mcp.ts"

let drive: MemoryDrive
let ada: DriveUser

beforeEach(async () => {
  drive = await memoryDrive()
  ada = await drive.user()
})
afterEach(() => drive.close())

/** A call that is followed: `begun` when the first progress has come, `rest` all of it. */
const followed = async (token: string) => {
  const id = await ada.upload({ fileName: "packed.txt", bytes: new TextEncoder().encode("pack me") })
  const params = { name: "create_archive_request", arguments: { fileIds: [id] }, _meta: { progressToken: "p" } }
  const response = await post(drive, request("tools/call", params), { token })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const first = (await reader.read()).value ?? ""
  const rest = async () => {
    let text = first
    while (true) {
      const { done, value } = await reader.read()
      if (done) return text
      text += value
    }
  }
  return { first, rest }
}

const result = (text: string) => JSON.parse(text.trim().split("\n\n").at(-1)!.split("data: ")[1]!).result

describe("a stream of progress", () => {
  it("MCP-60 ends when the server stops, with the result of the call", async () => {
    const { first, rest } = await followed(ada.apiToken)
    assert.include(first, "notifications/progress")
    await drive.endStreams()
    assert.isString(result(await rest()).structuredContent.id)
  })

  it("MCP-61 ends soon after its token", async () => {
    const { id, token } = await drive.tokens.create(ada.userId, { name: "app" })
    const { first, rest } = await followed(token)
    assert.include(first, "notifications/progress")
    await drive.tokens.revoke(ada.userId, id)
    assert.isString(result(await rest()).structuredContent.id)
  })
})
