/** Opens an upload, or continues an existing one. Spec: `/create-multipart-upload`. */
import { DateTime, Effect, Option, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { fits } from "../accounts/Balance.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import { credentialEnded } from "../accounts/LiveCredential.ts"
import { Quota } from "../accounts/Quota.ts"
import * as Limits from "../limits/Limits.ts"
import * as MultipartObject from "../objects/MultipartObject.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import type { Account } from "../ports/Accounts.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { InvalidField, Refused } from "../shared/DriveError.ts"
import { defaultMimeType } from "../shared/FileType.ts"
import { UploadId } from "../shared/Ids.ts"
import { Admission, storageLimitReached } from "./Admission.ts"
import type { Delivery, Reservation } from "./Delivery.ts"
import type { FileInput } from "./FileInput.ts"
import * as PartPlan from "./PartPlan.ts"
import { addressOf, type Upload, type UploadToken } from "./Upload.ts"
import type { UploadEnds } from "./UploadEnds.ts"
import { UploadsRepo } from "./UploadsRepo.ts"
import * as UploadState from "./UploadState.ts"
import { type SignedPart, UploadTokens } from "./UploadTokens.ts"

export interface OpenedUpload {
  /** Good for seven days; opening again gives another. */
  readonly token: UploadToken
  readonly id: UploadId
  readonly resumed: boolean
  readonly plan: PartPlan.PartPlan
  readonly stored: ReadonlyArray<PartPlan.PlacedPart>
  /** The first 100 parts that are not stored yet. */
  readonly signed: ReadonlyArray<SignedPart>
  /** When the signed URLs stop working. */
  readonly expireTime: DateTime.Utc
}

const tooManyUploads = new Refused({
  code: "too_many_forms",
  because: `${Limits.openUploadsMaxCount} uploads of this account are open; insert or abort some of them first.`
})

export const makeOpen = Effect.fnUntraced(function*(ends: UploadEnds) {
  const admission = yield* Admission
  const transaction = yield* AccountTransaction
  const quota = yield* Quota
  const random = yield* SecureRandom.SecureRandom
  const repo = yield* UploadsRepo
  const multipart = yield* MultipartObject.make
  const store = yield* ObjectStore
  const tokens = yield* UploadTokens

  const answer = Effect.fnUntraced(function*(
    upload: Upload,
    token: UploadToken,
    resumed: boolean,
    stored: ReadonlyArray<PartPlan.PlacedPart>
  ) {
    const plan = PartPlan.make(upload.sizeBytes)
    const open = PartPlan.missing(plan, stored, Limits.signedPartsAtOpenCount)
    const { expireTime, parts } = yield* tokens.sign(upload, plan, open)
    return { token, id: upload.id, resumed, plan, stored, signed: parts, expireTime } satisfies OpenedUpload
  })

  /** The upload and its parts as storage has them; none when storage has neither parts nor object. */
  const look = Effect.fnUntraced(function*(upload: Upload) {
    const whole = { ...upload, state: "complete", stored: plannedParts(PartPlan.make(upload.sizeBytes)) } as const
    if (upload.state === "complete") return whole
    const stored = yield* multipart.inspect(addressOf(upload), upload.storageId)
    if (stored._tag === "Parts") return { ...upload, stored: stored.parts }
    // A call that made the object may have ended before it recorded it.
    const isMade = stored._tag === "Object" && stored.object.sizeBytes === upload.sizeBytes
    return isMade && (yield* ends.complete(upload)) ? whole : undefined
  })

  /** Continues `upload` for `file`; none when it had to be discarded, or has changed meanwhile. */
  const resume = Effect.fnUntraced(function*(
    read: Upload,
    file: FileInput,
    quotaBytes: number | null,
    delivery: Delivery | undefined
  ) {
    const upload = yield* look(read)
    const plan = PartPlan.make(file.fileSize)
    if (upload === undefined || isGone(upload, plan)) {
      yield* ends.discard(upload ?? read)
      return Option.none()
    }
    // Beyond what it holds already it takes room like a new one. Asked outside the transaction, which waits for no storage.
    const growth = PartPlan.cover(upload.heldBytes, file.fileSize) - upload.heldBytes
    if (growth > 0) yield* store.room(growth)
    const description = { ...describe(file), sizeBytes: file.fileSize }
    const token = yield* transaction.share(upload.accountId, (balance) =>
      Effect.gen(function*() {
        const current = yield* repo.find(upload.accountId, upload.id)
        if (Option.isNone(current) || current.value.state !== upload.state || current.value.fileId !== null) {
          return undefined
        }
        // URLs for the former sizes stay valid, so what they can store stays reserved.
        const heldBytes = PartPlan.cover(current.value.heldBytes, file.fileSize)
        const more = heldBytes - current.value.heldBytes
        if (more > 0 && !fits(balance, quotaBytes, more)) return yield* storageLimitReached()
        if (delivery !== undefined) {
          yield* takeRoom({ id: upload.accountId, quotaBytes }, delivery, { opens: null, moreBytes: more })
        }
        yield* repo.redescribe(upload, { ...description, heldBytes })
        yield* quota.add(upload.accountId, { heldBytes: more })
        return yield* tokens.give(upload.id)
      }))
    return token === undefined
      ? Option.none()
      : Option.some(yield* answer({ ...upload, ...description }, token, true, upload.stored))
  })

  const openNew = Effect.fnUntraced(function*(
    account: Account,
    file: FileInput,
    { limits, tokenId }: CurrentAccount["Service"],
    delivery: Delivery | undefined
  ) {
    yield* admission.room(account, file.fileSize)
    const { id: accountId, quotaBytes } = account
    const id = UploadId.make(yield* random.uuidV7())
    const at = StoreKey.inPrivate(StoreKey.make("uploads", accountId, id))
    const storageId = yield* store.createUpload(at, ObjectHeaders.of(file, "private"))
    const upload: Upload = {
      id,
      accountId,
      objectKey: file.objectKey,
      storeKey: at.key,
      storageId,
      state: "open",
      ...describe(file),
      sizeBytes: file.fileSize,
      heldBytes: file.fileSize,
      lastPartTime: yield* DateTime.now,
      partsMark: null,
      fileId: null,
      deliveredTo: delivery?.ids ?? null,
      ...limits,
      isWithin: true
    }
    const token = yield* transaction.share(accountId, (balance) =>
      Effect.gen(function*() {
        const { upload: other } = yield* admission.claim(accountId, file.objectKey, limits)
        // Another call was faster: continue its upload instead.
        if (other !== undefined) return undefined
        if (!fits(balance, quotaBytes, file.fileSize)) return yield* storageLimitReached()
        if (delivery !== undefined) {
          yield* takeRoom(account, delivery, { opens: "upload", moreBytes: file.fileSize })
        } else {
          const { count, isLive } = yield* repo.countCurrent(accountId, tokenId, yield* DateTime.now)
          if (!isLive) return yield* credentialEnded()
          if (count >= Limits.openUploadsMaxCount) return yield* tooManyUploads
        }
        yield* repo.insert(upload, tokenId)
        yield* quota.add(accountId, { heldBytes: file.fileSize })
        return yield* tokens.give(id)
      })).pipe(
        // The upload that was opened in storage is aborted unless its row was written.
        Effect.onExit((exit) =>
          exit._tag === "Success" && exit.value !== undefined
            ? Effect.void
            : Effect.ignore(store.abortUpload(at, storageId))
        )
      )
    return token === undefined ? Option.none() : Option.some(yield* answer(upload, token, false, []))
  })

  return Effect.fn("Uploads.open")(function*(file: FileInput, delivery?: Delivery) {
    const caller = yield* allowed("add")
    const { id: accountId, limits } = caller
    if (file.fileSize === 0) {
      return yield* new InvalidField({
        code: "invalid_field",
        field: "fileSize",
        because: "an empty file has no parts; send it with a form instead"
      })
    }
    const account = yield* admission.admit(accountId, file.objectKey)
    while (true) {
      const { upload } = yield* admission.claim(accountId, file.objectKey, limits)
      const opened = upload === undefined
        ? yield* openNew(account, file, caller, delivery)
        : yield* resume(upload, file, account.quotaBytes, delivery)
      if (Option.isSome(opened)) return opened.value
    }
  })
})

/** Fails when the request of a delivery has no room for it. Under the account's lock. */
const takeRoom = (
  { id, quotaBytes }: Pick<Account, "id" | "quotaBytes">,
  { ids, rules }: Delivery,
  reservation: Reservation
) => Effect.flatMap(rules.room(id, [ids], quotaBytes), (room) => Effect.fromResult(room.take(ids, reservation)))

const describe = (file: FileInput) => ({
  fileName: file.fileName,
  type: file.type,
  mimeType: file.mimeType ?? defaultMimeType
})

const plannedParts = (plan: PartPlan.PartPlan): ReadonlyArray<PartPlan.PlacedPart> =>
  Array.from({ length: plan.partCount }, (_, i) => ({ partNumber: i + 1, sizeBytes: PartPlan.partLength(plan, i + 1) }))

const isGone = (
  { state, stored }: Pick<Upload, "state"> & { readonly stored: ReadonlyArray<PartPlan.PlacedPart> },
  plan: PartPlan.PartPlan
): boolean => Result.getOrThrow(UploadState.next(state, { _tag: "Opened", plan, stored })) === "gone"
