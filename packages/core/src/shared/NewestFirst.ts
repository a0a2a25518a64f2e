/** Lists that are read newest first, page by page: where the next page begins. */
import { DateTime } from "effect"
import { InvalidField } from "./DriveError.ts"

/** The last item that was listed. Items that were made at the same time are told apart by their ids. */
export interface ListedItem {
  readonly insertTime: Date
  readonly id: string
}

const cursorPattern = /^(\d{1,15})_([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/

/** The place after an item, as callers pass it back. */
export const formatCursor = ({ id, insertTime }: ListedItem): string => `${insertTime.getTime()}_${id}`

/** Undefined for what {@link formatCursor} never wrote. */
export const parseCursor = (text: string): ListedItem | undefined => {
  const [, millis, id] = cursorPattern.exec(text) ?? []
  return id === undefined
    ? undefined
    : { insertTime: DateTime.toDateUtc(DateTime.makeUnsafe(Number(millis))), id }
}

export const wrongCursor = new InvalidField({
  code: "invalid_field",
  field: "cursor",
  because: "must be a `nextCursor` as it was answered"
})

/** Of rows of which one more was asked for than a page has: the page, and where the next one begins; null at the end. */
export const pageOf = <Item extends ListedItem>(rows: ReadonlyArray<Item>, limit: number) => {
  const items = rows.slice(0, limit)
  return { items, nextCursor: rows.length > limit ? formatCursor(items.at(-1)!) : null }
}
