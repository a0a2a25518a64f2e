/**
 * Keeps what files are found by equal to what is recorded of them. Told by the {@link "./Catalog.ts"}; nobody else
 * need know of it.
 *
 * A row is never changed in part: it is made anew from its file's record, tags, folders and contents, in the
 * transaction that changes these. Only many files that change folders at once are left to a job.
 */
import { Context, Effect, Layer } from "effect"
import { Ledger } from "../accounts/Ledger.ts"
import { done, type Job, Jobs } from "../jobs/Jobs.ts"
import { AccountId, type FileId, type FolderId } from "../shared/Ids.ts"
import { SearchIndexRepo } from "./SearchIndexRepo.ts"
import * as SearchRow from "./SearchRow.ts"

type OfFiles = (accountId: AccountId, fileIds: ReadonlyArray<FileId>) => Effect.Effect<void>

const jobKind = "search-index"

/** Files that a change writes at once; with more, others of the account would wait. About a tenth of a second. */
const atOnceMaxCount = 500

/** Files read and written by one statement. */
const batchSize = 500

/** Characters of rows that one statement takes, so that files of many words fit a message. */
const statementMaxLength = 2_000_000

/** Files that are made ready before others of this process go on. */
const turnSize = 10

/** A file in view of which all is known already; its folders are looked up. */
export interface KnownFindable extends Omit<SearchRow.Findable, "accountNo" | "folderNos"> {
  readonly folderId: FolderId | null
}

/** Each only inside `Ledger.locked` of the account. */
export class SearchIndex extends Context.Service<SearchIndex, {
  /** Makes the rows of these files anew; those that are not in view have none. */
  readonly write: OfFiles

  /** Makes the rows of files of which all is known, while `insert` records them. */
  readonly writing: <A, E, R>(
    accountId: AccountId,
    files: ReadonlyArray<KnownFindable>,
    insert: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>

  /** These files are found no more. */
  readonly remove: OfFiles

  /** As {@link write}, but by a job when they are many. */
  readonly follow: OfFiles

  /** Files in a folder or inside it have other folders above them. At once when they are few, by a job when many. */
  readonly followFolder: (accountId: AccountId, folderId: FolderId) => Effect.Effect<void>
}>()("@filedrive/core/files/SearchIndex") {
  static readonly layerNoDeps = Layer.effect(
    SearchIndex,
    Effect.gen(function*() {
      const repo = yield* SearchIndexRepo
      const ledger = yield* Ledger
      const jobs = yield* Jobs

      const writeBatch = Effect.fnUntraced(function*(accountId: AccountId, fileIds: ReadonlyArray<FileId>) {
        const rows = (yield* repo.findable(accountId, fileIds)).map(SearchRow.of)
        if (rows.length < fileIds.length) {
          const inView = new Set(rows.map(({ id }) => id))
          yield* repo.remove(accountId, fileIds.filter((id) => !inView.has(id)))
        }
        yield* Effect.forEach(byLength(rows), (some) => repo.write(accountId, some, { areNew: false }), {
          discard: true
        })
      })

      const write = Effect.fn("SearchIndex.write")(function*(accountId: AccountId, fileIds: ReadonlyArray<FileId>) {
        for (let at = 0; at < fileIds.length; at += batchSize) {
          yield* writeBatch(accountId, fileIds.slice(at, at + batchSize))
        }
      })

      const writing = <A, E, R>(
        accountId: AccountId,
        files: ReadonlyArray<KnownFindable>,
        insert: Effect.Effect<A, E, R>
      ) =>
        Effect.gen(function*() {
          const { accountNo, folderNos } = yield* repo.numbers(accountId, [
            ...new Set(files.flatMap(({ folderId }) => folderId ?? []))
          ])
          const make = Effect.gen(function*() {
            const rows: Array<SearchRow.SearchRow> = []
            for (const { folderId, ...file } of files) {
              const above = folderId === null ? [] : folderNos.get(folderId)!
              rows.push(SearchRow.of({ ...file, accountNo, folderNos: above }))
              if (rows.length % turnSize === 0) yield* Effect.yieldNow
            }
            return rows
          })
          const [result, rows] = yield* Effect.all([insert, make], { concurrency: "unbounded" })
          yield* Effect.forEach(byLength(rows), (some) => repo.write(accountId, some, { areNew: true }), {
            discard: true
          })
          return result
        })

      const later = (accountId: AccountId) => jobs.enqueue({ kind: jobKind, key: accountId })

      const follow = Effect.fnUntraced(function*(accountId: AccountId, fileIds: ReadonlyArray<FileId>) {
        if (fileIds.length <= atOnceMaxCount) return yield* write(accountId, fileIds)
        yield* repo.postpone(accountId, fileIds)
        yield* later(accountId)
      })

      const followFolder = Effect.fn("SearchIndex.followFolder")(function*(accountId: AccountId, folderId: FolderId) {
        yield* repo.postponeFolder(accountId, folderId)
        const pending = yield* repo.pending(accountId, atOnceMaxCount + 1)
        yield* pending.length > atOnceMaxCount ? later(accountId) : write(accountId, pending)
      })

      /** A few files at a time, so that the account's other calls go on meanwhile. */
      const settle = Effect.fnUntraced(function*(accountId: AccountId) {
        const batch = ledger.locked(accountId, () =>
          Effect.tap(
            repo.pending(accountId, atOnceMaxCount),
            (fileIds) => write(accountId, fileIds)
          ))
        yield* Effect.repeat(batch, { while: (fileIds) => fileIds.length > 0 })
        return done
      })
      yield* jobs.handle(jobKind, ({ key }: Job) => settle(AccountId.make(key)))

      return SearchIndex.of({ write, writing, remove: repo.remove, follow, followFolder })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(SearchIndexRepo.layer))
}

/** Rows in groups that fit a statement each. */
const byLength = (rows: ReadonlyArray<SearchRow.SearchRow>): ReadonlyArray<ReadonlyArray<SearchRow.SearchRow>> => {
  const groups: Array<Array<SearchRow.SearchRow>> = []
  let room = 0
  for (const row of rows) {
    const length = row.lexemes.reduce((sum, lexeme) => sum + lexeme.length, 0)
    if (groups.length === 0 || length > room) {
      groups.push([])
      room = statementMaxLength
    }
    groups.at(-1)!.push(row)
    room -= length
  }
  return groups
}
