/**
 * From the text of a body to what a handler takes, or the sentence that says
 * why not. Contract: "Errors", `invalid_body`, `missing_field`, `invalid_field`.
 */
import { Result, Schema, SchemaAST } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import * as FieldIssue from "../shared/FieldIssue.ts"
import * as Given from "../shared/Given.ts"
import { type BadRequest, fromDriveError } from "./ApiError.ts"
import { depthMax, fieldsMax, groupsMax, isWithinBounds, shortTextLength } from "./JsonBounds.ts"
import { invalid } from "./RequestBody.ts"

type Payload = Result.Result<unknown, BadRequest>

export type Decoder = (text: string, request: HttpServerRequest.HttpServerRequest) => Payload

type Shape = "object" | "array"

/** The schema of an endpoint's body, if it has one, and whether the body may be left out. */
export const bodyOf = (endpoint: Pick<HttpApiEndpoint.Top, "payload">) => {
  const schemas = Array.from(endpoint.payload.values()).flatMap(({ schemas }) => schemas as ReadonlyArray<Schema.Top>)
  const isNull = (schema: Schema.Top) => SchemaAST.isNull(SchemaAST.toEncoded(schema.ast))
  const body = schemas.find((schema) => !isNull(schema)) as Schema.Codec<unknown> | undefined
  return { body, optional: schemas.some(isNull) }
}

/** The decoder of an endpoint's payload; null where it has none or an optional one is not there. */
export const decoder = (endpoint: HttpApiEndpoint.Top): Decoder => {
  const { body, optional } = bodyOf(endpoint)
  if (body === undefined) return withoutBody
  const shape = shapeOf(body)
  const lenient = Given.reader(body)
  const strict = Given.reader(body, { onExcessProperty: "error" })

  return (text, request) => {
    const read = isStrict(request) ? strict : lenient
    if (text === "" && optional) return nothing
    if (text !== "" && !isJson(request.headers["content-type"])) return notJson
    const parsed = parse(text, shape, optional)
    if (Result.isFailure(parsed) || parsed.success === null) return parsed
    const value = read(parsed.success)
    // Only an escape can contain characters that no database stores, so most bodies need no further check.
    return Result.mapError(text.includes("\\u") ? Result.flatMap(value, Given.storable) : value, badField)
  }
}

/**
 * The decoder of an endpoint's payload from a value of the caller's own code: fields that are undefined are not there, and unknown ones
 * are refused. What is wrong is reported as {@link decoder} reports it.
 */
export const valueDecoder = (endpoint: HttpApiEndpoint.Top): (given: unknown) => Payload => {
  const { body, optional } = bodyOf(endpoint)
  if (body === undefined) {
    return (given) =>
      given === undefined || given === null
        ? nothing
        : hasShape(given, "object")
        ? withoutFields(given)
        : Result.fail(wrongShape("object"))
  }
  const shape = shapeOf(body)
  const read = Given.exactReader(body)
  return (given) => {
    if (optional && (given === undefined || given === null)) return nothing
    return hasShape(given, shape) ? Result.mapError(read(given), badField) : Result.fail(wrongShape(shape))
  }
}

/** The decoder of an endpoint's query parameters, from a request's URL; undefined where it declares none. */
export const queryDecoder = (
  endpoint: HttpApiEndpoint.Top
): ((request: HttpServerRequest.HttpServerRequest) => Payload) | undefined => {
  if (endpoint.query === undefined) return undefined
  // A list with one entry looks like a single value.
  const listsOfOne = Schema.toCodecArrayFromSingle(endpoint.query as Schema.Codec<unknown>)
  const lenient = Given.reader(listsOfOne)
  const strict = Given.reader(listsOfOne, { onExcessProperty: "error" })
  return (request) => {
    const { url } = request
    const read = isStrict(request) ? strict : lenient
    const sent: Record<string, string | Array<string>> = Object.create(null)
    const at = url.indexOf("?")
    for (const [name, value] of new URLSearchParams(at === -1 ? "" : url.slice(at + 1))) {
      const before = sent[name]
      sent[name] = before === undefined ? value : [...(typeof before === "string" ? [before] : before), value]
    }
    return Result.mapError(Result.flatMap(read({ ...sent }), Given.storable), badField)
  }
}

const nothing: Payload = Result.succeed(null)

const readFields = Given.strictReader(Schema.Record(Schema.String, Schema.Unknown))

/** Of a call that takes no field: the first one that is there is refused. */
const withoutFields = (given: unknown): Payload =>
  Result.mapError(
    Result.flatMap(readFields(given), (fields): Result.Result<null, FieldIssue.FieldIssue> => {
      const [field] = Object.keys(fields)
      return field === undefined
        ? Result.succeed(null)
        : Result.fail({ code: "unknown_field", field, because: FieldIssue.unknownBecause([]) })
    }),
    badField
  )

/** RFC 7240: whoever asks for strict handling is told of a field that nobody knows, which is ignored otherwise. */
const isStrict = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["prefer"] !== undefined && /(?:^|[,;])\s*handling\s*=\s*"?strict"?\s*(?:$|[,;])/i.test(headers["prefer"])

const tooComplex = invalid(
  `The body is nested more than ${depthMax} deep, or has more than ${fieldsMax} fields or ${groupsMax} objects and arrays; send `
    + "less in one call."
)

const notJson: Payload = Result.fail(invalid("Send the body as JSON, with the content type application/json."))

/** A route without a body accepts no body, an empty one, null, or an object whose fields are all unknown; asked to be strict, an empty one. */
const withoutBody: Decoder = (text, request) => {
  if (text === "") return nothing
  if (text.length >= shortTextLength) return takesNone
  const parsed = parse(text, "object", true)
  return isStrict(request) && Result.isSuccess(parsed) && parsed.success !== null
    ? withoutFields(parsed.success)
    : parsed
}

/** Anybody may send a body to the routes that open sessions: a long body that is not used is not parsed. */
const takesNone = Result.fail(invalid(`This call takes no body, or one of less than ${shortTextLength} characters.`))

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || contentType === "application/json" ||
  /^application\/(?:json|[\w.!#$&^-]+\+json)\s*(?:;|$)/i.test(contentType)

const parse = (text: string, shape: Shape, orNull: boolean): Payload => {
  if (!isWithinBounds(text)) return Result.fail(tooComplex)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return Result.fail(invalid("The body is not valid JSON."))
  }
  const fits = value === null ? orNull : hasShape(value, shape)
  return fits ? Result.succeed(value) : Result.fail(wrongShape(shape))
}

/** Whether a body is a list, as of the routes that take files. */
export const takesList = (body: Schema.Top): boolean => shapeOf(body) === "array"

const shapeOf = (body: Schema.Top): Shape => SchemaAST.isArrays(SchemaAST.toEncoded(body.ast)) ? "array" : "object"

const hasShape = (value: unknown, shape: Shape): boolean =>
  typeof value === "object" && value !== null && Array.isArray(value) === (shape === "array")

const wrongShape = (shape: Shape) => invalid(`The body must be a JSON ${shape}.`)

const badField = (issue: FieldIssue.FieldIssue): BadRequest => fromDriveError(Given.invalidField(issue))
