/** Requests and answers of JSON-RPC 2.0, one in a body. Pure. */
import { Result, Schema } from "effect"
import { invalidRequest, parseError, type ProtocolError, toJson } from "./ProtocolError.ts"

/** Of a request; its answer has the same. Null where the request has none that can be read. */
export type RequestId = string | number | null

export interface Request {
  readonly id: RequestId
  readonly method: string
  readonly params: unknown
}

/** A request that can't be read, with the id that it has as far as it can be told. */
export interface Unreadable {
  readonly id: RequestId
  readonly error: ProtocolError
}

const Id = Schema.NullOr(Schema.Union([Schema.String.check(Schema.isMaxLength(1_000)), Schema.Int]))
const isId = Schema.is(Id)

const unreadable = (id: RequestId, because: string): Result.Result<Request, Unreadable> =>
  Result.fail({ id, error: invalidRequest(because) })

/** The request in a body. Several at once (a batch) are refused, as A2A has none. */
export const parse = (text: string): Result.Result<Request, Unreadable> => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return Result.fail({ id: null, error: parseError })
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return unreadable(null, "The body must be one JSON-RPC request, as a JSON object.")
  }
  const { id = null, jsonrpc, method, params = {} } = body as Readonly<Record<string, unknown>>
  if (!isId(id)) return unreadable(null, "id must be text of at most 1,000 characters, a whole number or null.")
  if (jsonrpc !== "2.0") return unreadable(id, "jsonrpc must be \"2.0\".")
  if (typeof method !== "string" || method === "") return unreadable(id, "method must be the name of a method.")
  return Result.succeed({ id, method, params })
}

export const success = (id: RequestId, result: unknown) => ({ jsonrpc: "2.0" as const, id, result })

export const failure = (id: RequestId, error: ProtocolError) => ({ jsonrpc: "2.0" as const, id, error: toJson(error) })
