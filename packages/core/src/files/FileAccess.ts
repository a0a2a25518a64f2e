/** Who can open a file: its owner, or anyone with its lasting link. */
import { Context, Duration, Effect, Layer, Option, Schedule } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { PendingDeletion } from "../objects/PendingDeletion.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import { StrayLinks } from "../objects/StrayLinks.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { type InvalidField, NotFound, type Refused, Unavailable } from "../shared/DriveError.ts"
import type { FileId } from "../shared/Ids.ts"
import { BucketSwitch } from "./BucketSwitch.ts"
import { BucketTransfers } from "./BucketTransfers.ts"
import { FileCopies } from "./FileCopies.ts"
import type { FileRecord } from "./FileRecord.ts"
import { FileRecords } from "./FileRecords.ts"
import { FilesRepo } from "./FilesRepo.ts"
import * as FileState from "./FileState.ts"
import { LastingLinks } from "./LastingLinks.ts"
import * as StoredFile from "./StoredFile.ts"

type File = StoredFile.StoredFile

/** How often a call that waits for a move looks whether it has ended. */
const pollInterval = Duration.millis(500)

/** Storage is asked to remove a public object this often before the call fails. */
const removalRetries = { schedule: Schedule.exponential("200 millis"), times: 3 }

export class FileAccess extends Context.Service<FileAccess, {
  /**
   * Makes a private file public and a public one private, in trash or not, and
   * returns its record as it now is. Links that were given out work without
   * a break: signed ones until they lapse, the public one until the file is
   * private. When a file has become private, its public object is gone. The picture it is shown by goes with it.
   *
   * A file too large for one copy becomes public in the background; its record
   * shows how far that is (`accessMove`). Becoming private, the call waits for
   * it. Toggling again meanwhile cancels the move. In trash a file becomes public or private in its record alone: its
   * link works once it is restored. Of calls at the same
   * time each takes effect, one after the other.
   *
   * Fails with `NotFound`; with `Unavailable` when storage does not answer.
   * Where that was in removing the public object, the file is private, the
   * removal continues in the background, and toggling again before it has ended waits for it.
   *
   * Spec: `/toggle-file-access`; "States and transitions", File.
   */
  readonly toggle: (
    id: FileId
  ) => Effect.Effect<FileRecord, InvalidField | NotFound | Refused | Unavailable, CurrentAccount>
}>()("@filedrive/core/files/FileAccess") {
  static readonly layerNoDeps = Layer.effect(
    FileAccess,
    Effect.gen(function*() {
      const files = yield* FilesRepo
      const copies = yield* FileCopies
      const moves = yield* BucketTransfers
      const links = yield* LastingLinks
      const records = yield* FileRecords
      const bucketSwitch = yield* BucketSwitch
      const deletions = yield* PendingDeletions
      const strays = yield* StrayLinks
      const transaction = yield* AccountTransaction
      const store = yield* ObjectStore

      const get = Effect.fnUntraced(function*(id: FileId) {
        const { id: accountId, limits } = yield* CurrentAccount
        const found = yield* files.find(accountId, limits, id)
        if (Option.isNone(found)) return yield* new NotFound({ resource: "file", id })
        return found.value
      })

      /** Removes public objects that are due, or fails. */
      const removePublic = (file: File, objects: ReadonlyArray<PendingDeletion>) =>
        deletions.removeNow(file.accountId, objects).pipe(
          Effect.filterOrFail((allGone) => allGone, () =>
            new Unavailable({
              code: "storage_unavailable",
              cause: new Error("storage did not confirm that the public object is gone")
            })),
          Effect.retry(removalRetries)
        )

      /** Begins a move in parts; false when the file changed meanwhile. */
      const begin = (file: File) =>
        transaction.run(file.accountId, () =>
          Effect.gen(function*() {
            if (!StoredFile.isSame(file, yield* get(file.id))) return false
            yield* moves.begin(file)
            return true
          }))

      const callOff = Effect.fnUntraced(function*(file: File) {
        const left = yield* transaction.run(file.accountId, () =>
          Effect.gen(function*() {
            if (!StoredFile.isSame(file, yield* get(file.id))) return null
            // Public again, and in trash: its link must not work.
            if (file.isPublic && file.trashTime !== null) yield* links.enqueue(file.accountId)
            if (!file.isPublic) yield* strays.follow(file.accountId, files.keysOf(file.accountId, [file.id]))
            return yield* moves.callOff(file.accountId, [file.id])
          }))
        if (left === null) return false
        yield* deletions.removeNow(file.accountId, left)
        return true
      })

      const finishRemoval = Effect.fnUntraced(function*(file: File) {
        const left = yield* deletions.due(file.accountId, file.id, "public")
        if (left.length > 0) yield* removePublic(file, left)
        return left.length > 0
      })

      const waitUntilPrivate = Effect.fnUntraced(function*(file: File) {
        yield* moves.isMoving(file.accountId, file.id).pipe(
          Effect.repeat({ while: (isMoving) => isMoving, schedule: Schedule.spaced(pollInterval) })
        )
        yield* finishRemoval(file)
      })

      /** A public file that is in trash, or still on its way back from there, becomes private: its bytes are already. */
      const dropLink = Effect.fnUntraced(function*(file: File) {
        const left = yield* transaction.run(file.accountId, () =>
          Effect.gen(function*() {
            if (!StoredFile.isSame(file, yield* get(file.id))) return null
            yield* files.dropLink(file)
            yield* strays.follow(file.accountId, files.keysOf(file.accountId, [file.id]))
            return yield* moves.callOff(file.accountId, [file.id])
          }))
        if (left === null) return false
        yield* deletions.removeNow(file.accountId, left)
        yield* finishRemoval(file)
        return true
      })

      /** A private file in trash becomes public: its bytes follow once it is restored. */
      const keepLink = Effect.fnUntraced(function*(file: File) {
        const { key } = yield* bucketSwitch.target(file)
        return yield* transaction.run(file.accountId, () =>
          Effect.gen(function*() {
            if (!StoredFile.isSame(file, yield* get(file.id))) return false
            yield* files.keepLink(file, key)
            return true
          }))
      })

      /** A large public file that is being moved out of the public bucket, because it is in trash, becomes private by the same move. */
      const dropMovesLink = (file: File) =>
        transaction.run(file.accountId, () =>
          Effect.gen(function*() {
            const move = yield* moves.find(file.accountId, file.id)
            if (Option.isNone(move) || !move.value.keepsLink) return false
            yield* moves.dropLink(file.accountId, file.id)
            return true
          }))

      const accessOf = Effect.fnUntraced(function*(file: File) {
        const { accountId, id, moveToPublic: toPublic } = file
        if (toPublic === null) return FileState.accessOf(file, null)
        const move = yield* moves.find(accountId, id)
        return FileState.accessOf(file, { toPublic, keepsLink: Option.exists(move, ({ keepsLink }) => keepsLink) })
      })

      /** One attempt at toggling from `access` to `next`; false when somebody else changed the file meanwhile. */
      const attempt = Effect.fnUntraced(function*(file: File, access: FileState.Access, next: FileState.Access) {
        if (access === "private" && (yield* finishRemoval(file))) return true
        switch (access) {
          case "withheld":
          case "returning":
            return yield* dropLink(file)
          case "toPublic":
          case "toPrivate":
            return yield* callOff(file)
          case "withholding":
            if (!(yield* dropMovesLink(file))) return false
            yield* waitUntilPrivate(file)
            return true
          case "private":
            if (next === "withheld") return yield* keepLink(file)
            return next === "toPublic" ? yield* begin(file) : yield* copies.across(file, false)
          case "public":
            if (next === "private") {
              if (!(yield* copies.across(file, false))) return false
              yield* finishRemoval(file)
              return true
            }
            if (!(yield* begin(file))) return false
            yield* waitUntilPrivate(file)
            return true
        }
      })

      const toggle = Effect.fn("FileAccess.toggle")(function*(id: FileId) {
        yield* allowed("share")
        for (let isDone = false; !isDone;) {
          const file = yield* get(id)
          const access = yield* accessOf(file)
          const inOneCopy = file.sizeBytes <= store.singleUploadMaxBytes
          const toggled = FileState.AccessEvent.Toggled({ inOneCopy, isTrashed: file.trashTime !== null })
          const next = FileState.next(access, toggled)
          const work = attempt(file, access, next)
          isDone = yield* FileState.closes(next) ? WritePurpose.freeing(work) : work
          if (!isDone) yield* Effect.yieldNow
        }
        return yield* records.one(yield* get(id), "owner")
      })

      return FileAccess.of({ toggle })
    })
  )
}
