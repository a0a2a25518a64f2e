/** An app that people connect: the official MCP client, with a redirect on the person's own machine. */
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { randomBytes } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"

export interface McpAppOptions {
  readonly name: string
  /** The address of the document that describes the app. Without one it registers itself. */
  readonly documentUrl?: string
  /** Of the person's own machine, at which the app takes its redirect. Default `127.0.0.1`. */
  readonly address?: string
}

/** What the client stores, as its interface for OAuth asks. */
const providerOf = ({ documentUrl, name }: McpAppOptions, redirectUrl: string, state: string) => {
  let information: OAuthClientInformationMixed | undefined
  let tokens: OAuthTokens | undefined
  let verifier = ""
  let asked: URL | undefined
  return {
    redirectUrl,
    ...documentUrl !== undefined && { clientMetadataUrl: documentUrl },
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
    state: () => state,
    clientInformation: () => information,
    saveClientInformation: (given: OAuthClientInformationMixed) => void (information = given),
    tokens: () => tokens,
    saveTokens: (given: OAuthTokens) => void (tokens = given),
    redirectToAuthorization: (url: URL) => void (asked = url),
    saveCodeVerifier: (given: string) => void (verifier = given),
    codeVerifier: () => verifier,
    /** Where the client would have a browser opened. */
    asked: () => asked!
  }
}

export class McpApp {
  readonly #options: McpAppOptions
  readonly #server: Server
  readonly #back = Promise.withResolvers<URL>()
  /** Statuses of the answers from `/mcp`, in order. */
  readonly statuses: Array<number> = []
  constructor(options: McpAppOptions) {
    this.#options = options
    this.#server = createServer((request, response) => {
      response.setHeader("content-type", "text/plain").end("You can close this page.")
      if (request.url!.startsWith("/back?")) this.#back.resolve(new URL(request.url!, this.redirectUrl))
    })
  }
  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.on("error", reject).listen(0, this.#options.address ?? "127.0.0.1", resolve)
    })
  }
  get redirectUrl(): string {
    const { address, family, port } = this.#server.address() as AddressInfo
    return `http://${family === "IPv6" ? `[${address}]` : address}:${port}/back`
  }
  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /**
   * Connects as a client does that has no token yet; `visit` is the person with a browser. Returns the connected client, or the error that
   * the redirect gave.
   */
  async connect(mcpUrl: string, visit: (url: URL) => Promise<void>): Promise<Client | string> {
    const state = randomBytes(16).toString("base64url")
    const authProvider = providerOf(this.#options, this.redirectUrl, state)
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(mcpUrl), {
        authProvider,
        fetch: async (input, init) => {
          const response = await fetch(input, init)
          if (String(input) === mcpUrl) this.statuses.push(response.status)
          return response
        }
      })
    const client = () => new Client({ name: this.#options.name, version: "1" })
    const first = transport()
    try {
      await client().connect(first as Transport)
      throw new Error("The server asks for no token.")
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
    }
    await visit(authProvider.asked())
    const { searchParams } = await this.#back.promise
    if (searchParams.get("state") !== state) throw new Error("The redirect has another state.")
    const code = searchParams.get("code")
    if (code === null) return searchParams.get("error")!
    await first.finishAuth(code)
    const connected = client()
    await connected.connect(transport() as Transport)
    return connected
  }
}
