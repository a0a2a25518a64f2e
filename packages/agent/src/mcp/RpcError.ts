/** Why a request of JSON-RPC is refused, in MCP's codes. */

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
  /** Of HTTP. */
  readonly status: number
}

export const rpcError = (code: number, message: string, status: number, data?: unknown): RpcError => ({
  code,
  message,
  status,
  ...data !== undefined && { data }
})

export const parseError = rpcError(-32700, "The body is not valid JSON.", 400)
export const invalidRequest = (message: string, status = 400) => rpcError(-32600, message, status)
export const invalidParams = (message: string, data?: unknown) => rpcError(-32602, message, 200, data)
/** `status`: 404 for the stateless revision, 200 for those before. */
export const unknownMethod = (method: string, status: 200 | 404) =>
  rpcError(-32601, `There is no method ${JSON.stringify(method.slice(0, 100))}.`, status)
export const headerMismatch = (message: string) => rpcError(-32020, message, 400)
export const unsupportedRevision = (requested: string, supported: ReadonlyArray<string>) =>
  rpcError(-32022, `The revision ${JSON.stringify(requested.slice(0, 100))} is not supported.`, 400, {
    supported,
    requested: requested.slice(0, 100)
  })
/** `isStateless`: that revision counts it among wrong parameters. */
export const resourceNotFound = (uri: string, isStateless: boolean) =>
  rpcError(isStateless ? -32602 : -32002, "There is no such resource.", 200, { uri: uri.slice(0, 500) })
export const internal = (message: string, data: unknown) => rpcError(-32603, message, 200, data)
