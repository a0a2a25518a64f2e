/** What a client sends: one message of JSON-RPC 2.0, and which revision of MCP it is of. Pure. */
import { JsonBounds } from "@filedrive/core"
import { Result } from "effect"
import { Base64 } from "effect/encoding"
import * as Revision from "./Revision.ts"
import { headerMismatch, invalidRequest, parseError, type RpcError, rpcError, unsupportedRevision } from "./RpcError.ts"

export type RequestId = string | number

type Json = Readonly<Record<string, unknown>>

/** A request that waits for an answer. */
export interface Call {
  readonly id: RequestId
  readonly method: string
  readonly params: Json
  readonly isStateless: boolean
}

export interface Refusal {
  readonly id: RequestId | null
  readonly error: RpcError
}

/** The headers of a request that say what its body says too. */
export interface MessageHeaders {
  readonly version: string | undefined
  readonly method: string | undefined
  readonly name: string | undefined
}

/** Bytes of a body: the longest list of ids has 400 kB. */
export const bodyMaxBytes = 524_288

/** No tool takes as much; more would keep the process from others for longer than a few milliseconds. */
const bounds: JsonBounds.Bounds = { depth: 24, fields: 2_000, groups: 2_000, values: 20_000 }

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const isId = (value: unknown): value is RequestId => typeof value === "string" || Number.isSafeInteger(value)

/** What the header `Mcp-Name` repeats, by method. */
const namedBy: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri"
}

/** A header that can't be printed as it is comes as `=?base64?…?=`. */
const decodedName = (header: string): string => {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(header) ?? []
  return base64 === undefined ? header : Result.getOrElse(Base64.decodeString(base64), () => header)
}

/** Null when a stateless request is as its revision asks. */
const statelessFault = (
  method: string,
  params: Json,
  meta: Json,
  headers: MessageHeaders
): RpcError | null => {
  const version = meta[Revision.metadata.version]
  if (headers.version === undefined) return headerMismatch("Send the header MCP-Protocol-Version.")
  if (typeof version !== "string") return rpcError(-32602, `Send _meta["${Revision.metadata.version}"].`, 400)
  if (version !== headers.version) return headerMismatch("MCP-Protocol-Version must be the revision in _meta.")
  if (!isObject(meta[Revision.metadata.capabilities])) {
    return rpcError(-32602, `Send _meta["${Revision.metadata.capabilities}"].`, 400)
  }
  if (version !== Revision.stateless) return unsupportedRevision(version, Revision.supported)
  if (headers.method !== method) return headerMismatch("Mcp-Method must be the method.")
  const named = namedBy[method]
  if (named === undefined) return null
  return headers.name !== undefined && decodedName(headers.name) === params[named]
    ? null
    : headerMismatch(`Mcp-Name must be the ${named}.`)
}

const parsed = (text: string): Result.Result<unknown, RpcError> => {
  if (!JsonBounds.isWithinBounds(text, 0, bounds)) {
    return Result.fail(invalidRequest(
      `The body is nested more than ${bounds.depth} deep, or has more than ${bounds.fields} fields or ${bounds.values} values.`
    ))
  }
  try {
    return Result.succeed(JSON.parse(text))
  } catch {
    return Result.fail(parseError)
  }
}

/** A request; null for a notification or an answer, which nobody waits for. */
export const parse = (text: string, headers: MessageHeaders): Result.Result<Call | null, Refusal> => {
  const refuse = (error: RpcError, id: RequestId | null = null) => Result.fail({ id, error })
  const read = parsed(text)
  if (Result.isFailure(read)) return refuse(read.failure)
  const message = read.success
  if (Array.isArray(message)) return refuse(invalidRequest("Send one message at a time."))
  if (!isObject(message) || message["jsonrpc"] !== "2.0") {
    return refuse(invalidRequest("Send a message of JSON-RPC 2.0."))
  }
  const { id, method, params = {} } = message
  if (id !== undefined && id !== null && !isId(id)) {
    return refuse(invalidRequest("The id must be text or a whole number."))
  }
  const isAnswer = method === undefined && ("result" in message || "error" in message)
  if (isAnswer) return Result.succeed(null)
  if (typeof method !== "string") return refuse(invalidRequest("The method must be text."), isId(id) ? id : null)
  if (id === null) return refuse(invalidRequest("The id must be text or a whole number."))
  if (id !== undefined && !isObject(params)) return refuse(rpcError(-32602, "The params must be an object.", 400), id)
  const meta = isObject(params) && isObject(params["_meta"]) ? params["_meta"] : {}
  // `initialize` is of the older revisions, whatever the header says; one that names its revision itself is of the stateless one.
  const isStateless = Revision.metadata.version in meta ||
    (method !== "initialize" && headers.version === Revision.stateless)
  if (!isStateless && headers.version !== undefined && !Revision.supported.includes(headers.version)) {
    return refuse(unsupportedRevision(headers.version, Revision.supported), id ?? null)
  }
  if (id === undefined) return Result.succeed(null)
  const fault = isStateless ? statelessFault(method, params as Json, meta, headers) : null
  return fault === null ? Result.succeed({ id, method, params: params as Json, isStateless }) : refuse(fault, id)
}
