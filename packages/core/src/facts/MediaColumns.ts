/** The columns of `file_media` that hold facts, as statements name them. */
import { type AnyFact, facts, type FactValues } from "./MediaFact.ts"

export interface MediaColumn {
  /** The fact's. */
  readonly name: keyof FactValues
  readonly column: string
  readonly sqlType: AnyFact["sqlType"]
}

export const columns: ReadonlyArray<MediaColumn> = facts

/** `title, artists, …`. */
export const list = columns.map(({ column }) => column).join(", ")

/** `a.title, …, a.tagged_tempo AS "taggedTempo", …`: they are read as `StoredFacts`. */
export const selected = (table: string): string =>
  columns.map(({ column, name }) => `${table}.${column}${column === name ? "" : ` AS "${name}"`}`).join(", ")

/** PostgreSQL's type of the elements of a list of this column's values. An array has no arrays of different lengths: so lists are written as texts. */
export const elementType = ({ sqlType }: MediaColumn): string => sqlType.endsWith("[]") ? "text" : sqlType

/** `m.title, m.artists::text[], …`, of rows that were made of {@link elementType}s. */
export const ofElements = (table: string): string =>
  columns.map((column) => {
    const type = elementType(column) === column.sqlType ? "" : `::${column.sqlType}`
    return `${table}.${column.column}${type}`
  }).join(", ")
