/** The caller's files as a whole: lists them and reports their storage usage. Spec: "Library". */
import { Context, Effect, Layer, Option, PartitionedSemaphore, Stream } from "effect"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import type { FileRecord } from "../files/FileRecord.ts"
import { FileRecords } from "../files/FileRecords.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import { Accounts } from "../ports/Accounts.ts"
import type { InvalidField, Refused, Unavailable } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { FileScope } from "./FileScope.ts"
import { LibraryRepo } from "./LibraryRepo.ts"
import { type StorageUsage, summarise } from "./StorageUsage.ts"

/** Files of the first page, which a reader waits for, and of each further one. */
const firstPageSize = 100
const pageSize = 1_000

/** Pages that are read at a time, of all listings together. */
const pagesAtOnce = 2

/** Pages of records, newest first; the first one may be empty. */
export type Listing = Stream.Stream<ReadonlyArray<FileRecord>>

export class Library extends Context.Service<Library, {
  /**
   * The caller's files, or those in trash, newest first (in trash: last put
   * there first), without derivatives. The first page has been read when the
   * call succeeds; each further one is read when the reader comes to it, so a
   * library of any size takes the memory of a page.
   *
   * No file is listed twice, whatever changes meanwhile, and no file that is there
   * throughout is left out.
   */
  readonly list: (scope: FileScope) => Effect.Effect<Listing, InvalidField | Refused, CurrentAccount>

  /**
   * The storage that the caller's files use. All figures are of one moment: the
   * breakdown adds up to `usedBytes`, which is what the quota counts.
   *
   * A call limited to a folder gets the figures of that folder: its files only, nothing pending.
   */
  readonly usage: Effect.Effect<StorageUsage, Refused | Unavailable, CurrentAccount>
}>()("@filedrive/core/library/Library") {
  static readonly layerNoDeps = Layer.effect(
    Library,
    Effect.gen(function*() {
      const repo = yield* LibraryRepo
      const accounts = yield* Accounts
      const records = yield* FileRecords
      // Accounts take turns, page by page: however many listings one has open, other callers wait for few of them.
      const turns = yield* PartitionedSemaphore.make<AccountId>({ permits: pagesAtOnce })

      /** A page, and the file after which the next one begins, or null when there is none. */
      const next = Effect.fnUntraced(function*(
        { id, limits }: CurrentAccount["Service"],
        scope: FileScope,
        after: StoredFile | null
      ) {
        const limit = after === null ? firstPageSize : pageSize
        const files = yield* repo.page(id, limits, scope, after, limit)
        return {
          records: yield* records.of(files, () => "owner"),
          last: files.length < limit ? null : files.at(-1) ?? null
        }
      }, (page, { id }) => turns.withPermits(id, 1)(page))

      const list = Effect.fn("Library.list")(function*(scope: FileScope) {
        const account = yield* allowed("read")
        const first = yield* next(account, scope, null)
        const rest = first.last === null ?
          Stream.empty :
          Stream.paginate(
            first.last,
            (after: StoredFile) =>
              Effect.map(
                next(account, scope, after),
                ({ last, records }) => [[records], Option.fromNullOr(last)] as const
              )
          )
        return Stream.concat(Stream.succeed(first.records), rest)
      })

      const usage = Effect.gen(function*() {
        const { id, limits } = yield* allowed("read")
        const account = yield* accounts.find(id)
        const quotaBytes = Option.match(account, { onNone: () => null, onSome: (found) => found.quotaBytes })
        const { parts, pendingBytes } = yield* limits.folderId === null ? repo.usage(id) : repo.usageWithin(id, limits)
        return summarise(parts, { quotaBytes, pendingBytes })
      }).pipe(Effect.withSpan("Library.usage"))

      return Library.of({ list, usage })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(LibraryRepo.layer))
}
