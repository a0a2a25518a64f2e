/** What a search asks for. Spec: "Library", `/search-files`; Contract: "Search words". */
import { Effect, Result, Schema } from "effect"
import * as MusicalKey from "../facts/MusicalKey.ts"
import * as Limits from "../limits/Limits.ts"
import type { InvalidField } from "../shared/DriveError.ts"
import { FileType } from "../shared/FileType.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import * as Given from "../shared/Given.ts"
import { Text } from "../shared/Text.ts"
import { Time } from "../shared/Time.ts"

export const sorts = ["newest", "oldest", "largest", "smallest", "name"] as const
export type Sort = typeof sorts[number]

const amount = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))

/** Any number without a fraction: the largest of 64 bits has no exact one here, and is as good as its neighbour. */
const size = amount.check(
  Schema.makeFilter<number>((given) => Number.isInteger(given) ? undefined : "must be a whole number")
)
const latitude = Schema.Finite.check(Schema.isBetween({ minimum: -90, maximum: 90 }))
const longitude = Schema.Finite.check(Schema.isBetween({ minimum: -180, maximum: 180 }))

/** A box on the globe in degrees; with its `west` past its `east` it crosses the antimeridian. */
export const Box = Schema.Struct({ south: latitude, west: longitude, north: latitude, east: longitude })
export type Box = typeof Box.Type

/** A musical key as people write it. */
const Key = Text.check(
  Schema.makeFilter<string>((text) =>
    Result.match(MusicalKey.parse(text), { onSuccess: () => undefined, onFailure: (flaw) => flaw })
  )
)

const { max, min } = Limits.searchPage

/** Every field narrows the result; a list that is empty does not. */
export const SearchQuery = Schema.Struct({
  /** Words that must all appear in the file's name, description, tags, title, artists, album or genre. */
  text: Schema.optionalKey(Text.check(Schema.isMaxLength(Limits.searchTextMaxLength))),
  types: Schema.optionalKey(Schema.Array(FileType).check(Schema.isMaxLength(Limits.searchListMaxCount))),
  /** The same for one type (extension). */
  type: Schema.optionalKey(FileType),
  /** Case-insensitive; the file must carry all. */
  tags: Schema.optionalKey(Schema.Array(Text).check(Schema.isMaxLength(Limits.searchListMaxCount))),
  /** Path of a folder; what is inside its folders is included. */
  folder: Schema.optionalKey(FolderPath.Path),
  isPublic: Schema.optionalKey(Schema.Boolean),
  /** Inclusive, as every `…After`. */
  uploadedAfter: Schema.optionalKey(Time),
  /** Exclusive, as every `…Before`. */
  uploadedBefore: Schema.optionalKey(Time),
  /** When a photo was taken or a video recorded. */
  takenAfter: Schema.optionalKey(Time),
  takenBefore: Schema.optionalKey(Time),
  /** Seconds, inclusive. */
  minDuration: Schema.optionalKey(amount),
  maxDuration: Schema.optionalKey(amount),
  /** Bytes, inclusive. */
  minSize: Schema.optionalKey(size),
  maxSize: Schema.optionalKey(size),
  /** Beats a minute, inclusive: as measured, or as the track's tag says when not measured. */
  minTempo: Schema.optionalKey(amount),
  maxTempo: Schema.optionalKey(amount),
  /** A musical key like `Am`, `F#` or `Bb minor`; without a mode either matches. */
  key: Schema.optionalKey(Key),
  within: Schema.optionalKey(Box),
  sort: Schema.optionalKey(Schema.Literals(sorts)),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max }))),
  offset: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
}).annotate({ identifier: "SearchQuery" }).pipe(Schema.brand("SearchQuery"))
export type SearchQuery = typeof SearchQuery.Type

/** A query as it is written in JSON. */
export type SearchRequest = typeof SearchQuery.Encoded

const read = Given.strictReader(SearchQuery)

/** Decodes a query that did not come through HTTP. Fails with `InvalidField` naming the first field that is not valid. */
export const decode = (request: SearchRequest): Effect.Effect<SearchQuery, InvalidField> =>
  Effect.fromResult(Result.mapError(read(request), Given.invalidField))
