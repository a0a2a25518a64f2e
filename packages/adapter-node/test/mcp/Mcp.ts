/** A drive in memory with MCP, and callers of it: the official SDK's client, and raw messages. */
import type { MemoryDrive } from "@filedrive/testing"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"

export const mcpUrl = "http://drive.test/mcp"

/** A connected client of the SDK's. */
export const connect = async (drive: MemoryDrive, token: string): Promise<Client> => {
  const client = new Client({ name: "test", version: "1" })
  const transport = new StreamableHTTPClientTransport(new URL(mcpUrl), {
    fetch: (input, init) => drive.fetch(new Request(input, init)),
    requestInit: { headers: { authorization: `Bearer ${token}` } }
  })
  await client.connect(transport as Transport)
  return client
}

export interface Sent {
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a message as it is. */
export const post = (drive: MemoryDrive, message: unknown, { body, headers, token }: Sent = {}): Promise<Response> =>
  drive.fetch(
    new Request(mcpUrl, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...token === null || token === undefined ? {} : { authorization: `Bearer ${token}` },
        ...headers
      },
      body: body ?? JSON.stringify(message)
    })
  )

export const request = (method: string, params: object = {}, id: number | string = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params
})

/** A request of the revision without a beginning. */
export const stateless = (method: string, params: Readonly<Record<string, unknown>> = {}) => {
  const name = params["name"] ?? params["uri"]
  return [
    request(method, {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}
      }
    }),
    {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...typeof name === "string" && { "mcp-name": name }
    }
  ] as const
}
