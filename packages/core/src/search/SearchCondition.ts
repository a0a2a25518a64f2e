/** From a parsed query and its resolved names to the question that the index of docs answers. */
import { DateTime } from "effect"
import type { Condition, Range } from "../docindex/Condition.ts"
import * as Doc from "../docindex/Doc.ts"
import type { Order } from "../docindex/Ranking.ts"
import type { ParsedQuery } from "./ParsedQuery.ts"
import type { ResolvedNames } from "./ResolvedNames.ts"
import type { Sort } from "./SearchQuery.ts"

export const orders: Readonly<Record<Sort, Order>> = {
  newest: { column: "time", isDescending: true },
  oldest: { column: "time", isDescending: false },
  largest: { column: "size", isDescending: true },
  smallest: { column: "size", isDescending: false },
  name: { column: "name", isDescending: false }
}

/** Both ends belong to it. */
const amount = (from: number | undefined, to: number | undefined): Range | null =>
  from === undefined && to === undefined
    ? null
    : { from: from ?? -Infinity, to: to ?? Infinity, isToIncluded: true }

/** The beginning belongs to it, the end does not. */
const times = (after: DateTime.Utc | undefined, before: DateTime.Utc | undefined): Range | null =>
  after === undefined && before === undefined ? null : {
    from: after === undefined ? -Infinity : DateTime.toEpochMillis(after),
    to: before === undefined ? Infinity : DateTime.toEpochMillis(before),
    isToIncluded: false
  }

export const of = (query: ParsedQuery, { folderNos, limitNos, tagNos }: ResolvedNames): Condition => ({
  terms: query.terms,
  tags: tagNos.map(Doc.tag),
  folders: [folderNos, limitNos].filter((nos) => nos.length > 0).map((nos) => Float64Array.from(nos).sort()),
  types: query.types === null ? null : new Set(query.types.map(Doc.typeNo)),
  isPublic: query.isPublic ?? null,
  keys: query.keys === null ? null : new Set(query.keys),
  time: times(query.uploadedAfter, query.uploadedBefore),
  taken: times(query.takenAfter, query.takenBefore),
  size: amount(query.minSize, query.maxSize),
  duration: amount(query.minDuration, query.maxDuration),
  tempo: amount(query.minTempo, query.maxTempo),
  within: query.within ?? null
})
