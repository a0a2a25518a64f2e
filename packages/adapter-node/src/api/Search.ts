/** Finding files. */
import { type Found, Search, type SearchQuery } from "@filedrive/core"
import { Effect } from "effect"
import type { Perform } from "./Call.ts"

export interface SearchApi {
  /**
   * `/search-files`: files that pass every given filter. Times are ISO 8601. Pass `nextOffset` back as `offset` to go
   * on: every file is met once although others arrive meanwhile. Rejects with the drive's error naming a field that
   * is wrong.
   */
  readonly search: (query?: SearchQuery.SearchRequest) => Promise<Found>
}

export const searchApi = (perform: Perform): SearchApi => ({
  search: async (query = {}) =>
    perform("searchFiles", query, (wanted) => Effect.flatMap(Search, ({ search }) => search(wanted)))
})
