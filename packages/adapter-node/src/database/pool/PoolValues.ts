/**
 * How the drive writes and reads values on the wire. A host may have set parsers of its own (`pg.types.setTypeParser`): they
 * have no effect here.
 */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

export interface Encoded {
  /** Ids of the types; 0 where the server infers the type from the statement. */
  readonly types: ReadonlyArray<number>
  readonly values: ReadonlyArray<string | Buffer | null>
}

const int32 = 2 ** 31

const typed = (value: unknown): PgTypes.Parameter | string | null => {
  if (value === null || value === undefined) return null
  if (PgTypes.isParameter(value)) return value
  switch (typeof value) {
    case "string":
      return value
    case "boolean":
      return PgTypes.bool(value)
    case "bigint":
      return PgTypes.int8(value)
    case "number":
      return !Number.isSafeInteger(value)
        ? PgTypes.float8(value)
        : value >= -int32 && value < int32
        ? PgTypes.int4(value)
        : PgTypes.int8(BigInt(value))
  }
  if (value instanceof Date) return PgTypes.timestamptz(value)
  if (value instanceof Uint8Array) return PgTypes.bytea(value)
  if (Array.isArray(value)) return list(value)
  throw new TypeError(`No type of PostgreSQL is known for ${String(value)}`)
}

const list = (values: ReadonlyArray<unknown>): PgTypes.Parameter | string => {
  if (values.length === 0) return "{}"
  const elements = values.map(typed)
  const first = elements.find((element) => element !== null)
  const oid = typeof first === "object" ? first.oid : PgTypes.OID.text
  const plain = elements.map((element) => typeof element === "object" ? element?.value ?? null : element)
  return Result.getOrThrow(PgTypes.array(plain, oid))
}

/** Throws for a type of value that the drive never sends. */
export const encode = (params: ReadonlyArray<unknown>): Encoded => {
  const given = params.map(typed)
  return {
    types: given.map((value) => typeof value === "object" && value !== null ? value.oid : 0),
    values: given.map((value) => {
      if (value === null || typeof value === "string") return value
      const bytes = Result.getOrThrow(PgTypes.encodeParameter(value))
      return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    })
  }
}

const time = /^(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?( BC)?$/

/** A date with milliseconds (further digits are dropped); an invalid date for infinity. */
// @effect-diagnostics globalDate:off The drive's values of this type are dates, also those that no DateTime can be.
const date = (text: string): Date => {
  const found = time.exec(text)
  if (found === null) return new Date(Number.NaN)
  const [, year, month, day, hour, minute, second, fraction = "", sign, zoneHours, zoneMinutes, zoneSeconds, bc] = found
  const n = (part: string | undefined) => Number(part ?? 0)
  const at = new Date(0)
  at.setUTCFullYear(bc === undefined ? n(year) : 1 - n(year), n(month) - 1, n(day))
  at.setUTCHours(n(hour), n(minute), n(second), n(fraction.slice(0, 3).padEnd(3, "0")))
  const zone = (n(zoneHours) * 3_600 + n(zoneMinutes) * 60 + n(zoneSeconds)) * (sign === "-" ? -1 : 1)
  return new Date(at.getTime() - zone * 1_000)
}

type Read = (text: string) => unknown

const same: Read = (text) => text

/** Elements of an array of one dimension, as PostgreSQL writes it: `{1,NULL,"a \"b\""}`. */
const elements = (text: string, read: Read): ReadonlyArray<unknown> =>
  Array.from(
    text.slice(text.indexOf("{") + 1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs),
    ([, quoted, bare]) =>
      quoted !== undefined ? read(quoted.replace(/\\(.)/gs, "$1")) : bare === "NULL" ? null : read(bare!)
  )

const { OID } = PgTypes

const scalars: ReadonlyArray<readonly [oid: number, read: Read]> = [
  [OID.bool, (text) => text === "t"],
  [OID.int2, Number],
  [OID.int4, Number],
  [OID.oid, Number],
  [OID.int8, BigInt],
  [OID.float4, Number],
  [OID.float8, Number],
  [OID.bytea, (text) => new Uint8Array(Buffer.from(text.slice(2), "hex"))],
  [OID.json, JSON.parse],
  [OID.jsonb, JSON.parse],
  [OID.timestamp, date],
  [OID.timestamptz, date],
  [OID.text, same],
  [OID.varchar, same],
  [OID.name, same],
  [OID.uuid, same],
  [OID.date, same],
  [OID.numeric, same]
]

const readers = new Map(
  scalars.flatMap(([oid, read]): ReadonlyArray<readonly [number, Read]> => {
    const ofArray = PgTypes.arrayOidFor(oid)
    return ofArray === undefined ? [[oid, read]] : [[oid, read], [ofArray, (text) => elements(text, read)]]
  })
)

/** How a column of this type is read. A value of any other type stays text. */
export const readerOf = (oid: number): Read => readers.get(oid) ?? same
