/**
 * Records stored bytes as a file. Spec: `/insert-file`.
 *
 * A one-piece upload is copied from where its form may still write to a key no
 * form was signed for, and the copy is the file's object. The copy is
 * listed for deletion before it is made and taken off the list in the transaction that records
 * it, so a crash at any point leaves neither a file without bytes nor bytes
 * without a file.
 */
import { Context, DateTime, Effect, Layer, Option, Result } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, CurrentAccount, isSameLimits, type Limits, unlimited } from "../accounts/CurrentAccount.ts"
import * as Plan from "../accounts/Plan.ts"
import { Quota } from "../accounts/Quota.ts"
import { FileBatches } from "../files/FileBatches.ts"
import { Files } from "../files/Files.ts"
import type { CheckedKeyHolder, NewFile } from "../files/NewFile.ts"
import * as ObjectKey from "../files/ObjectKey.ts"
import { NewObjects } from "../objects/NewObjects.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import * as PendingDeletion from "../objects/PendingDeletion.ts"
import { adoptionLifetime, PendingDeletions } from "../objects/PendingDeletions.ts"
import { type Account, Accounts } from "../ports/Accounts.ts"
import { MediaKinds } from "../ports/MediaKinds.ts"
import { type ObjectAddress, ObjectStore, type StoredObject } from "../ports/ObjectStore.ts"
import { type InvalidField, Refused, type Unavailable } from "../shared/DriveError.ts"
import type { FileId } from "../shared/Ids.ts"
import { type Claim, objectKeyTaken } from "./Admission.ts"
import * as Delivery from "./Delivery.ts"
import type { FileInsert } from "./FileInput.ts"
import type { OpenForm, StoredForm } from "./Form.ts"
import { addressOf as formAddress, FormEnds } from "./FormEnds.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { objectNotFound, otherSize, sizeMismatch } from "./InsertRefusals.ts"
import { IssuedForms } from "./IssuedForms.ts"
import * as StoredKind from "./StoredKind.ts"
import { addressOf, type Upload } from "./Upload.ts"
import { makeEnds } from "./UploadEnds.ts"
import { UploadsRepo } from "./UploadsRepo.ts"

/** A file that was recorded, by this call or an earlier one. */
export interface Inserted {
  readonly id: FileId
  /** Its name by now. */
  readonly fileName: string
}

/** A copy of what was uploaded with a form; it becomes the object of a file. */
interface Arrival {
  readonly file: Omit<NewFile, "folderId" | "addedPermissions"> & { readonly objectKey: ObjectKey.ObjectKey }
  readonly form: OpenForm
  readonly limits: Limits
  readonly delivery: Delivery.Delivery | undefined
}

/**
 * The file that was made of an arrival; none when another call was faster. The closed forms, and what storage has of uploads in parts
 * under the keys of the files, are to be removed after the commit.
 */
interface Adopted {
  readonly file: Inserted | undefined
  /** Whether the copy is the object of that file; another call may have made the file. */
  readonly isAdopted: boolean
  readonly closed: ReadonlyArray<StoredForm>
  readonly left: ReadonlyArray<PendingDeletion.PendingDeletion>
}

/** The file that already has the key, if it is the described one. */
const fileOf = (sizeBytes: number, holder: CheckedKeyHolder): Result.Result<Inserted, InvalidField> =>
  !holder.isWithin
    ? Result.fail(objectKeyTaken())
    : holder.sizeBytes === sizeBytes
    ? Result.succeed({ id: holder.id, fileName: holder.fileName })
    : Result.fail(sizeMismatch("the file of this key has another size"))

export class Inserts extends Context.Service<Inserts, {
  /**
   * Records stored bytes as a private file of the caller's and returns its id and name.
   * Safe to repeat and to race: one key makes one file, charged once.
   *
   * Fails with `InvalidField`: `object_not_found` before the bytes are stored,
   * `size_mismatch`, `object_key_taken` where the call's limits leave out the file or upload of the key; with `Refused` for another user's key or creator.
   * A sender's file lands where the rules of its request say, and fails as they do.
   * Spec: `/insert-file`.
   */
  readonly insert: (
    file: FileInsert,
    delivery?: Delivery.Delivery
  ) => Effect.Effect<Inserted, InvalidField | Refused | Unavailable, CurrentAccount>
}>()("@filedrive/core/uploads/Inserts") {
  static readonly layerNoDeps = Layer.effect(
    Inserts,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const batches = yield* FileBatches
      const deletions = yield* PendingDeletions
      const ends = yield* FormEnds
      const files = yield* Files
      const forms = yield* FormsRepo
      const issuedForms = yield* IssuedForms
      const kinds = yield* MediaKinds
      const newObjects = yield* NewObjects
      const transaction = yield* AccountTransaction
      const quota = yield* Quota
      const store = yield* ObjectStore
      const uploadEnds = yield* makeEnds
      const uploads = yield* UploadsRepo

      /** The file that the key already has, if it is the one described. */
      const existing = Effect.fnUntraced(function*(account: Account, file: FileInsert) {
        const { limits } = yield* CurrentAccount
        const [found] = yield* files.findHolders(account.id, limits, [file.objectKey])
        return found === undefined ? undefined : yield* Effect.fromResult(fileOf(file.fileSize, found))
      })

      /** The file that is recorded, but for its folder and who may add it. */
      const newFile = Effect.fnUntraced(
        function*(account: Account, file: FileInsert, at: ObjectAddress, stored: StoredObject) {
          const kind = yield* StoredKind.of(kinds, store, at, file)
          return {
            accountId: account.id,
            objectKey: file.objectKey,
            storeKey: at.key,
            etag: stored.etag,
            fileName: file.fileName,
            ...kind,
            sizeBytes: stored.sizeBytes
          }
        }
      )

      const insertUpload = Effect.fnUntraced(function*(
        account: Account,
        file: FileInsert,
        upload: Upload,
        delivery: Delivery.Delivery | undefined
      ) {
        if (upload.sizeBytes !== file.fileSize) return yield* otherSize(upload.sizeBytes)
        const at = addressOf(upload)
        const stored = yield* store.head(at)
        if (Option.isNone(stored)) return yield* objectNotFound()
        const described = yield* newFile(account, file, at, stored.value)
        const { closed, recorded } = yield* transaction.share(account.id, () =>
          Effect.gen(function*() {
            const there = yield* existing(account, file)
            if (there !== undefined) return { recorded: there, closed: [] }
            const current = Option.getOrUndefined(yield* uploads.find(account.id, upload.id))
            if (current?.state !== "complete") return yield* objectNotFound()
            const folderId = delivery === undefined
              ? current.folderId
              : yield* Effect.fromResult((yield* delivery.rules.places(account.id, [delivery.ids]))[0]!)
            // The upload lists its object for deletion, from which the file adopts it.
            const leftTime = DateTime.addDuration(yield* DateTime.now, adoptionLifetime)
            yield* deletions.schedule(account.id, [PendingDeletion.ofObject(at)], leftTime)
            const id = yield* files.record({
              ...described,
              folderId,
              addedPermissions: current.permissions,
              isDelivered: delivery !== undefined
            })
            yield* uploads.setFile(upload, id)
            if (delivery !== undefined) {
              const { ids, rules } = delivery
              yield* rules.onRecorded(account.id, [
                { ids, fileId: id, fileName: file.fileName, sizeBytes: upload.sizeBytes }
              ])
            }
            // The bytes are reserved since the upload was opened: now they count as used.
            yield* quota.add(account.id, { heldBytes: -current.heldBytes, usedBytes: upload.sizeBytes })
            // A file has the key now, so a form of it is useless.
            const form = yield* forms.findOpen(account.id, [file.objectKey], unlimited)
            const recorded = { id, fileName: file.fileName }
            return { recorded, closed: form.length === 0 ? [] : yield* ends.close(account.id, form) }
          }))
        yield* ends.clearLater(closed)
        return recorded
      })

      /**
       * Makes files of copies of what was uploaded with forms; none where another call was faster. For many together: one statement
       * looks up their keys, one closes their forms, and one records their files.
       */
      const adoptForms = transaction.batch<Arrival, Adopted, InvalidField | Refused | Unavailable, never>({
        // The most files that one transaction records together.
        most: 32,
        keyOf: ({ file }) => file.objectKey,
        isAlike: (one, other) =>
          isSameLimits(one.limits, other.limits) && Delivery.isAlike(one.delivery, other.delivery),
        run: Effect.fnUntraced(function*(accountId, arrivals) {
          const [first] = arrivals as readonly [Arrival]
          const rules = first.delivery?.rules
          const objectKeys = arrivals.map(({ file }) => file.objectKey)
          const [places, holders, uploading, closed] = yield* Effect.all([
            Delivery.placesOf(accountId, arrivals),
            files.findHolders(accountId, first.limits, objectKeys),
            uploads.findCurrent(accountId, objectKeys, unlimited),
            // The bytes were reserved when the form was issued; when the form has ended meanwhile, they no longer are. A form whose file
            // is not taken, because its request was closed, has ended too: it is cleared by the sweep.
            ends.close(accountId, arrivals.map(({ form }) => form))
          ], { concurrency: "unbounded" })
          const holderOf = ({ file }: Arrival) => holders.find(({ objectKey }) => objectKey === file.objectKey)
          const closedOf = ({ form }: Arrival) => closed.filter(({ id }) => id === form.id)
          const adopting = arrivals.filter((arrival, at) =>
            Result.isSuccess(places[at]!) && holderOf(arrival) === undefined && closedOf(arrival).length > 0
          )
          const ids = adopting.length === 0 ? [] : yield* batches.recordNew(
            accountId,
            adopting.map((arrival) => ({
              ...arrival.file,
              folderId: Result.getOrThrow(places[arrivals.indexOf(arrival)]!),
              addedPermissions: arrival.form.permissions,
              isDelivered: rules !== undefined
            }))
          )
          const idOf = new Map(adopting.map((arrival, at) => [arrival, ids[at]]))
          if (rules !== undefined && adopting.length > 0) {
            yield* rules.onRecorded(
              accountId,
              adopting.map(({ delivery, file }, at) => ({
                ids: delivery!.ids,
                fileId: ids[at]!,
                fileName: file.fileName,
                sizeBytes: file.sizeBytes
              }))
            )
          }
          yield* quota.add(accountId, { usedBytes: adopting.reduce((sum, { file }) => sum + file.sizeBytes, 0) })
          // A file has the key now, so an upload in parts of it is useless.
          const adopted = new Set<string>(adopting.map(({ file }) => file.objectKey))
          const left = yield* uploadEnds.supersede(
            accountId,
            uploading.filter(({ objectKey }) => adopted.has(objectKey))
          )
          return arrivals.map((arrival, at) => {
            const place = places[at]!
            if (Result.isFailure(place)) return Result.fail(place.failure)
            const [closed, holder, own] = [closedOf(arrival), holderOf(arrival), idOf.get(arrival)]
            return holder === undefined
              ? Result.succeed({
                file: own === undefined ? undefined : { id: own, fileName: arrival.file.fileName },
                isAdopted: own !== undefined,
                closed,
                left: arrival === adopting[0] ? left : []
              })
              : Result.map(
                fileOf(arrival.file.sizeBytes, holder),
                (file) => ({ file, isAdopted: false, closed, left: [] })
              )
          })
        })
      })

      const adoptForm = Effect.fnUntraced(
        function*(
          account: Account,
          file: FileInsert,
          { delivery, form }: Pick<Arrival, "delivery" | "form">,
          at: ObjectAddress,
          copied: StoredObject
        ) {
          // Bytes that were replaced between the check and the copy are noticed here.
          if (copied.sizeBytes !== file.fileSize) return yield* otherSize(copied.sizeBytes)
          const { limits } = yield* CurrentAccount
          return yield* adoptForms(account.id, {
            file: yield* newFile(account, file, at, copied),
            form,
            limits,
            delivery
          })
        }
      )

      const insertForm = Effect.fnUntraced(function*(
        account: Account,
        file: FileInsert,
        form: OpenForm,
        delivery: Delivery.Delivery | undefined
      ) {
        const incoming = formAddress(form)
        const arrived = Option.getOrUndefined(yield* store.head(incoming))
        if (arrived === undefined) return yield* objectNotFound()
        if (arrived.sizeBytes !== file.fileSize) return yield* otherSize(arrived.sizeBytes)
        const { closed, file: recorded, left } = yield* newObjects.makeForFile(account.id, (at) => ({
          create: store.copy(incoming, at, ObjectHeaders.of(file, "private")).pipe(
            Effect.flatMap((copied) => Option.isSome(copied) ? Effect.succeed(copied.value) : objectNotFound())
          ),
          adopt: (copied: StoredObject) => adoptForm(account, file, { form, delivery }, at, copied),
          isAdopted: ({ isAdopted }: Adopted) => isAdopted
        }))
        yield* ends.clearLater(closed)
        if (left.length > 0) yield* deletions.removeNow(account.id, left)
        return recorded ?? (yield* objectNotFound())
      })

      /** Makes a file of bytes that were not a file when this call began. */
      const fresh = Effect.fnUntraced(function*(
        account: Account,
        file: FileInsert,
        { form, upload }: Claim,
        delivery: Delivery.Delivery | undefined
      ) {
        if (form?.isWithin === false || upload?.isWithin === false) return yield* objectKeyTaken()
        if (upload?.state === "complete") return yield* insertUpload(account, file, upload, delivery)
        return form === undefined ? yield* objectNotFound() : yield* insertForm(account, file, form, delivery)
      })

      /** The file of a key of which this process knows nothing. */
      const lookUp = Effect.fnUntraced(function*(
        account: Account,
        file: FileInsert,
        limits: Limits,
        delivery: Delivery.Delivery | undefined
      ) {
        // This is read outside of a transaction, and checked again in the one that records the file.
        const [there, [form], [upload]] = yield* Effect.all([
          existing(account, file),
          forms.findOpen(account.id, [file.objectKey], limits),
          uploads.findCurrent(account.id, [file.objectKey], limits)
        ], { concurrency: "unbounded" })
        if (there !== undefined) return there
        return yield* fresh(account, file, { form, upload }, delivery).pipe(
          // Another call may have been faster: it took the uploaded bytes, and the room they need.
          Effect.catchTag(
            "InvalidField",
            (refusal) =>
              existing(account, file).pipe(
                Effect.flatMap((there) => there === undefined ? Effect.fail(refusal) : Effect.succeed(there))
              )
          )
        )
      })

      const insert = Effect.fn("Inserts.insert")(function*(file: FileInsert, delivery?: Delivery.Delivery) {
        const { id: accountId } = yield* allowed("add")
        const account = yield* Plan.storing(accounts, accountId)
        yield* Effect.fromResult(ObjectKey.owned(file.objectKey, accountId))
        if (file.creator !== undefined && file.creator.id !== accountId) {
          return yield* new Refused({ code: "not_allowed", because: "creator.id must be the session's own user." })
        }
        const { limits } = yield* CurrentAccount
        const issued = issuedForms.find(accountId, file.objectKey, limits)
        if (issued === undefined) return yield* lookUp(account, file, limits, delivery)
        return yield* Effect.catchTag(
          insertForm(account, file, issued, delivery),
          "InvalidField",
          () => lookUp(account, file, limits, delivery)
        )
      })

      return Inserts.of({ insert })
    })
  )
}
