/**
 * The kinds of value that media facts have, and how a value of each kind gets from a tool's answer or an import row to its column,
 * and from there to a file's record and the search. {@link "./MediaFact.ts"} lists the facts.
 *
 * Files come from strangers: what can't be true, like a length below zero or a day in the year 40,000, counts as not found.
 */
import { DateTime, Option, Result, Schema } from "effect"
import { isVisible, Text, withoutOverrides } from "../shared/Text.ts"
import * as FrameRate from "./FrameRate.ts"
import * as MusicalKey from "./MusicalKey.ts"

export interface FactKind<Stored, Told, Imported extends Schema.Top, Shown extends Schema.Top> {
  /** PostgreSQL's type of the column. */
  readonly sqlType: "text" | "text[]" | "float8" | "smallint" | "int" | "timestamptz"
  /** The stored value where the fact is not known. */
  readonly unknown: Stored
  /** What a tool returns that did not find it. */
  readonly notFound: Told
  /** The stored value, from a tool's result. */
  readonly keep: (told: Told) => Stored
  /** The stored value, from an import row. */
  readonly imported: Imported
  readonly keepImported: (given: Imported["Type"]) => Stored
  /** The schema in a record's `media`. */
  readonly shown: Shown
  /** `beside` is the value of the column that the fact is shown and searched together with. */
  readonly show: (stored: Stored | null, beside: Stored | null) => Shown["Type"]
  /** Texts whose words find the file. */
  readonly texts: (stored: Stored | null) => ReadonlyArray<string>
  /** As search filters compare it. */
  readonly number: (stored: Stored | null, beside: Stored | null) => number | null
}

/** Beats a minute. Above it a tag holds something else; 0 is how tags say that they don't know. */
const tempoMax = 1_000

const pixelsMax = 2 ** 31 - 1

/** The last year that ISO 8601 writes in four digits. */
const yearMax = 9_999

/** Longer ones are cut: no title, name or genre needs more, and all of it is searched. */
const textMaxLength = 1_000

/** More artists of one track are left out. */
const textsMaxCount = 100

const within = (value: number | null, min: number, max: number): number | null =>
  value !== null && value >= min && value <= max ? value : null

/** What no line of text contains: control characters and line separators, and halves of characters. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu

const line = (value: string | null): string | null => {
  return visible((value ?? "").slice(0, textMaxLength).replaceAll(unprintable, " ").trim())
}

/** Texts of an import are stored as they can be seen, like those that tools find. */
const visible = (given: string | null): string | null => {
  const text = withoutOverrides(given ?? "")
  return isVisible(text) ? text : null
}

const Time = Schema.Date.check(
  Schema.makeFilter<Date>((date) => Number.isNaN(date.getTime()) ? "must be a time" : undefined)
)

const time = (told: string | null): Date | null => {
  const parsed = told === null ? Option.none() : DateTime.make(told)
  if (Option.isNone(parsed)) return null
  const year = DateTime.getPartUtc(parsed.value, "year")
  return within(year, 1, yearMax) === null ? null : DateTime.toDateUtc(parsed.value)
}

const make = <Stored, Told, Imported extends Schema.Top, Shown extends Schema.Top>(
  kind: FactKind<Stored, Told, Imported, Shown>
): FactKind<Stored, Told, Imported, Shown> => kind

/** A line of text. */
export const Line = make<string | null, string | null, Schema.NullOr<typeof Text>, Schema.NullOr<Schema.String>>({
  sqlType: "text",
  unknown: null,
  notFound: null,
  keep: line,
  imported: Schema.NullOr(Text),
  keepImported: (given) => visible(given),
  shown: Schema.NullOr(Schema.String),
  show: (stored) => stored,
  texts: (stored) => stored === null ? [] : [stored],
  number: () => null
})

/** Several of them, like the artists of a track. */
export const Lines = make<
  ReadonlyArray<string>,
  ReadonlyArray<string>,
  Schema.$Array<typeof Text>,
  Schema.$Array<typeof Schema.String>
>({
  sqlType: "text[]",
  unknown: [],
  notFound: [],
  keep: (told) => told.slice(0, textsMaxCount).map(line).filter((text) => text !== null),
  imported: Schema.Array(Text),
  keepImported: (given) => given.map(visible).filter((text) => text !== null),
  shown: Schema.Array(Schema.String),
  show: (stored) => stored ?? [],
  texts: (stored) => stored ?? [],
  number: () => null
})

/** A kind that is stored as a number. */
const numeric = <Told, Imported extends Schema.Top, Shown extends Schema.Top>(
  kind:
    & Omit<FactKind<number | null, Told | null, Imported, Shown>, "unknown" | "notFound" | "texts" | "number">
    & Partial<Pick<FactKind<number | null, Told | null, Imported, Shown>, "number">>
): FactKind<number | null, Told | null, Imported, Shown> => ({
  unknown: null,
  notFound: null,
  texts: () => [],
  number: (stored) => stored,
  ...kind
})

const amount = {
  sqlType: "float8",
  imported: Schema.NullOr(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))),
  keepImported: (given: number | null) => given,
  shown: Schema.NullOr(Schema.Finite)
} as const

export const Seconds = numeric({
  ...amount,
  keep: (told: number | null) => within(told, 0, Number.MAX_SAFE_INTEGER),
  show: (stored) => stored
})

/** Beats a minute. With another tempo beside it, that one counts where this is not known. */
export const Tempo = numeric({
  ...amount,
  keep: (told: number | null) => told === 0 ? null : within(told, 0, tempoMax),
  show: (stored, beside) => stored ?? beside,
  number: (stored, beside) => stored ?? beside
})

const KeyName = Schema.String.check(
  Schema.makeFilter<string>((text) => Option.getOrUndefined(Result.getFailure(MusicalKey.parse(text))))
)

/** Without a mode it is major. */
const firstKey = (text: string): number | null =>
  Result.getOrElse(MusicalKey.parse(text), (): ReadonlyArray<number> => [])[0] ?? null

/** Stored as {@link MusicalKey} numbers keys. A tool returns it as a tag spells it, like `Am` or `8A`. */
export const Key = numeric({
  sqlType: "smallint",
  keep: (told: string | null) => MusicalKey.ofTag(told ?? ""),
  imported: Schema.NullOr(KeyName),
  keepImported: (given: string | null) => firstKey(given ?? ""),
  shown: Schema.NullOr(Schema.String),
  show: (stored) => stored === null ? null : MusicalKey.format(stored)
})

export const Pixels = numeric({
  sqlType: "int",
  keep: (told: number | null) => within(told === null ? null : Math.round(told), 1, pixelsMax),
  imported: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: pixelsMax }))),
  keepImported: (given: number | null) => given,
  shown: Schema.NullOr(Schema.Int),
  show: (stored) => stored
})

const rate = (told: string | null): string | null => {
  const parsed = FrameRate.parse(told ?? "")
  return parsed === undefined ? null : FrameRate.format(parsed)
}

const RateText = Schema.String.check(
  Schema.makeFilter<string>((text) =>
    rate(text) === null ? "must be a number of frames a second as a fraction, like 30000/1001" : undefined
  )
)

/** Frames a second, as an exact fraction like `30000/1001`. */
export const Rate = make<string | null, string | null, Schema.NullOr<typeof RateText>, Schema.NullOr<Schema.String>>({
  sqlType: "text",
  unknown: null,
  notFound: null,
  keep: rate,
  imported: Schema.NullOr(RateText),
  keepImported: rate,
  shown: Schema.NullOr(Schema.String),
  show: (stored) => stored,
  texts: () => [],
  number: () => null
})

/** A tool returns it as ISO 8601 in UTC. */
export const Moment = make<Date | null, string | null, Schema.NullOr<typeof Time>, Schema.NullOr<Schema.String>>({
  sqlType: "timestamptz",
  unknown: null,
  notFound: null,
  keep: time,
  imported: Schema.NullOr(Time),
  keepImported: (given) => given,
  shown: Schema.NullOr(Schema.String.annotate({ format: "date-time" })),
  show: (stored) => stored?.toISOString() ?? null,
  texts: () => [],
  number: (stored) => stored?.getTime() ?? null
})

export interface Location {
  readonly latitude: number
  readonly longitude: number
}

/** Null when either is out of range, or both are 0: so a device writes that it does not know where it is. */
const location = (told: Location | null): Location | null => {
  const latitude = within(told?.latitude ?? null, -90, 90)
  const longitude = within(told?.longitude ?? null, -180, 180)
  const isUnset = latitude === 0 && longitude === 0
  return latitude === null || longitude === null || isUnset ? null : { latitude, longitude }
}

const degrees = (max: number) => Schema.Finite.check(Schema.isBetween({ minimum: -max, maximum: max }))

const place = {
  sqlType: "float8",
  imported: Schema.NullOr(Schema.Struct({ latitude: degrees(90), longitude: degrees(180) })),
  shown: Schema.NullOr(Schema.Struct({ latitude: Schema.Finite, longitude: Schema.Finite }))
} as const

/** Of a location, which tools, imports and records have as one value, and which is stored in two columns. */
export const Latitude = numeric({
  ...place,
  keep: (told: Location | null) => location(told)?.latitude ?? null,
  keepImported: (given) => given?.latitude ?? null,
  show: (latitude, longitude) => latitude === null || longitude === null ? null : { latitude, longitude }
})

export const Longitude = numeric({
  ...place,
  keep: (told: Location | null) => location(told)?.longitude ?? null,
  keepImported: (given) => given?.longitude ?? null,
  show: (longitude, latitude) => Latitude.show(latitude, longitude)
})
