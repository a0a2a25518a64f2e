/** A list of files that stays current. */
import { useEffect } from "react"
import type { Client } from "../Client.ts"
import type { SearchQuery } from "../generated/DriveCalls.ts"
import type { Searching } from "./Listing.ts"
import { type Listed, useListing } from "./useSearch.ts"

export interface FilesOptions {
  /** Whether files that come in are shown at once. Default true. */
  readonly isLive?: boolean
}

/** Files that come in together are one reload. */
const gatherMillis = 500

/** Clocks differ: a little of what has happened already is told again, which costs one reload. */
const overlapMillis = 300_000

/** Calls `reload` after files have come in, until the returned function is called; not while `isBusy`. */
const followFiles = (
  client: Pick<Client, "events">,
  { fail, isBusy, reload }: {
    readonly reload: () => void
    readonly isBusy: () => boolean
    readonly fail: (error: unknown) => void
  }
): () => void => {
  const ending = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = () => {
    timer = setTimeout(() => {
      timer = undefined
      if (isBusy()) later()
      else reload()
    }, gatherMillis)
  }
  const follow = async () => {
    const since = new Date(Date.now() - overlapMillis).toISOString()
    try {
      for await (const _ of client.events({ kinds: ["file"], since, signal: ending.signal })) {
        if (ending.signal.aborted) return
        if (timer === undefined) later()
      }
    } catch (error) {
      if (!ending.signal.aborted) fail(error)
    }
  }
  void follow()
  return () => {
    ending.abort()
    clearTimeout(timer)
  }
}

/** The files of a drive that a query finds, newest first unless it says otherwise: page by page, with those that come in meanwhile. */
export const useFiles = (
  client: Searching & Pick<Client, "events">,
  query: SearchQuery = {},
  { isLive = true }: FilesOptions = {}
): Listed => {
  const asked = JSON.stringify(query)
  const [listing, listed] = useListing(true)
  useEffect(() => {
    listing.ask(client, JSON.parse(asked))
    return () => listing.end()
  }, [listing, client, asked])
  useEffect(() => {
    if (!isLive) return
    return followFiles(client, {
      reload: listing.reload,
      isBusy: () => listing.read().isLoading,
      fail: (error) => listing.fail(error)
    })
  }, [listing, client, isLive])
  return listed
}
