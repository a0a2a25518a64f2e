/** Finding files. Spec: "Library", `/search-files`. */
import { Context, DateTime, Duration, Effect, Fiber, Layer, Result } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as DatabaseFault from "../database/DatabaseFault.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { FileRecord } from "../files/FileRecord.ts"
import { FileRecords } from "../files/FileRecords.ts"
import * as MusicalKey from "../files/MusicalKey.ts"
import * as Job from "../jobs/Job.ts"
import * as Limits from "../limits/Limits.ts"
import { DocIndex } from "../search/DocIndex.ts"
import type { IndexState } from "../search/IndexState.ts"
import type { Position } from "../search/Ranking.ts"
import * as Words from "../search/Words.ts"
import { InvalidField, type Refused } from "../shared/DriveError.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import type { AccountId } from "../shared/Ids.ts"
import { foldCase } from "../shared/Text.ts"
import * as SearchCondition from "./SearchCondition.ts"
import type { SearchQuery } from "./SearchQuery.ts"
import { type Names, type PageRecords, type ParsedQuery, type PlacedPage, SearchRepo } from "./SearchRepo.ts"

/** A page of results, and the `offset` of the next one when there is one. */
export interface SearchPage {
  readonly files: ReadonlyArray<FileRecord>
  readonly nextOffset: number | null
}

/** A query that was read, and who asks for which of its pages. */
interface Asked extends PlacedPage {
  readonly accountId: AccountId
  readonly limits: CurrentAccount["Service"]["limits"]
  readonly wanted: ParsedQuery
  readonly limit: number
}

/** How long a page's place is known, at least six hours. After that its offset is counted from the start. */
const positionLifetime = Duration.hours(7)

export const searchPagesJob = Job.every("search-pages", {
  description: "Deletes the positions of pages of results.",
  interval: Duration.hours(1)
})

/** How long a place that is said again is not written again. */
const positionFreshness = Duration.hours(1)

/** How often what is found is looked for anew because the index changed meanwhile, before others have to wait. */
const triesMaxCount = 3

/** No spelling of a tag is longer. Folding takes time that grows with the square of what is asked for. */
const tagMaxLength = 4 * Limits.tagTextLength.max

/** Offsets of pages that begin elsewhere than their number says; below it, the number. */
const otherPlaces = 10_000_000_000

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
}>()("@filedrive/core/library/Search") {
  static readonly layerNoDeps = Layer.effect(
    Search,
    Effect.gen(function*() {
      const repo = yield* SearchRepo
      const records = yield* FileRecords
      const transaction = yield* AccountTransaction
      const index = yield* DocIndex

      /** The page as of `state`, its records under way; undefined when the index went on and can't say any more. */
      const pageAt = Effect.fnUntraced(function*(state: IndexState, asked: Asked) {
        const { accountId, limit, limits, offset, wanted } = asked
        const names = yield* repo.resolve(accountId, limits.folderId, wanted, asked, state.revision)
        if (names === undefined) return undefined
        const { position } = names
        const found = isThere(wanted, names, limits.folderId !== null)
          ? yield* index.answer(state, {
            condition: SearchCondition.of(wanted, names),
            order: SearchCondition.orders[wanted.sort],
            position,
            skip: position === null ? offset % otherPlaces : 0,
            count: limit + 1
          })
          : []
        if (found === undefined) return undefined
        const ids = found.slice(0, limit).map(({ id }) => id)
        const reading = yield* Effect.forkChild(repo.records(accountId, limits, ids, state.revision), {
          startImmediately: true
        })
        return { state, names, found, reading }
      })

      /** The page as of now; undefined when the account has never been here. */
      const newestPage = Effect.fnUntraced(function*(asked: Asked) {
        const { accountId } = asked
        // What is remembered of the account is nearly always all there is: what is new is asked for meanwhile.
        const known = yield* index.known(accountId)
        const renewing = yield* Effect.forkChild(index.refresh(accountId), { startImmediately: true })
        const guess = known && (yield* pageAt(known, asked))
        let newest = yield* Fiber.join(renewing)
        if (guess !== undefined && newest !== undefined && (yield* holds(guess, newest))) return guess
        for (let tries = 1; newest !== undefined && tries <= triesMaxCount; tries++) {
          const page = yield* pageAt(newest, asked)
          if (page !== undefined) return page
          newest = yield* index.refresh(accountId)
        }
        // Who moves or trashes a large folder changes the index faster than it is read, for as long as that takes.
        return newest && (yield* WritePurpose.serving(transaction.run(accountId, () => heldPage(asked))))
      })

      /** The page as of now, all of it read; only inside `AccountTransaction.run`. */
      const heldPage = Effect.fnUntraced(function*(asked: Asked) {
        const state = yield* index.refresh(asked.accountId)
        const page = state && (yield* pageAt(state, asked))
        if (page === undefined) return yield* Effect.die(new Error("an account changed while it was held"))
        yield* Fiber.join(page.reading)
        return page
      })

      const search = Effect.fn("Search.search")(function*(query: SearchQuery) {
        const { id: accountId, limits } = yield* allowed("read")
        const wanted = yield* read(query)
        const { limit = Limits.searchPage.byDefault, offset = 0 } = query
        const question = JSON.stringify([limits.folderId, wanted])
        const now = yield* DateTime.now
        const since = DateTime.subtractDuration(now, positionLifetime)
        const page = yield* newestPage({ accountId, limits, wanted, question, offset, limit, since })
        if (page === undefined) return nothing
        const { found, names: { accountNo }, reading } = page
        const last = found.length > limit ? found[limit - 1] : undefined
        // At once: neither waits for the other.
        const [{ files }, next] = yield* Effect.all([
          Fiber.join(reading),
          last === undefined
            ? Effect.succeed(null)
            : nextOffset({ accountNo, question }, offset % otherPlaces + limit, last, now)
        ], { concurrency: 2 })
        return { files: yield* records.of(files, () => "owner"), nextOffset: next }
      })

      /** The offset that the next page is asked for by: its number, unless that leads somebody else elsewhere. */
      const nextOffset = Effect.fnUntraced(
        function*(key: Parameters<typeof repo.remember>[0], offset: number, last: Position, now: DateTime.Utc) {
          const times = {
            now,
            lately: DateTime.subtractDuration(now, positionFreshness),
            since: DateTime.subtractDuration(now, positionLifetime)
          }
          if (yield* repo.remember(key, offset, last, times)) return offset
          const other = offset + otherPlaces * (1 + hash(last) % 900_000)
          yield* repo.remember(key, other, last, times)
          return other
        },
        // By its number alone the next page is found too, unless files come or go meanwhile.
        (remembering, _, offset) => DatabaseFault.unlessFull(offset)(remembering)
      )

      yield* searchPagesJob.handle(
        Effect.flatMap(DateTime.now, (now) => repo.forget(DateTime.subtractDuration(now, positionLifetime)))
      )

      return Search.of({ search })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(SearchRepo.layer))
}

const nothing: SearchPage = { files: [], nextOffset: null }

/** Whether a page as of a moment that was remembered is the page as of now. */
const holds = Effect.fnUntraced(function*(
  { names, reading, state }: {
    readonly names: Names
    readonly reading: Fiber.Fiber<PageRecords>
    readonly state: IndexState
  },
  newest: IndexState
) {
  if (state.generation !== newest.generation || state.seq !== newest.seq) return false
  // Names and records are more than the index knows; those that were just read are as of now.
  return state.revision === newest.revision || !(names.isCached || (yield* Fiber.join(reading)).isCached)
})

const read = Effect.fnUntraced(function*(query: SearchQuery) {
  const {
    folder,
    key,
    limit: _limit,
    offset: _offset,
    sort = "newest",
    tags = [],
    text = "",
    type,
    types = [],
    ...rest
  } = query
  const path = folder === undefined ? Result.succeed([]) : FolderPath.parse(folder)
  if (Result.isFailure(path)) {
    return yield* new InvalidField({ code: "invalid_field", field: "folder", because: path.failure })
  }
  const keys = key === undefined ? Result.succeed(null) : MusicalKey.parse(key)
  if (Result.isFailure(keys)) {
    return yield* new InvalidField({ code: "invalid_field", field: "key", because: keys.failure })
  }
  const anyType = types.length === 0 ? null : [...new Set(types)].sort()
  const wanted: ParsedQuery = {
    ...rest,
    terms: Words.terms(text),
    types: type === undefined ? anyType : anyType === null || anyType.includes(type) ? [type] : [],
    foldedTags: [...new Set(tags.map((tag) => foldCase(tag.trim().slice(0, tagMaxLength))))].sort(),
    foldedPath: path.success.length === 0 ? null : FolderPath.fold(path.success),
    keys: keys.success,
    sort
  }
  return wanted
})

/** Whether everything a query names is there. What is not has no files. */
const isThere = (
  { foldedPath, foldedTags, types }: ParsedQuery,
  { folderNos, limitNos, tagNos }: Pick<Names, "folderNos" | "limitNos" | "tagNos">,
  isLimited: boolean
): boolean =>
  tagNos.length === foldedTags.length && (foldedPath === null || folderNos.length > 0)
  && (!isLimited || limitNos.length > 0) && types?.length !== 0

/** A number of a place; two places rarely have the same. */
const hash = ({ id, key }: Position): number => {
  let sum = 0
  for (const character of key + id) sum = (Math.imul(sum, 31) + character.codePointAt(0)!) >>> 0
  return sum
}
