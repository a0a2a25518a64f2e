/**
 * From the text of a body to what a handler takes, or the sentence that says
 * why not. Contract: "Errors", `invalid_body`, `missing_field`, `invalid_field`.
 */
import { Result, Schema, SchemaAST } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { BadRequest } from "./ApiError.ts"
import * as FieldIssue from "./FieldIssue.ts"
import { invalid } from "./RequestBody.ts"

type Payload = Result.Result<unknown, BadRequest>

export type Decoder = (text: string, request: HttpServerRequest.HttpServerRequest) => Payload

type Shape = "object" | "array"

/** The decoder of an endpoint's payload; null where it has none or an optional one is not there. */
export const decoder = (endpoint: HttpApiEndpoint.Top): Decoder => {
  const schemas = Array.from(endpoint.payload.values()).flatMap(({ schemas }) => schemas as ReadonlyArray<Schema.Top>)
  const isNull = (schema: Schema.Top) => SchemaAST.isNull(SchemaAST.toEncoded(schema.ast))
  const body = schemas.find((schema) => !isNull(schema))
  if (body === undefined) return withoutBody
  const optional = schemas.some(isNull)
  const shape = SchemaAST.isArrays(SchemaAST.toEncoded(body.ast)) ? "array" : "object"
  // With the input a complaint can tell a list's length from a text's; it is never echoed.
  const decode = Schema.decodeUnknownResult(body as Schema.Codec<unknown>, { reportInput: true })

  return (text, request) => {
    if (text === "" && optional) return nothing
    if (text !== "" && !isJson(request.headers["content-type"])) return notJson
    const parsed = parse(text, shape, optional)
    if (Result.isFailure(parsed) || parsed.success === null) return parsed
    const decoded = decode(parsed.success)
    if (Result.isFailure(decoded)) return Result.fail(badField(FieldIssue.first(decoded.failure.issue)))
    // Only an escape can bring in what no database holds, so most bodies need no second look.
    return text.includes("\\u") ? storable(decoded.success) : Result.succeed(decoded.success)
  }
}

/** The decoder of an endpoint's query parameters, from a request's URL; undefined where it declares none. */
export const queryDecoder = (endpoint: HttpApiEndpoint.Top): ((url: string) => Payload) | undefined => {
  if (endpoint.query === undefined) return undefined
  // A list with one entry looks like a single value.
  const listsOfOne = Schema.toCodecArrayFromSingle(endpoint.query as Schema.Codec<unknown>)
  const decode = Schema.decodeUnknownResult(listsOfOne, { reportInput: true })
  return (url) => {
    const sent: Record<string, string | Array<string>> = Object.create(null)
    const at = url.indexOf("?")
    for (const [name, value] of new URLSearchParams(at === -1 ? "" : url.slice(at + 1))) {
      const before = sent[name]
      sent[name] = before === undefined ? value : [...(typeof before === "string" ? [before] : before), value]
    }
    const decoded = decode({ ...sent })
    return Result.isFailure(decoded)
      ? Result.fail(badField(FieldIssue.first(decoded.failure.issue)))
      : storable(decoded.success)
  }
}

const nothing: Payload = Result.succeed(null)

const notJson: Payload = Result.fail(invalid("Send the body as JSON, with the content type application/json."))

/** A route without a body takes none, nothing in it, null, or an object whose fields are all unknown. */
const withoutBody: Decoder = (text) => text === "" ? nothing : parse(text, "object", true)

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || contentType === "application/json" ||
  /^application\/(?:json|[\w.!#$&^-]+\+json)\s*(?:;|$)/i.test(contentType)

const parse = (text: string, shape: Shape, orNull: boolean): Payload => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return Result.fail(invalid("The body is not valid JSON."))
  }
  const fits = value === null ? orNull : typeof value === "object" && Array.isArray(value) === (shape === "array")
  return fits ? Result.succeed(value) : Result.fail(invalid(`The body must be a JSON ${shape}.`))
}

const badField = ({ because, code, field }: FieldIssue.FieldIssue): BadRequest =>
  new BadRequest({
    error: `${field === "" ? "The body" : field} ${because}.`,
    code,
    ...(field !== "" && { field }),
    retryable: false
  })

const storable = (value: unknown): Payload => {
  const path = unstorable(value)
  return path === undefined ? Result.succeed(value) : Result.fail(badField({
    code: "invalid_field",
    field: FieldIssue.pathText(path),
    because: "must be valid Unicode without NUL characters"
  }))
}

/** The path to the first string (or key) that no UTF-8 text can hold: a lone surrogate or a NUL. */
const unstorable = (value: unknown, path: ReadonlyArray<PropertyKey> = []): ReadonlyArray<PropertyKey> | undefined => {
  if (typeof value === "string") return isStorable(value) ? undefined : path
  if (typeof value !== "object" || value === null) return undefined
  const entries: Iterable<[PropertyKey, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value)
  for (const [key, inner] of entries) {
    if (typeof key === "string" && !isStorable(key)) return path
    const found = unstorable(inner, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000")
