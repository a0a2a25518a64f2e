import { assert, describe, it } from "@effect/vitest"
import { Limits } from "@filedrive/core"
import * as ToolResult from "./ToolResult.ts"

const folders = (length: number) => ({ folders: [{ path: "x".repeat(length) }] })
const room = Limits.toolAnswerMaxLength - JSON.stringify(folders(0)).length

describe("What a tool returns", () => {
  it("MCP-65 an answer that is too long is an error that says to ask for less; that of a tool that changes something is not", () => {
    const reads = { operation: "selectCollections", effect: "reads" } as const
    const whole = JSON.parse(ToolResult.ofAnswer(reads, folders(room)))
    assert.deepStrictEqual(whole.structuredContent, folders(room))
    assert.deepStrictEqual(JSON.parse(whole.content[0].text), folders(room))
    const refused = JSON.parse(ToolResult.ofAnswer(reads, folders(room + 1)))
    assert.isTrue(refused.isError)
    assert.isUndefined(refused.structuredContent)
    assert.match(refused.content[0].text, /page by page/)
    const changed = JSON.parse(ToolResult.ofAnswer({ operation: "restoreFiles", effect: "changes" }, folders(room + 1)))
    assert.deepStrictEqual(changed.structuredContent, folders(room + 1))
  })
})
