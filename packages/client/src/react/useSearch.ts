/** What somebody types, searched for. */
import { useEffect, useState, useSyncExternalStore } from "react"
import type { SearchQuery } from "../generated/DriveCalls.ts"
import { Listing, type ListingState, type Searching } from "./Listing.ts"

export interface SearchOptions {
  /** How long a query stays as it is before it is asked for. Default 200. */
  readonly delayMillis?: number
}

export interface Listed extends ListingState {
  /** Adds the next page. Does nothing while anything is loading. */
  readonly loadMore: () => void
  /** Asks again, for all the pages that are shown. */
  readonly reload: () => void
}

export const useListing = (isLoading: boolean): [Listing, Listed] => {
  const [listing] = useState(() => new Listing(isLoading))
  const state = useSyncExternalStore(listing.subscribe, listing.read, listing.readInitial)
  return [listing, { ...state, loadMore: listing.loadMore, reload: listing.reload }]
}

/**
 * Files that a query finds. A query that another overtakes is aborted, and its answer is never shown; until the next answer is there
 * the last files stay. A blank text, or null, finds nothing and asks nothing.
 */
export const useSearch = (
  client: Searching,
  query: string | SearchQuery | null,
  { delayMillis = 200 }: SearchOptions = {}
): Listed => {
  const isNone = query === null || typeof query === "string" && query.trim() === ""
  const asked = isNone ? "" : JSON.stringify(typeof query === "string" ? { text: query } : query)
  const [listing, listed] = useListing(!isNone)
  useEffect(() => {
    if (asked === "") return listing.clear()
    listing.expect(client)
    const timer = setTimeout(() => listing.ask(client, JSON.parse(asked)), delayMillis)
    return () => {
      clearTimeout(timer)
      listing.end()
    }
  }, [listing, client, asked, delayMillis])
  return listed
}
