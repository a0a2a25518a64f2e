/** Decodes input by its schema: to a value that fits, or the first field that is not valid. */
import { Effect, Result, Schema, type SchemaAST } from "effect"
import { InvalidField } from "./DriveError.ts"
import * as FieldIssue from "./FieldIssue.ts"
import * as ListBounds from "./ListBounds.ts"

export { entriesMaxCount } from "./ListBounds.ts"

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
  const shapes = ListBounds.shapesOf(schema.ast)
  return (given) => {
    try {
      return Result.flatMap(read(asJson(given, shapes)), storable)
    } catch (error) {
      // What a caller's code gives may run code of its own when it is read: a getter, a proxy.
      return Result.fail(unreadable(error))
    }
  }
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

/** An object without a class of its own, of another realm too: what an object literal or `JSON.parse` makes. */
const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** A part of a value that threw an error when it was read. */
class ReadingFailed {
  readonly path: ReadonlyArray<PropertyKey>
  readonly cause: unknown
  constructor(path: ReadonlyArray<PropertyKey>, cause: unknown) {
    this.path = path
    this.cause = cause
  }
}

/** A list that is longer than it may be, or a value with more entries than any may have. */
class TooMany {
  readonly path: ReadonlyArray<PropertyKey>
  readonly because: string
  constructor(path: ReadonlyArray<PropertyKey>, because: string) {
    this.path = path
    this.because = because
  }
}

const unreadable = (error: unknown): FieldIssue.FieldIssue => {
  if (error instanceof TooMany) {
    return { code: "invalid_field", field: FieldIssue.pathText(error.path), because: error.because }
  }
  // What has a class of its own is read by its schema, which doesn't tell what threw where.
  if (!(error instanceof ReadingFailed)) return { code: "invalid_field", field: "", because: "must be plain JSON data" }
  const { cause, path } = error
  return {
    code: "invalid_field",
    field: FieldIssue.pathText(path),
    because: `must be readable, but reading it threw ${cause instanceof Error ? cause.message : typeof cause}`
  }
}

/** What is known of a value while it is copied. */
interface Copying {
  readonly copies: Map<object, unknown>
  /** Entries that may still be read. */
  left: number
}

/** The names and values of an object's fields, or those of a list. Throws {@link ReadingFailed} or {@link TooMany}. */
const entriesOf = (
  value: object,
  shapes: ListBounds.Shapes,
  path: ReadonlyArray<PropertyKey>,
  copying: Copying
): ReadonlyArray<readonly [PropertyKey, unknown]> => {
  let at: PropertyKey | undefined
  try {
    const keys: ReadonlyArray<PropertyKey> | number = Array.isArray(value) ? value.length : Object.keys(value)
    const count = typeof keys === "number" ? keys : keys.length
    // A list may claim any length: it is compared before anything of it is read.
    const because = typeof keys === "number" ? ListBounds.tooLong(shapes, keys) : undefined
    if (because !== undefined) throw new TooMany(path, because)
    copying.left -= count
    if (copying.left < 0) {
      throw new TooMany(path, `must have less in one call: ${ListBounds.entriesMaxCount} entries at most`)
    }
    const entries: Array<readonly [PropertyKey, unknown]> = []
    for (let index = 0; index < count; index++) {
      at = typeof keys === "number" ? index : keys[index]!
      entries.push([at, (value as Readonly<Record<PropertyKey, unknown>>)[at]])
      at = undefined
    }
    return entries
  } catch (cause) {
    if (cause instanceof TooMany) throw cause
    throw new ReadingFailed(at === undefined ? path : [...path, at], cause)
  }
}

/**
 * As JSON would carry it: without fields that are undefined, with null for what is undefined in a list. Every object is
 * copied once, also one that occurs often or in itself; what has a class of its own is left as it is.
 */
const asJson = (
  value: unknown,
  shapes: ListBounds.Shapes,
  path: ReadonlyArray<PropertyKey> = [],
  copying: Copying = { copies: new Map(), left: ListBounds.entriesMaxCount }
): unknown => {
  if (typeof value !== "object" || value === null) return value
  const { copies } = copying
  const known = copies.get(value)
  if (known !== undefined) return known
  const inside = (key: PropertyKey, inner: unknown) =>
    typeof inner === "object" && inner !== null
      ? asJson(inner, ListBounds.inside(shapes, key), [...path, key], copying)
      : inner
  if (Array.isArray(value)) {
    const list: Array<unknown> = []
    copies.set(value, list)
    for (const [key, inner] of entriesOf(value, shapes, path, copying)) {
      list.push(inner === undefined ? null : inside(key, inner))
    }
    return list
  }
  if (!isPlain(value)) return value
  const copy: Record<PropertyKey, unknown> = {}
  copies.set(value, copy)
  for (const [key, inner] of entriesOf(value, shapes, path, copying)) {
    if (inner === undefined) continue
    // Assigned, it would be the copy's prototype.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: inside(key, inner), enumerable: true })
    else copy[key] = inside(key, inner)
  }
  return copy
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
