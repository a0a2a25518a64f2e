/** ZIP archives as their owners ask for them. Spec: "Library", `/create-archive-request`; contract: "Files". */
import { Context, DateTime, Duration, Effect, Exit, Layer, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, credentialOf, type CurrentAccount, mayEnd } from "../accounts/CurrentAccount.ts"
import * as Plan from "../accounts/Plan.ts"
import * as Pace from "../database/Pace.ts"
import * as Limits from "../limits/Limits.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { ListFiles } from "../organize/ListFiles.ts"
import { Accounts } from "../ports/Accounts.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { InvalidField, NotFound, Refused, type Unavailable } from "../shared/DriveError.ts"
import { ArchiveId, type FileId, type FolderId, type ListId, onceEach } from "../shared/Ids.ts"
import {
  type Archive,
  type ArchiveStatus,
  type ArchiveTitle,
  keptMaxBytes,
  type NewArchive,
  placed,
  type SkippedFile,
  untitled
} from "./Archive.ts"
import { ArchiveBuilds } from "./ArchiveBuilds.ts"
import { ArchiveEnds } from "./ArchiveEnds.ts"
import type { NewEntry } from "./ArchiveEntry.ts"
import { listed, skippedOf } from "./ArchiveListing.ts"
import * as ArchivePlan from "./ArchivePlan.ts"
import { ArchivesRepo } from "./ArchivesRepo.ts"
import * as ZipPlan from "./ZipPlan.ts"

/** Of the files that are left out of an archive, so many are named. */
const skippedMaxCount = 1_000
/** Archives that a refusal names, so that one of them can be deleted. */
const namedWhenFull = 3

const anothers = new Refused({
  code: "token_limit",
  because: "This token may not delete, and the archive was requested by another."
})

/** Entries that one transaction notes. */
const notedAtOnce: Pace.Range = { least: 500, most: 5_000 }

/** How long noting all of them may take, before they count as left behind. */
const draftLifetime = Duration.hours(1)

/** Which files to put in: one of the three. */
export interface ArchiveRequest {
  readonly fileIds?: ReadonlyArray<FileId> | undefined
  readonly galleryId?: ListId | undefined
  readonly playlistId?: ListId | undefined
  /** Default `Archive`. */
  readonly title?: ArchiveTitle | undefined
}

export interface ArchiveItem {
  readonly id: ArchiveId
  readonly title: string
  readonly status: ArchiveStatus
  /** Why it failed, for people. */
  readonly error: string | null
  /** Files that are in it. */
  readonly fileCount: number
  /** Bytes of the whole archive; known from its beginning, and less when a file has to be left out on the way. */
  readonly bytes: number
  /** How many of these bytes are stored. */
  readonly receivedBytes: number
  /** Files asked for that are not in it; the first thousand. */
  readonly skipped: ReadonlyArray<SkippedFile>
  /** Works for six hours; null until it is done. */
  readonly downloadUrl: string | null
  /** Until when it is kept; null until it has ended. */
  readonly expireTime: Date | null
}

export class Archives extends Context.Service<Archives, {
  /**
   * Builds a ZIP archive, in the background, of files the caller can see: their own, public ones and those shared with them; a call limited
   * to a folder takes that folder's. While an equal archive is kept or built, a repeated call returns that one.
   *
   * Fails with `InvalidField` naming `fileIds`, `galleryId`, `playlistId` or `title`; `NotFound` when there is no such
   * list, or nothing that can go in; `Refused`: `no_plan`, `token_limit`, `not_allowed` with too many under way,
   * `archives_full` when all that are kept would have too many bytes together.
   */
  readonly create: (
    request: ArchiveRequest
  ) => Effect.Effect<ArchiveItem, InvalidField | NotFound | Refused | Unavailable, CurrentAccount>

  /** Those of the archives that are the caller's, each once, in the order asked; lapsed ones are not among them. */
  readonly select: (
    ids: ReadonlyArray<ArchiveId>
  ) => Effect.Effect<ReadonlyArray<ArchiveItem>, InvalidField | Refused | Unavailable, CurrentAccount>

  /** The caller's newest archives, newest first: `limit` of them, default 20. */
  readonly newest: (
    limit?: number
  ) => Effect.Effect<ReadonlyArray<ArchiveItem>, InvalidField | Refused | Unavailable, CurrentAccount>

  /**
   * Deletes an archive of the caller's, one that is being built too, with everything that is stored of it; its files stay.
   * False when there is none. Fails with `Refused` (`token_limit`) for a token that may not delete and has not requested it.
   */
  readonly delete: (id: ArchiveId) => Effect.Effect<boolean, InvalidField | Refused, CurrentAccount>
}>()("@filedrive/core/archives/Archives") {
  static readonly layerNoDeps = Layer.effect(
    Archives,
    Effect.gen(function*() {
      const repo = yield* ArchivesRepo
      const builds = yield* ArchiveBuilds
      const accounts = yield* Accounts
      const digest = yield* Digest.Digest
      const ends = yield* ArchiveEnds
      const transaction = yield* AccountTransaction
      const lists = yield* ListFiles
      const random = yield* SecureRandom.SecureRandom
      const smallestPart = yield* ArchivePlan.SmallestPart
      const store = yield* ObjectStore

      /** The files that are asked for, in order, and the field that names them. */
      const wanted = Effect.fnUntraced(function*({ fileIds, galleryId, playlistId }: ArchiveRequest) {
        const { max, min } = Limits.filesPerArchive
        const given = Object.entries({ fileIds, galleryId, playlistId }).filter(([, value]) => value !== undefined)
        const field = given.at(-1)?.[0] ?? "fileIds"
        if (given.length !== 1) {
          return yield* new InvalidField({
            code: given.length === 0 ? "missing_field" : "invalid_field",
            field,
            because: "send one of fileIds, galleryId and playlistId"
          })
        }
        // A gallery's or playlist's files are the archive's, without folders: the list is what they have in common.
        const ids = galleryId !== undefined
          ? yield* lists.all("gallery", galleryId, max + 1)
          : playlistId !== undefined
          ? yield* lists.all("playlist", playlistId, max + 1)
          : onceEach(fileIds ?? [])
        if (ids.length <= max && fileIds?.length !== 0) return { ids, field }
        return yield* new InvalidField({
          code: "invalid_field",
          field,
          because: `an archive holds ${min} to ${max} files`
        })
      })

      const linkTo = (archive: Archive) =>
        archive.status !== "done" ? Effect.succeed(null) : store.signGet({
          ...placed(archive),
          lifetime: Limits.downloadUrlLifetime
        })

      const itemOf = (archive: Archive, skipped: ReadonlyArray<SkippedFile>) =>
        Effect.map(linkTo(archive), (downloadUrl): ArchiveItem => ({
          id: archive.id,
          title: archive.title,
          status: archive.status,
          error: archive.error,
          fileCount: archive.fileCount,
          bytes: archive.bytes,
          receivedBytes: archive.receivedBytes,
          skipped,
          downloadUrl,
          expireTime: archive.expireTime
        }))

      /** Everything that identifies an archive. */
      const requestOf = Effect.fnUntraced(
        function*(folderId: FolderId | null, title: string, entries: ReadonlyArray<NewEntry>) {
          const text = JSON.stringify([
            folderId,
            title,
            entries.map(({ fileId, modifiedTime, name, sizeBytes, skipped }) => [
              fileId,
              name,
              sizeBytes,
              modifiedTime?.getTime() ?? null,
              skipped
            ])
          ])
          return Base64Url.encode(yield* digest.digest(Digest.sha256, new TextEncoder().encode(text)))
        },
        Effect.orDie
      )

      /** Refuses one more of so many bytes when it would be too many, or too much. */
      const roomFor = Effect.fnUntraced(
        function*(
          caller: CurrentAccount["Service"],
          bytes: number,
          quotaBytes: number | null,
          now: DateTime.Utc
        ) {
          const { id: accountId } = caller
          if ((yield* repo.countWorking(accountId)) >= Limits.archivesAtOnceMaxCount) {
            return yield* new Refused({
              code: "not_allowed",
              because: `${Limits.archivesAtOnceMaxCount} archives of yours are being built; wait for one of them.`
            })
          }
          const most = keptMaxBytes(quotaBytes)
          if (most === null) return
          const kept = yield* repo.keptBytes(accountId, now)
          if (kept + bytes <= most) return
          const largest = yield* repo.largestKept(caller, now, namedWhenFull)
          const named = largest.map((one) => `${one.id} (${one.bytes} bytes)`).join(", ")
          return yield* new Refused({
            code: "archives_full",
            because:
              `Your archives have ${kept} bytes, and with this one's ${bytes} they would have more than ${most}. `
              + `Delete one of them, or wait until one lapses.${named === "" ? "" : ` The largest are ${named}.`}`
          })
        }
      )

      /** Notes an archive and its entries where nobody sees them, some at a time: as one transaction that took seconds. */
      const draft = Effect.fnUntraced(function*(archive: NewArchive, entries: ReadonlyArray<NewEntry>) {
        const now = yield* DateTime.now
        const until = DateTime.addDuration(now, draftLifetime)
        yield* transaction.run(archive.accountId, () => repo.draft(archive, now, until))
        const pace = Pace.make(notedAtOnce)
        for (let at = 0; at < entries.length;) {
          const some = entries.slice(at, at + pace.size())
          const note = repo.insertEntries(archive, some)
          yield* transaction.run(archive.accountId, () => pace.timed(note, () => some.length))
          at += some.length
        }
      })

      const create = Effect.fn("Archives.create")(function*(request: ArchiveRequest) {
        const caller = yield* allowed("read")
        const { id: accountId, limits } = caller
        const title = request.title ?? untitled
        const { quotaBytes } = yield* Plan.storing(accounts, accountId)
        const { field, ids } = yield* wanted(request)
        const candidates = yield* repo.candidates(accountId, limits, ids)
        const { entries, files } = yield* listed(ids, candidates, field === "fileIds")
        if (files.length === 0) {
          const named = request.galleryId ?? request.playlistId ?? ids[0] ?? ""
          const resource = request.galleryId !== undefined
            ? "gallery"
            : request.playlistId !== undefined
            ? "playlist"
            : "file"
          return yield* new NotFound({ resource, id: named })
        }
        const bytes = ZipPlan.make(files).totalBytes
        if (bytes > Limits.archiveMaxBytes) {
          const because = `an archive of them would have ${bytes} bytes, more than ${Limits.archiveMaxBytes}`
          return yield* new InvalidField({ code: "invalid_field", field, because })
        }
        yield* store.room(bytes)
        const id = ArchiveId.make(yield* random.uuidV7())
        const archive = {
          id,
          accountId,
          credential: credentialOf(caller),
          folderId: limits.folderId,
          request: yield* requestOf(limits.folderId, title, entries),
          title,
          fileCount: files.length,
          bytes,
          partSizeBytes: ArchivePlan.partSize(bytes, smallestPart),
          storeKey: StoreKey.make("archives", accountId, yield* random.uuidV7())
        }
        /** An archive like it that is kept; none when there is room for this one. */
        const before = Effect.fnUntraced(function*(now: DateTime.Utc) {
          const equal = yield* repo.equal(archive, now)
          if (Option.isNone(equal)) yield* roomFor(caller, bytes, quotaBytes, now)
          return equal
        })
        const known = yield* before(yield* DateTime.now)
        const equal = Option.isSome(known) ? known : yield* Effect.gen(function*() {
          yield* draft(archive, entries)
          return yield* transaction.run(accountId, () =>
            Effect.gen(function*() {
              const now = yield* DateTime.now
              const equal = yield* before(now)
              if (Option.isSome(equal)) return equal
              if (!(yield* repo.publish(archive, now))) {
                return yield* Effect.die(new Error("noting an archive's entries took too long"))
              }
              yield* builds.begin(accountId, id)
              return Option.none()
            }))
        }).pipe(
          Effect.onExit((exit) =>
            Exit.isSuccess(exit) && Option.isNone(exit.value) ? Effect.void : ends.discard(archive)
          )
        )
        const skipped = skippedOf(entries).slice(0, skippedMaxCount)
        if (Option.isSome(equal)) return yield* itemOf(equal.value, skipped)
        return {
          id,
          title,
          status: "working" as const,
          error: null,
          fileCount: files.length,
          bytes,
          receivedBytes: 0,
          skipped,
          downloadUrl: null,
          expireTime: null
        }
      })

      const select = Effect.fn("Archives.select")(function*(ids: ReadonlyArray<ArchiveId>) {
        const { id: accountId, limits } = yield* allowed("read")
        const found = yield* repo.select(accountId, limits, onceEach(ids))
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const kept = found.filter(({ expireTime }) => expireTime === null || expireTime > now)
        const skipped = Map.groupBy(
          yield* repo.skipped(accountId, kept.map(({ id }) => id), skippedMaxCount),
          ({ archiveId }) => archiveId
        )
        return yield* Effect.forEach(
          kept,
          (archive) => itemOf(archive, (skipped.get(archive.id) ?? []).map(({ id, reason }) => ({ id, reason })))
        )
      })

      const newest = Effect.fn("Archives.newest")(function*(limit: number = Limits.newestByDefault) {
        const { id: accountId, limits } = yield* allowed("read")
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return yield* select(yield* repo.newest(accountId, limits, now, limit))
      })

      const remove = Effect.fn("Archives.delete")(function*(id: ArchiveId) {
        const caller = yield* Effect.catch(allowed("read"), () => allowed("delete"))
        const [archive] = yield* repo.select(caller.id, caller.limits, [id])
        const now = DateTime.toDateUtc(yield* DateTime.now)
        if (archive === undefined || (archive.expireTime !== null && archive.expireTime <= now)) return false
        if (!mayEnd(caller, archive.credential)) return yield* anothers
        yield* ends.drop(archive)
        return true
      })

      return Archives.of({ create, select, newest, delete: remove })
    })
  )
}
