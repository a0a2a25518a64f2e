/** Building blocks of the options: schemas whose types are what a host may write, and whose issues end a sentence about the option. */
import { Effect, Layer, Schema, SchemaIssue, SchemaParser } from "effect"

export const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
export const isFunction = (value: unknown): boolean => typeof value === "function"
export const isWhole = (value: unknown, minimum: number, maximum: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum

/** The longest time that a timer takes, 24 days: with a longer one it fires at once. */
const timerMaxMillis = 2 ** 31 - 1

/** A value that passes a test, as `because` says: "must be text". */
export const must = <A>(because: string, test: (value: unknown) => boolean): Schema.Codec<A> =>
  Schema.Unknown.check(Schema.makeFilter((value) => test(value) ? undefined : because)) as unknown as Schema.Codec<A>

/** A value that passes the test is taken as it is, every other is read by the schema. */
export const either = <A>(test: (value: unknown) => boolean) => <B>(otherwise: Schema.Codec<B>): Schema.Codec<A | B> =>
  Schema.declareConstructor<A | B>()(
    [otherwise],
    ([codec]) => (value, _self, options) =>
      test(value) ? Effect.succeed(value as A) : SchemaParser.decodeUnknownEffect(codec)(value, options)
  )

/** Decodes an object with this field by the first schema, every other value by the second. */
export const withField =
  <A>(field: string, schema: Schema.Codec<A>) => <B>(otherwise: Schema.Codec<B>): Schema.Codec<A | B> =>
    Schema.declareConstructor<A | B>()(
      [schema, otherwise],
      ([first, second]) => (value, _self, options) =>
        isObject(value) && value[field] !== undefined
          ? SchemaParser.decodeUnknownEffect(first)(value, options)
          : SchemaParser.decodeUnknownEffect(second)(value, options)
    )

/** A layer, which is taken as it is, or what the schema says. */
export const orLayer = <I>() => either<Layer.Layer<I, unknown>>(Layer.isLayer)

/** The fields of an object, with inherited ones that are known; known fields that are undefined are left out. */
const given = (object: Record<string, unknown>, known: ReadonlyArray<string>) =>
  Object.fromEntries([
    ...known.flatMap((name) => object[name] === undefined ? [] : [[name, object[name]] as const]),
    ...Object.entries(object).filter(([name]) => !known.includes(name))
  ])

/** An object with these fields and no others. `what`: what anything else must be. */
export const fields = <const Fields extends Schema.Struct.Fields>(
  known: Fields,
  what = "an object"
): Schema.Codec<Schema.Struct.Type<Fields>> => {
  const names = Object.keys(known)
  const struct = Schema.Struct(known).annotate({ messageUnexpectedKey: `is not known; there are ${names.join(", ")}` })
  const codec = struct as unknown as Schema.Codec<Schema.Struct.Type<Fields>>
  return Schema.declareConstructor<Schema.Struct.Type<Fields>>()(
    [codec],
    ([inner]) => (value, self, options) =>
      isObject(value)
        ? SchemaParser.decodeUnknownEffect(inner)(given(value, names), options)
        : Effect.fail(new SchemaIssue.InvalidType(self, value, options)),
    { description: what }
  )
}

/** No name, path or address has a NUL character: the system would take the text for shorter than it is. */
export const text = must<string>(
  "must be text without NUL characters",
  (value) => isText(value) && !value.includes("\0")
)
/** A path that leads to no other site: browsers read `//` and backslashes as the beginning of a host, and leave out tabs. */
export const isSitePath = (value: unknown): value is string =>
  typeof value === "string" && /^\/(?![/\\])[^\s\\\p{Cc}]*$/u.test(value)

export const yesNo = must<boolean>("must be true or false", (value) => typeof value === "boolean")

/** A whole number in a range: "must be a whole number from 1 to 10000". */
export const whole = (minimum: number, maximum: number, what = "a whole number") =>
  must<number>(`must be ${what} from ${minimum} to ${maximum}`, (value) => isWhole(value, minimum, maximum))

export const bytesFrom = (minimum: number) => whole(minimum, Number.MAX_SAFE_INTEGER, "a whole number of bytes")
export const bytes = bytesFrom(0)
export const millisFrom = (minimum: number) => whole(minimum, timerMaxMillis, "whole milliseconds")
export const millis = millisFrom(0)
/** How many there are of something that takes memory or a connection each. */
export const count = (maximum: number) => whole(1, maximum)

/** An address with one of these protocols, like `https:`. */
export const isUrl = (value: unknown, ...protocols: ReadonlyArray<string>): boolean =>
  isText(value) && URL.canParse(value) && protocols.includes(new URL(value).protocol)

export const webUrl = must<string>(
  "must be an address like https://app.example.com/drive, without query or fragment",
  (value) => isUrl(value, "http:", "https:") && !/[?#]/.test(value as string)
)
