/**
 * Recording stored bytes as a file. Spec: `/insert-file`.
 *
 * A one-piece upload is copied from where its form may still write to a key no
 * form was signed for, and the copy is what the file records. The copy is
 * listed as doomed before it is made and spared in the transaction that records
 * it, so a crash at any point leaves neither a file without bytes nor bytes
 * without a file.
 */
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { allowed, CurrentAccount } from "../accounts/CurrentAccount.ts"
import { fits, Ledger } from "../accounts/Ledger.ts"
import * as Plan from "../accounts/Plan.ts"
import { adoptionLifetime, DoomedObjects } from "../files/DoomedObjects.ts"
import { Files } from "../files/Files.ts"
import * as FoundKind from "../files/FoundKind.ts"
import { type Account, Accounts } from "../ports/Accounts.ts"
import { headBytes, MediaKinds } from "../ports/MediaKinds.ts"
import { type ObjectAddress, ObjectStore, type StoredObject } from "../ports/ObjectStore.ts"
import { InvalidField, Refused, type Unavailable } from "../shared/DriveError.ts"
import type { FileId } from "../shared/Ids.ts"
import { storageLimitReached } from "./Admission.ts"
import { defaultMimeType, type FileInsert } from "./FileInput.ts"
import { FormsRepo } from "./FormsRepo.ts"
import * as ObjectKey from "./ObjectKey.ts"
import * as StoreKey from "./StoreKey.ts"
import { addressOf, type Upload } from "./Upload.ts"
import { UploadsRepo } from "./UploadsRepo.ts"

/** When an object that no file adopts is removed. */
const leftTime = (now: DateTime.Utc): DateTime.Utc => DateTime.addDuration(now, adoptionLifetime)

/** Forms of one object key that are looked at for its bytes, newest first. */
const formsPerKey = 20

const sizeMismatch = (storedBytes: number) =>
  new InvalidField({ code: "size_mismatch", field: "fileSize", because: `${storedBytes} bytes are stored` })

const objectNotFound = () =>
  new InvalidField({
    code: "object_not_found",
    field: "objectKey",
    because: "no bytes are stored under this key yet; send them first, and complete an upload in parts"
  })

export class Inserts extends Context.Service<Inserts, {
  /**
   * Records stored bytes as a private file of the caller's and answers its id.
   * Safe to repeat and to race: one key makes one file, charged once.
   *
   * Fails with `InvalidField`: `object_not_found` before the bytes are stored,
   * `size_mismatch`, `storage_limit_reached`; with `Refused` for another user's key or creator.
   * Spec: `/insert-file`.
   */
  readonly insert: (
    file: FileInsert
  ) => Effect.Effect<FileId, InvalidField | Refused | Unavailable, CurrentAccount>
}>()("@filedrive/core/uploads/Inserts") {
  static readonly layerNoDeps = Layer.effect(
    Inserts,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const doomed = yield* DoomedObjects
      const files = yield* Files
      const forms = yield* FormsRepo
      const kinds = yield* MediaKinds
      const ledger = yield* Ledger
      const random = yield* SecureRandom.SecureRandom
      const store = yield* ObjectStore
      const uploads = yield* UploadsRepo

      /** What the bytes are, by themselves; the sender's word where they do not tell. */
      const kindOf = Effect.fnUntraced(function*(at: ObjectAddress, file: FileInsert) {
        const declared = { type: file.type, mimeType: file.mimeType ?? defaultMimeType }
        const head = file.fileSize === 0
          ? new Uint8Array(0)
          : yield* store.get(at, { start: 0, end: Math.min(headBytes, file.fileSize) - 1 }).pipe(
            Stream.runFold((): Uint8Array => new Uint8Array(0), concat)
          )
        return yield* FoundKind.of(kinds, head, declared)
      })

      /** The file a key has already become, if it is the one described. */
      const recorded = Effect.fnUntraced(function*(account: Account, file: FileInsert) {
        const found = Option.getOrUndefined(yield* files.findByObjectKey(account.id, file.objectKey))
        if (found === undefined) return undefined
        return found.sizeBytes === file.fileSize ? found.id : yield* sizeMismatch(found.sizeBytes)
      })

      const record = Effect.fnUntraced(
        function*(account: Account, file: FileInsert, at: ObjectAddress, stored: StoredObject) {
          const { limits } = yield* CurrentAccount
          const kind = yield* kindOf(at, file)
          return {
            accountId: account.id,
            objectKey: file.objectKey,
            storeKey: at.key,
            etag: stored.etag,
            fileName: file.fileName,
            ...kind,
            sizeBytes: stored.sizeBytes,
            // A token that sees one folder only puts its files there.
            folderId: limits.folderId
          }
        }
      )

      const insertUpload = Effect.fnUntraced(function*(account: Account, file: FileInsert, upload: Upload) {
        if (upload.sizeBytes !== file.fileSize) return yield* sizeMismatch(upload.sizeBytes)
        const at = addressOf(upload)
        const stored = yield* store.head(at)
        if (Option.isNone(stored)) return yield* objectNotFound()
        const row = yield* record(account, file, at, stored.value)
        return yield* ledger.locked(account.id, () =>
          Effect.gen(function*() {
            const there = yield* recorded(account, file)
            if (there !== undefined) return there
            const current = Option.getOrUndefined(yield* uploads.find(account.id, upload.id))
            if (current?.state !== "complete") return yield* objectNotFound()
            // The object leaves the upload's hands as one that goes unless a file adopts it.
            yield* doomed.doom(account.id, [{ bucket: at.bucket, storeKey: at.key }], leftTime(yield* DateTime.now))
            const id = yield* files.record(row)
            yield* uploads.setFile(upload, id)
            // The bytes were held since the upload was opened: they only change their name.
            yield* ledger.add(account.id, { heldBytes: -upload.sizeBytes, usedBytes: upload.sizeBytes })
            return id
          }))
      })

      /** Where one of the key's forms has brought the bytes. */
      const arrived = Effect.fnUntraced(function*(account: Account, file: FileInsert) {
        let otherSize: number | undefined
        for (const form of yield* forms.findByObjectKey(account.id, file.objectKey, formsPerKey)) {
          const at: ObjectAddress = { bucket: "private", key: form.storeKey }
          const stored = Option.getOrUndefined(yield* store.head(at))
          if (stored === undefined) continue
          if (stored.sizeBytes === file.fileSize) return at
          otherSize ??= stored.sizeBytes
        }
        return yield* otherSize === undefined ? objectNotFound() : sizeMismatch(otherSize)
      })

      const insertForm = Effect.fnUntraced(function*(account: Account, file: FileInsert) {
        const incoming = yield* arrived(account, file)
        const at = StoreKey.file(account.id, yield* random.uuidV7())
        const target = [{ bucket: at.bucket, storeKey: at.key }]
        const dueTime = leftTime(yield* DateTime.now)
        yield* ledger.locked(account.id, (balance) =>
          fits(balance, account.quotaBytes, file.fileSize)
            ? doomed.doom(account.id, target, dueTime)
            : Effect.fail(storageLimitReached()))
        const copied = yield* store.copy(incoming, at, StoreKey.headers(file))
        if (Option.isNone(copied)) return yield* objectNotFound()
        // Bytes that were replaced between the look and the copy show here.
        if (copied.value.sizeBytes !== file.fileSize) return yield* sizeMismatch(copied.value.sizeBytes)
        const row = yield* record(account, file, at, copied.value)
        const arrival = [{ bucket: incoming.bucket, storeKey: incoming.key }]
        const id = yield* ledger.locked(account.id, (balance) =>
          Effect.gen(function*() {
            const now = yield* DateTime.now
            const there = yield* recorded(account, file)
            if (there !== undefined) {
              // Another call was quicker: this one's copy is nobody's.
              yield* doomed.doom(account.id, target, now)
              return there
            }
            if (!fits(balance, account.quotaBytes, file.fileSize)) return yield* storageLimitReached()
            const id = yield* files.record(row)
            yield* ledger.add(account.id, { usedBytes: file.fileSize })
            yield* doomed.doom(account.id, arrival, now)
            return id
          }))
        yield* doomed.removeNow(account.id, [...arrival, ...target])
        return id
      })

      /** Makes a file of what no file was made of when this call came. */
      const fresh = Effect.fnUntraced(function*(account: Account, file: FileInsert) {
        const upload = Option.getOrUndefined(yield* uploads.findCurrent(account.id, file.objectKey))
        return upload?.state === "complete"
          ? yield* insertUpload(account, file, upload)
          : yield* insertForm(account, file)
      })

      const insert = Effect.fn("Inserts.insert")(function*(file: FileInsert) {
        const { id: accountId } = yield* allowed("add")
        const account = yield* Plan.storing(accounts, accountId)
        yield* Effect.fromResult(ObjectKey.check(file.objectKey, accountId))
        if (file.creator !== undefined && file.creator.id !== accountId) {
          return yield* new Refused({ code: "not_allowed", because: "creator.id must be the session's own user." })
        }
        const there = yield* recorded(account, file)
        if (there !== undefined) return there
        return yield* fresh(account, file).pipe(
          // Another call may have been quicker: it took the bytes from where they arrived, and the room they need.
          Effect.catchTag(
            "InvalidField",
            (refusal) =>
              recorded(account, file).pipe(
                Effect.flatMap((id) => id === undefined ? Effect.fail(refusal) : Effect.succeed(id))
              )
          )
        )
      })

      return Inserts.of({ insert })
    })
  )
}

const concat = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  const all = new Uint8Array(left.length + right.length)
  all.set(left)
  all.set(right, left.length)
  return all
}
