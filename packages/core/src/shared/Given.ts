/** Decodes input by its schema: to a value that fits, or the first field that is not valid. */
import { Effect, Result, Schema, type SchemaAST } from "effect"
import { InvalidField } from "./DriveError.ts"
import * as FieldIssue from "./FieldIssue.ts"

type Read<A> = Result.Result<A, FieldIssue.FieldIssue>

/** A reader of values of this schema, as JSON has them. It doesn't look for what {@link unstorable} finds. */
export const reader = <A>(
  schema: Schema.Codec<A, unknown>,
  options: SchemaAST.ParseOptions = {}
): (given: unknown) => Read<A> => {
  // With the input an issue can tell a list's length from a text's; it is never echoed.
  const decode = Schema.decodeUnknownResult(schema, { ...options, reportInput: true })
  return (given) => Result.mapError(decode(given), ({ issue }) => FieldIssue.first(issue))
}

/** Reads a value that came from no JSON text: fields that are undefined are not there, and no text may be {@link unstorable}. */
export const strictReader = <A>(
  schema: Schema.Codec<A, unknown>,
  options: SchemaAST.ParseOptions = {}
): (given: unknown) => Read<A> => {
  const read = reader(schema, options)
  return (given) => Result.flatMap(read(withoutUndefined(given)), storable)
}

/** Reads like {@link strictReader}, and refuses fields that the schema lacks: so a misspelt one is not silently ignored. */
export const exactReader = <A>(schema: Schema.Codec<A, unknown>): (given: unknown) => Read<A> =>
  strictReader(schema, { onExcessProperty: "error" })

/** Reads by a {@link strictReader}; fails with `InvalidField` naming the first field that is wrong. */
export const checking = <A>(schema: Schema.Codec<A, unknown>) => failing(strictReader(schema))

/** The same by an {@link exactReader}. */
export const checkingExactly = <A>(schema: Schema.Codec<A, unknown>) => failing(exactReader(schema))

const failing = <A>(read: (given: unknown) => Read<A>) => (given: unknown): Effect.Effect<A, InvalidField> =>
  Effect.suspend(() => Effect.fromResult(Result.mapError(read(given), invalidField)))

/** The value, unless a text in it can't be stored in a database. */
export const storable = <A>(value: A): Read<A> => {
  const path = unstorable(value)
  return path === undefined ? Result.succeed(value) : Result.fail({
    code: "invalid_field",
    field: FieldIssue.pathText(path),
    because: "must be valid Unicode without NUL characters"
  })
}

export const invalidField = (issue: FieldIssue.FieldIssue): InvalidField => new InvalidField(issue)

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** No accepted value is deeper; a value that refers to itself ends here. */
const maxDepth = 16

/** As JSON would carry it. */
const withoutUndefined = (value: unknown, depth = 0): unknown => {
  if (depth > maxDepth) return value
  const inside = (inner: unknown) => withoutUndefined(inner, depth + 1)
  if (Array.isArray(value)) return value.map((inner) => inner === undefined ? null : inside(inner))
  if (!isPlain(value)) return value
  const there = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(there.map(([key, inner]) => [key, inside(inner)]))
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
