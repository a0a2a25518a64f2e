/**
 * Revisions of MCP. No revision has sessions here: each request says all that is needed, so any process of a drive answers it.
 *
 * Pure. Contract: "MCP and OAuth".
 */

/** Revisions that begin with `initialize`, newest first. */
export const negotiated = ["2025-11-25", "2025-06-18"] as const

/** The revision whose requests name it in their metadata. */
export const stateless = "2026-07-28"

export const supported: ReadonlyArray<string> = [stateless, ...negotiated]

/** What a client gets that asks for `version`: that one if it is known, else the newest that is negotiated. */
export const chosen = (version: unknown): string => negotiated.find((one) => one === version) ?? negotiated[0]

/** Names of the metadata of stateless requests. */
export const metadata = {
  version: "io.modelcontextprotocol/protocolVersion",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
  server: "io.modelcontextprotocol/serverInfo"
} as const
