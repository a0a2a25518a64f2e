/** Finding files. Spec: "Library", `/search-files`. */
import { Context, DateTime, Duration, Effect, Fiber, Layer } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as DatabaseFault from "../database/DatabaseFault.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { DocIndex } from "../docindex/DocIndex.ts"
import type { IndexState } from "../docindex/IndexState.ts"
import type { Position } from "../docindex/Ranking.ts"
import type { FileRecord } from "../files/FileRecord.ts"
import { FileRecords } from "../files/FileRecords.ts"
import * as Job from "../jobs/Job.ts"
import * as Limits from "../limits/Limits.ts"
import type { InvalidField, Refused } from "../shared/DriveError.ts"
import * as PageOffset from "./PageOffset.ts"
import * as ParsedQuery from "./ParsedQuery.ts"
import * as ResolvedNames from "./ResolvedNames.ts"
import * as RevisionCache from "./RevisionCache.ts"
import * as SearchCaches from "./SearchCaches.ts"
import * as SearchCondition from "./SearchCondition.ts"
import type { SearchQuery } from "./SearchQuery.ts"
import { SearchRepo } from "./SearchRepo.ts"

/** A page of results, and the `offset` of the next one when there is one. */
export interface SearchPage {
  readonly files: ReadonlyArray<FileRecord>
  readonly nextOffset: number | null
}

/** A parsed query, its caller and the requested page. */
interface Request extends PageOffset.RequestedPage, SearchCaches.Searcher {
  readonly query: ParsedQuery.ParsedQuery
  readonly limit: number
}

export const searchPagesJob = Job.every("search-pages", {
  description: "Deletes the positions of pages of results.",
  interval: Duration.hours(1)
})

export class Search extends Context.Service<Search, {
  /**
   * The caller's files that pass all the query's filters, without those in trash and derivatives.
   *
   * Following `nextOffset` meets every file once although others arrive meanwhile, and each page takes as long as
   * the first; for six hours, then files that arrived since may move what an offset stands for.
   *
   * Fails with `InvalidField` naming `folder` or `key` when they cannot be read. An unknown folder or tag is no
   * error: nothing is in it.
   */
  readonly search: (query: SearchQuery) => Effect.Effect<SearchPage, InvalidField | Refused, CurrentAccount>
}>()("@filedrive/core/search/Search") {
  static readonly layerNoDeps = Layer.effect(
    Search,
    Effect.gen(function*() {
      const caches = yield* SearchCaches.make
      const records = yield* FileRecords
      const transaction = yield* AccountTransaction
      const index = yield* DocIndex

      /** The page as of `state`, its files under way; undefined when the index has changed since. */
      const pageAt = Effect.fnUntraced(function*(state: IndexState, request: Request) {
        const { limit, limits, offset, query } = request
        const resolved = yield* caches.resolve(request, query, request, state.revision)
        if (resolved === undefined) return undefined
        const { names } = resolved
        const { position } = names
        const found = ResolvedNames.allExist(query, names, limits.folderId !== null)
          ? yield* index.answer(state, {
            condition: SearchCondition.of(query, names),
            order: SearchCondition.orders[query.sort],
            position,
            skip: position === null ? PageOffset.count(offset) : 0,
            count: limit + 1
          })
          : []
        if (found === undefined) return undefined
        const ids = found.slice(0, limit).map(({ id }) => id)
        const reading = yield* Effect.forkChild(caches.files(request, ids, state.revision), {
          startImmediately: true
        })
        return { accountNo: names.accountNo, areNamesCached: resolved.isCached, found, reading }
      })

      type Page = NonNullable<Effect.Success<ReturnType<typeof pageAt>>>

      const isConfirmed = Effect.fnUntraced(function*(page: Page, before: IndexState, now: IndexState) {
        if (before.generation !== now.generation || before.seq !== now.seq) return false
        // Names and files are more than the index knows; those that were just read are as of now.
        return before.revision === now.revision || !(page.areNamesCached || (yield* Fiber.join(page.reading)).isCached)
      })

      /** Waits for the page's files as well; only under the account's lock. */
      const wholePage = Effect.fnUntraced(function*(answering: Effect.Effect<Page | undefined>) {
        const page = yield* answering
        if (page === undefined) return yield* Effect.die(new Error("an account changed while it was locked"))
        yield* Fiber.join(page.reading)
        return page
      })

      /** The page as of now; undefined when the account has no index yet. */
      const latestPage = (request: Request) => {
        const { accountId } = request
        return RevisionCache.latest({
          known: index.known(accountId),
          current: index.refresh(accountId),
          answer: (state) => pageAt(state, request),
          isConfirmed,
          locked: (work) => WritePurpose.serving(transaction.run(accountId, () => wholePage(work)))
        })
      }

      const search = Effect.fn("Search.search")(function*(given: SearchQuery) {
        const { id: accountId, limits } = yield* allowed("read")
        const query = ParsedQuery.parse(given)
        const { limit = Limits.searchPage.byDefault, offset = 0 } = given
        const question = JSON.stringify([limits.folderId, query])
        const times = PageOffset.timesAt(yield* DateTime.now)
        const page = yield* latestPage({ accountId, limits, query, question, offset, limit, since: times.since })
        if (page === undefined) return nothing
        const { accountNo, found, reading } = page
        const last = found.length > limit ? found[limit - 1] : undefined
        // At once: neither waits for the other.
        const [{ files }, next] = yield* Effect.all([
          Fiber.join(reading),
          last === undefined
            ? Effect.succeed(null)
            : nextOffset({ accountNo, question }, PageOffset.count(offset) + limit, last, times)
        ], { concurrency: 2 })
        return { files: yield* records.of(files, () => "owner"), nextOffset: next }
      })

      /** The offset that the next page is asked for by: its number, unless that stands for another position already. */
      const nextOffset = Effect.fnUntraced(
        function*(page: PageOffset.PageKey, offset: number, last: Position, times: PageOffset.Times) {
          if (yield* caches.note(page, offset, last, times)) return offset
          const other = PageOffset.alternative(offset, last)
          yield* caches.note(page, other, last, times)
          return other
        },
        // By its number alone the next page is found too, unless files come or go meanwhile.
        (noting, _, offset) => DatabaseFault.unlessReadOnly(offset)(noting)
      )

      yield* searchPagesJob.handle(
        Effect.flatMap(DateTime.now, (now) => caches.forget(PageOffset.timesAt(now).since))
      )

      return Search.of({ search })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(SearchRepo.layer))
}

const nothing: SearchPage = { files: [], nextOffset: null }
