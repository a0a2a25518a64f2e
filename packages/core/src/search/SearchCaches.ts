/** The reads of searches from the database; none is sent where this process knows the result. */
import { DateTime, Effect } from "effect"
import type { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import type { Position } from "../docindex/Ranking.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { LruCache } from "../shared/LruCache.ts"
import type { PageKey, RequestedPage, Times } from "./PageOffset.ts"
import type { ParsedQuery } from "./ParsedQuery.ts"
import * as ResolvedNames from "./ResolvedNames.ts"
import { RevisionCache } from "./RevisionCache.ts"
import { SearchRepo } from "./SearchRepo.ts"

/** Bytes of names, with all folders inside them, that a process keeps. */
const namesMaxBytes = 4 * 1024 * 1024

/** Bytes of files' rows that a process keeps, some ten thousand of them. */
const filesMaxBytes = 16 * 1024 * 1024

/** Bytes of positions that this process knows to be written. */
const positionsMaxBytes = 2 * 1024 * 1024

/** Accounts whose numbers a process keeps. */
const accountNosMaxCount = 10_000

/** What a file's row takes in memory besides its longer texts, about. */
const rowBytes = 1_500

/** What a position takes in memory besides its question and its key, about. */
const positionBytes = 400

type Limits = CurrentAccount["Service"]["limits"]

/** The caller of a search. */
export interface Searcher {
  readonly accountId: AccountId
  readonly limits: Limits
}

export const make = Effect.gen(function*() {
  const { isInTransaction } = yield* Database
  const repo = yield* SearchRepo

  /** Numbers of accounts, which never change: a search that names nothing has nothing else to ask for. */
  const accountNos = new LruCache<AccountId, number>(accountNosMaxCount)

  const cachedNames = new RevisionCache<string, ResolvedNames.ResolvedNames>({
    maxBytes: namesMaxBytes,
    bytesOf: bytesOfNames
  })

  const cachedFiles = new RevisionCache<FileId, StoredFile>({
    maxBytes: filesMaxBytes,
    bytesOf: bytesOfFile,
    // The progress of a move is not counted in revisions.
    isCounted: ({ moveToPublic }) => moveToPublic === null
  })

  /** Positions that were written, and when, by account, offset and question. */
  const positions = new LruCache<string, Position & { readonly insertTime: Date }>(positionsMaxBytes)
  const nameOf = ({ accountNo, question }: PageKey, offset: number) => `${accountNo} ${offset} ${question}`

  const readNames = Effect.fnUntraced(
    function*({ accountId, limits }: Searcher, query: ParsedQuery, page: RequestedPage) {
      const found = yield* repo.resolve(accountId, limits.folderId, query, page)
      if (found === undefined) return undefined
      accountNos.set(accountId, found.accountNo, 1)
      // A database that lost its last transactions lost positions too.
      if (found.position === null) {
        positions.delete(nameOf({ accountNo: found.accountNo, question: page.question }, page.offset))
      }
      return found
    }
  )

  /**
   * Resolves the names in a query, with one statement at most; undefined when the account has no index yet. Those of a first
   * page may be cached as of `revision`.
   */
  const resolve = Effect.fnUntraced(
    function*(searcher: Searcher, query: ParsedQuery, page: RequestedPage, revision: number) {
      const { accountId, limits: { folderId } } = searcher
      const { foldedPath, foldedTags } = query
      const accountNo = accountNos.get(accountId)
      const isFirst = page.offset === 0
      if (accountNo !== undefined && isFirst && folderId === null && foldedPath === null && foldedTags.length === 0) {
        return { names: { ...ResolvedNames.none, accountNo }, isCached: false }
      }
      if (!isFirst || (yield* isInTransaction)) {
        const names = yield* readNames(searcher, query, page)
        return names && { names, isCached: false }
      }
      const key = JSON.stringify([accountId, folderId, foldedPath, foldedTags])
      const { isCached, values } = yield* cachedNames.recall(
        [key],
        revision,
        () => Effect.map(readNames(searcher, query, page), (names) => names === undefined ? [] : [[key, names]])
      )
      const names = values.get(key)
      return names && { names, isCached }
    }
  )

  /** These files, in their order, but for those that are no longer in view; some may be cached as of `revision`. */
  const files = Effect.fnUntraced(
    function*({ accountId, limits }: Searcher, ids: ReadonlyArray<FileId>, revision: number) {
      // Only the database knows what a call in a folder may see, and what a transaction has changed.
      if (limits.folderId !== null || (yield* isInTransaction)) {
        const found = new Map((yield* repo.files(accountId, limits, ids)).map((file) => [file.id, file]))
        return { files: ids.flatMap((id) => found.get(id) ?? []), isCached: false }
      }
      const { isCached, values } = yield* cachedFiles.recall(ids, revision, (others) =>
        Effect.map(
          repo.files(accountId, limits, others),
          (files) => files.map((file) => [file.id, file] as const)
        ))
      return { files: ids.flatMap((id) => values.get(id) ?? []), isCached }
    }
  )

  /**
   * Writes that the page of `offset` begins at `position`; false when the offset stands for another position already. Nothing
   * is written where this process knows that it was written lately: most searches that are repeated write nothing.
   */
  const note = Effect.fnUntraced(function*(page: PageKey, offset: number, position: Position, times: Times) {
    const { id, key } = position
    const name = nameOf(page, offset)
    const known = positions.get(name)
    if (known?.id === id && known.key === key && known.insertTime > DateTime.toDateUtc(times.lately)) return true
    const insertTime = yield* repo.note(page, offset, position, times)
    if (insertTime === undefined) return false
    if (!(yield* isInTransaction)) {
      positions.set(name, { id, key, insertTime }, positionBytes + name.length + key.length)
    }
    return true
  })

  return { resolve, files, note, forget: repo.forget }
})

/** Texts that may be long count twice, for scripts that take two bytes a character. */
const bytesOfFile = ({ artists, description, fileName, tagLines, title }: StoredFile): number =>
  rowBytes + 2 * [fileName, description, title, ...artists ?? [], ...tagLines].reduce(
      (sum, text) => sum + (text?.length ?? 0),
      0
    )

const bytesOfNames = ({ folderNos, limitNos, tagNos }: ResolvedNames.ResolvedNames, key: string): number =>
  2 * key.length + 8 * (folderNos.length + limitNos.length) + 32 * tagNos.length + 400
