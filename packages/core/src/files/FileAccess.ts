/** Who can open a file: its owner, or anyone with its lasting link. */
import { Context, Duration, Effect, Layer, Option, Schedule } from "effect"
import { allowed, CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Ledger } from "../accounts/Ledger.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { NotFound, type Refused, Unavailable } from "../shared/DriveError.ts"
import type { FileId } from "../shared/Ids.ts"
import { type DoomedObject, DoomedObjects } from "./DoomedObjects.ts"
import { FileMoves } from "./FileMoves.ts"
import type { FileRecord } from "./FileRecord.ts"
import { FileRecords } from "./FileRecords.ts"
import { FilesRepo } from "./FilesRepo.ts"
import * as FileState from "./FileState.ts"
import * as ObjectHeaders from "./ObjectHeaders.ts"
import { PublicHeaders } from "./PublicHeaders.ts"
import { Relocation } from "./Relocation.ts"
import * as StoredFile from "./StoredFile.ts"

type File = StoredFile.StoredFile

/** How often a call that waits for a move looks whether it has ended. */
const pollInterval = Duration.millis(500)

/** Storage is asked to remove a public object this often before the call fails. */
const removalRetries = { schedule: Schedule.exponential("200 millis"), times: 3 }

export class FileAccess extends Context.Service<FileAccess, {
  /**
   * Makes a private file public and a public one private, in trash or not, and
   * answers its record as it now stands. Links that were given out work without
   * a break: signed ones until they lapse, the public one until the file is
   * private. When a file has become private, its public object is gone. The picture it is shown by goes with it.
   *
   * A file too large for one copy becomes public in the background; its record
   * shows how far that is (`accessMove`). Becoming private, the call waits for
   * it. Toggling again meanwhile calls the move off. Of calls at the same
   * time each takes effect, one after the other.
   *
   * Fails with `NotFound`; with `Unavailable` when storage does not answer.
   * Where that was in removing the public object, the file is private, the
   * removal goes on by itself, and toggling again before it has ended waits for it.
   *
   * Spec: `/toggle-file-access`; "States and transitions", File.
   */
  readonly toggle: (
    id: FileId
  ) => Effect.Effect<FileRecord, NotFound | Refused | Unavailable, CurrentAccount>
}>()("@filedrive/core/files/FileAccess") {
  static readonly layerNoDeps = Layer.effect(
    FileAccess,
    Effect.gen(function*() {
      const files = yield* FilesRepo
      const moves = yield* FileMoves
      const records = yield* FileRecords
      const relocation = yield* Relocation
      const headers = yield* PublicHeaders
      const doomed = yield* DoomedObjects
      const ledger = yield* Ledger
      const store = yield* ObjectStore

      const get = Effect.fnUntraced(function*(id: FileId) {
        const { id: accountId, limits } = yield* CurrentAccount
        const found = yield* files.find(accountId, limits, id)
        if (Option.isNone(found)) return yield* new NotFound({ resource: "file", id })
        return found.value
      })

      /** Removes public objects that are due, or fails. */
      const removePublic = (file: File, objects: ReadonlyArray<DoomedObject>) =>
        doomed.removeNow(file.accountId, objects).pipe(
          Effect.filterOrFail((allGone) => allGone, () =>
            new Unavailable({
              code: "storage_unavailable",
              cause: new Error("storage did not confirm that the public object is gone")
            })),
          Effect.retry(removalRetries)
        )

      const isSame = (a: File, b: File) =>
        a.isPublic === b.isPublic && a.storeKey === b.storeKey && a.etag === b.etag && a.moveToPublic === b.moveToPublic

      /** Copies the file in one step; false when it changed meanwhile. */
      const copyAcross = Effect.fnUntraced(function*(file: File) {
        const to = yield* relocation.target(file)
        yield* relocation.announce(file, to)
        const copied = yield* store.copy(StoredFile.address(file), to, ObjectHeaders.of(file, to.bucket))
        if (Option.isNone(copied)) {
          if (!isSame(file, yield* get(file.id))) return false
          return yield* new Unavailable({
            code: "storage_unavailable",
            cause: new Error(`the object ${file.storeKey} is not there`),
            isLost: true
          })
        }
        if (copied.value.sizeBytes !== file.sizeBytes) {
          return yield* new Unavailable({
            code: "storage_unavailable",
            cause: new Error(`the copy at ${to.key} has ${copied.value.sizeBytes} bytes, not ${file.sizeBytes}`)
          })
        }
        const { copy, outcome } = yield* relocation.withPicture(
          file,
          (copy) =>
            ledger.locked(file.accountId, () =>
              Effect.gen(function*() {
                const outcome = yield* relocation.adopt(file, to, copied.value, copy)
                if (outcome === "adopted" && to.bucket === "public") {
                  const { fileName, mimeType } = yield* get(file.id)
                  if (fileName !== file.fileName || mimeType !== file.mimeType) yield* headers.enqueue(to.key)
                }
                return outcome
              }))
        )
        const made = copy === null ? [to] : [to, copy.to]
        const former = copy === null ? [file] : [file, copy.picture]
        if (outcome === "overtaken") {
          yield* doomed.removeNow(file.accountId, made.map(({ bucket, key }) => ({ bucket, storeKey: key })))
        } else if (file.isPublic) {
          yield* removePublic(file, former.map(({ storeKey }) => ({ bucket: "public", storeKey })))
        }
        return outcome === "adopted"
      })

      /** Begins a move in parts; false when the file changed meanwhile. */
      const begin = (file: File) =>
        ledger.locked(file.accountId, () =>
          Effect.gen(function*() {
            if (!isSame(file, yield* get(file.id))) return false
            yield* moves.begin(file)
            return true
          }))

      const callOff = Effect.fnUntraced(function*(file: File) {
        const left = yield* ledger.locked(file.accountId, () =>
          Effect.gen(function*() {
            if (!isSame(file, yield* get(file.id))) return null
            return yield* moves.callOff(file.accountId, [file.id])
          }))
        if (left === null) return false
        yield* doomed.removeNow(file.accountId, left)
        return true
      })

      const finishRemoval = Effect.fnUntraced(function*(file: File) {
        const left = yield* doomed.due(file.accountId, file.id, "public")
        if (left.length > 0) yield* removePublic(file, left)
        return left.length > 0
      })

      const waitUntilPrivate = Effect.fnUntraced(function*(file: File) {
        yield* moves.isMoving(file.accountId, file.id).pipe(
          Effect.repeat({ while: (isMoving) => isMoving, schedule: Schedule.spaced(pollInterval) })
        )
        yield* finishRemoval(file)
      })

      /** One attempt at toggling; false when somebody else changed the file meanwhile. */
      const attempt = Effect.fnUntraced(function*(file: File) {
        const access = FileState.accessOf(file)
        if (access === "private" && (yield* finishRemoval(file))) return true
        switch (FileState.toggled(access, file.sizeBytes <= store.singleUploadMaxBytes)) {
          case "toPublic":
            return yield* begin(file)
          case "toPrivate":
            if (!(yield* begin(file))) return false
            yield* waitUntilPrivate(file)
            return true
          default:
            return yield* access === "toPublic" || access === "toPrivate" ? callOff(file) : copyAcross(file)
        }
      })

      const toggle = Effect.fn("FileAccess.toggle")(function*(id: FileId) {
        yield* allowed("share")
        while (!(yield* attempt(yield* get(id)))) {
          yield* Effect.yieldNow
        }
        return yield* records.one(yield* get(id), "owner")
      })

      return FileAccess.of({ toggle })
    })
  )
}
