/** The surfaces at which a tool's operation is called with an access token: MCP, the API and the agent. */
import type { DriveTools } from "@filedrive/core"
import type { MemoryDrive } from "@filedrive/testing"
import { site } from "../oauth/Apps.ts"

export interface Answer {
  readonly text: string
  readonly status: number
  readonly isRefused: boolean
  /** The code of the API's or of the agent's result; of MCP that of JSON-RPC. */
  readonly code: string | number | undefined
  /** The header `WWW-Authenticate`. */
  readonly challenge: string | null
}

export type Surface = (token: string, tool: DriveTools.DriveTool, args: unknown) => Promise<Answer>

export const post = (drive: MemoryDrive, path: string, token: string, body: unknown): Promise<Response> =>
  drive.fetch(
    new Request(site + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "x-service-app": "filedrive",
        "a2a-version": "1.0"
      },
      body: JSON.stringify(body)
    })
  )

const rpc = async (drive: MemoryDrive, path: string, token: string, method: string, params: object) => {
  const response = await post(drive, path, token, { jsonrpc: "2.0", id: 1, method, params })
  const text = await response.text()
  return { response, text, body: JSON.parse(text) }
}

export const mcp = (drive: MemoryDrive): Surface => async (token, { name }, args) => {
  const { body, response, text } = await rpc(drive, "/mcp", token, "tools/call", { name, arguments: args })
  return {
    text,
    status: response.status,
    isRefused: body.error !== undefined || body.result.isError === true,
    code: body.error?.code,
    challenge: response.headers.get("www-authenticate")
  }
}

export const api = (drive: MemoryDrive): Surface => async (token, { bodyOf, name }, args) => {
  const response = await post(drive, `/api/${name.replaceAll("_", "-")}`, token, bodyOf(args))
  const text = await response.text()
  return {
    text,
    status: response.status,
    isRefused: response.status !== 200,
    code: JSON.parse(text).code,
    challenge: response.headers.get("www-authenticate")
  }
}

let messages = 0

/** A message that is itself a call, and what its task has told when it ended. */
export const agent = (drive: MemoryDrive): Surface => async (token, { name }, args) => {
  const parts = [{ data: { tool: name, args } }]
  const message = { messageId: `call-${++messages}`, role: "ROLE_USER", parts }
  const sent = await rpc(drive, "/a2a", token, "SendMessage", { message, configuration: { returnImmediately: true } })
  await drive.runJobs()
  const { body, response } = await rpc(drive, "/a2a", token, "GetTask", {
    id: sent.body.result.task.id,
    historyLength: 0
  })
  const text = JSON.stringify(body.result)
  return {
    text,
    status: response.status,
    isRefused: !/TASK_STATE_COMPLETED/.test(text),
    code: undefined,
    challenge: null
  }
}

/** The names of the tools that MCP lists. */
export const listed = async (drive: MemoryDrive, token: string): Promise<ReadonlyArray<string>> => {
  const { body } = await rpc(drive, "/mcp", token, "tools/list", {})
  return body.result.tools.map(({ name }: { readonly name: string }) => name)
}
