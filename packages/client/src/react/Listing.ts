/** Files of a search, page by page. */
import type { Client } from "../Client.ts"
import type { DriveJson, FileRecord, SearchQuery } from "../generated/DriveCalls.ts"
import { Observed } from "./Observed.ts"

export interface ListingState {
  /** While others are waited for, the last ones. */
  readonly files: ReadonlyArray<FileRecord>
  readonly isLoading: boolean
  readonly hasMore: boolean
  /** Why the last call failed; undefined when it did not. */
  readonly error: unknown
}

export type Searching = Pick<Client, "searchFiles">

type Page = DriveJson["searchFiles"]["answer"]

const none: ListingState = { files: [], isLoading: false, hasMore: false, error: undefined }

/** Offsets move when files come in: one that is on two pages is shown once. */
const once = (files: ReadonlyArray<FileRecord>) => [...new Map(files.map((file) => [file.id, file])).values()]

export class Listing extends Observed<ListingState> {
  #client: Searching | undefined
  /** Undefined when nothing is asked. */
  #request: SearchQuery | undefined
  #running: AbortController | undefined
  #nextOffset: number | null = null
  /** Pages that are shown, or asked for. */
  #pages = 1

  constructor(isLoading: boolean) {
    super({ ...none, isLoading })
  }

  /** Tells that something will be asked for. What another client has found is not shown any more. */
  expect(client: Searching): void {
    const { error: _, ...state } = client === this.#client || this.#client === undefined ? this.read() : none
    this.#client = client
    this.set({ ...state, isLoading: true, error: undefined })
  }

  ask(client: Searching, request: SearchQuery): void {
    this.expect(client)
    this.#request = request
    this.#pages = 1
    this.reload()
  }

  /** Ends what is running; nothing is told of it any more. */
  end(): void {
    this.#request = undefined
    this.#running?.abort()
    this.#running = undefined
  }

  clear(): void {
    this.end()
    this.set(none)
  }

  fail(error: unknown): void {
    this.set({ ...this.read(), error })
  }

  /** Asks again for all pages that are shown. */
  readonly reload = (): void => {
    const request = this.#request
    if (request === undefined) return
    void this.#load(async (page) => {
      const files: Array<FileRecord> = []
      for (let at = 1, offset = request.offset ?? 0;; at++) {
        const { files: found, nextOffset } = await page({ ...request, offset })
        files.push(...found)
        if (nextOffset === null || at >= this.#pages) return { files, nextOffset }
        offset = nextOffset
      }
    })
  }

  /** Asks for the next page, if there is one and nothing is running. */
  readonly loadMore = (): void => {
    const request = this.#request
    const offset = this.#nextOffset
    if (request === undefined || offset === null || this.#running !== undefined) return
    this.#pages++
    void this.#load(async (page) => {
      try {
        const { files, nextOffset } = await page({ ...request, offset })
        return { files: [...this.read().files, ...files], nextOffset }
      } catch (error) {
        this.#pages--
        throw error
      }
    })
  }

  async #load(read: (page: (request: SearchQuery) => Promise<Page>) => Promise<Page>): Promise<void> {
    const client = this.#client!
    this.#running?.abort()
    const running = this.#running = new AbortController()
    this.set({ ...this.read(), isLoading: true, error: undefined })
    try {
      const { files, nextOffset } = await read((request) => client.searchFiles(request, { signal: running.signal }))
      if (this.#running !== running) return
      this.#running = undefined
      this.#nextOffset = nextOffset
      this.set({ files: once(files), isLoading: false, hasMore: nextOffset !== null, error: undefined })
    } catch (error) {
      if (this.#running !== running) return
      this.#running = undefined
      this.set({ ...this.read(), isLoading: false, error })
    }
  }
}
