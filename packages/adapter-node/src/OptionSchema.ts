/** Building blocks of the options: schemas whose types are what a host may write, and whose issues end a sentence about the option. */
import { Effect, Layer, Schema, SchemaIssue, SchemaParser } from "effect"

export const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
export const isFunction = (value: unknown): boolean => typeof value === "function"
const isWhole = (value: unknown, minimum: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= minimum

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

export const text = must<string>("must be text", isText)
export const yesNo = must<boolean>("must be true or false", (value) => typeof value === "boolean")
export const bytes = must<number>("must be a whole number of bytes", (value) => isWhole(value, 0))
export const count = must<number>("must be a whole number above 0", (value) => isWhole(value, 1))
export const wholeMillis = must<number>("must be whole milliseconds", (value) => isWhole(value, 0))
export const wholeFrom0 = (because: string) => must<number>(because, (value) => isWhole(value, 0))

/** An address with one of these protocols, like `https:`. */
export const isUrl = (value: unknown, ...protocols: ReadonlyArray<string>): boolean =>
  isText(value) && URL.canParse(value) && protocols.includes(new URL(value).protocol)

export const webUrl = must<string>(
  "must be an address like https://app.example.com/drive, without query or fragment",
  (value) => isUrl(value, "http:", "https:") && !/[?#]/.test(value as string)
)
