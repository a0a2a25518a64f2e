/** The drive's operations as tools over the Model Context Protocol (MCP). */
export * as McpHttp from "./mcp/McpHttp.ts"
