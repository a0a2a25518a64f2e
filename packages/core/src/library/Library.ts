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

/** Files of the first page, which a reader waits for, and of each further one: fewer where descriptions and tags are long. */
const firstPageSize = 100
const pageSize = { min: 50, max: 1_000 }

/** Characters that a page aims at, and those of a record besides its description and tags. */
const pageLength = 1_024 * 1_024
const recordLength = 500

const lengthOf = ({ description, tagLines }: StoredFile): number =>
  tagLines.reduce((length, line) => length + line.length, recordLength + (description?.length ?? 0))

/** How many files are read after these. */
const sizeAfter = (files: ReadonlyArray<StoredFile>): number => {
  const length = files.reduce((sum, file) => sum + lengthOf(file), 0) / files.length
  return Math.min(pageSize.max, Math.max(pageSize.min, Math.floor(pageLength / length)))
}

/** Where the next page begins. */
interface Position {
  readonly after: StoredFile
  readonly size: number
}

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
   * throughout is left out. What comes after the first page was read is not listed.
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

      /** A page, and where the next one begins, or null when there is none. */
      const next = Effect.fnUntraced(function*(
        { id, limits }: CurrentAccount["Service"],
        scope: FileScope,
        position: Position | null
      ) {
        const limit = position?.size ?? firstPageSize
        const files = yield* repo.page(id, limits, scope, position?.after ?? null, limit)
        const last = files.length < limit ? undefined : files.at(-1)
        return {
          records: yield* records.of(files, () => "owner"),
          next: last === undefined ? null : { after: last, size: sizeAfter(files) }
        }
      }, (page, { id }) => turns.withPermits(id, 1)(page))

      const list = Effect.fn("Library.list")(function*(scope: FileScope) {
        const account = yield* allowed("read")
        const first = yield* next(account, scope, null)
        const rest = first.next === null ?
          Stream.empty :
          Stream.paginate(
            first.next,
            (position: Position) =>
              Effect.map(
                next(account, scope, position),
                ({ next, records }) => [[records], Option.fromNullOr(next)] as const
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
