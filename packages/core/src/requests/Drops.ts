/**
 * What a sender does with a file request, without an account: starts a drop, sends files in it, and finishes it. Files go the way of the
 * owner's own uploads, on the owner's behalf. Contract: "File requests and reviews: the public side".
 */
import { Context, DateTime, Effect, Layer, Result } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { CurrentAccount, unlimited } from "../accounts/CurrentAccount.ts"
import * as Plan from "../accounts/Plan.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { ObjectKey } from "../files/ObjectKey.ts"
import * as Limits from "../limits/Limits.ts"
import { LinkCall } from "../links/LinkCall.ts"
import { PublicLinks } from "../links/PublicLinks.ts"
import { Accounts } from "../ports/Accounts.ts"
import type { SignedForm } from "../ports/ObjectStore.ts"
import {
  InvalidField,
  type NotFound,
  type PartsMismatch,
  type RateLimited,
  Refused,
  type Unavailable,
  type UploadNotFound
} from "../shared/DriveError.ts"
import { DropId, type FileId } from "../shared/Ids.ts"
import * as SecretToken from "../shared/SecretToken.ts"
import { withoutOverrides } from "../shared/Text.ts"
import { type DeliveredUpload, Deliveries } from "../uploads/Deliveries.ts"
import type { Delivery } from "../uploads/Delivery.ts"
import { Forms } from "../uploads/Forms.ts"
import { type Inserted, Inserts } from "../uploads/Inserts.ts"
import type { PartNumber } from "../uploads/PartPlan.ts"
import type { UploadToken } from "../uploads/Upload.ts"
import type { OpenedUpload } from "../uploads/UploadOpening.ts"
import { Uploads } from "../uploads/Uploads.ts"
import type { SignedPart } from "../uploads/UploadTokens.ts"
import {
  type Drop,
  type DropFile,
  type DropNote,
  type DropToken,
  keysOfDrops,
  type SenderName,
  type SentFile
} from "./Drop.ts"
import { DropEnds } from "./DropEnds.ts"
import { DropRemovals } from "./DropRemovals.ts"
import { DropRules } from "./DropRules.ts"
import { DropsRepo } from "./DropsRepo.ts"
import * as DropState from "./DropState.ts"
import { type FoundDrop, FoundDrops } from "./FoundDrops.ts"
import { RequestsRepo } from "./RequestsRepo.ts"
import * as RequestState from "./RequestState.ts"

export interface StartedDrop {
  readonly id: DropId
  /** Good until `expireTime`, for this drop alone. */
  readonly token: DropToken
  readonly expireTime: DateTime.Utc
}

/** A drop as its sender sees it. */
export interface SendersDrop {
  readonly drop: Drop
  readonly files: ReadonlyArray<SentFile>
  /** Uploads in parts that are not files yet. */
  readonly uploads: ReadonlyArray<DeliveredUpload>
}

/** What any call with a drop's token may fail with. */
type Failure = NotFound | Refused | RateLimited | Unavailable

/**
 * Each call but {@link start} fails with `NotFound` for a token that does not exist or has expired. What brings a file fails with `Refused`:
 * `request_closed` when the request is closed, has expired or is deleted, `not_allowed` when the drop is finished.
 */
export class Drops extends Context.Service<Drops, {
  /**
   * Starts a drop at a request. Fails like `PublicLinks.enter`, and with `Refused`: `request_closed`, `too_many_forms` when a thousand
   * others are under way, or two hundred that were started from the same address. Contract: `/start-drop`.
   */
  readonly start: (
    requestId: string,
    senderName: SenderName,
    note?: DropNote | null
  ) => Effect.Effect<StartedDrop, Failure, LinkCall>

  /**
   * A form for a file; the one that its `clientKey` had before is superseded. Fails like `Forms.create`, with `clientKey` for the key,
   * and with `InvalidField` (`request_full`). Contract: `/drop-file-urls`.
   */
  readonly createForm: (
    token: DropToken,
    file: DropFile
  ) => Effect.Effect<SignedForm, InvalidField | Failure, LinkCall>

  /** Opens an upload in parts, or continues the one of this `clientKey`. Fails like {@link createForm}. Contract: `/create-drop-upload`. */
  readonly openUpload: (
    token: DropToken,
    file: DropFile
  ) => Effect.Effect<OpenedUpload, InvalidField | Failure, LinkCall>

  /** Like `Uploads.signParts`, for an upload of the drop. */
  readonly signParts: (
    token: DropToken,
    upload: UploadToken,
    partNumbers: ReadonlyArray<PartNumber>
  ) => Effect.Effect<
    { readonly parts: ReadonlyArray<SignedPart>; readonly expireTime: DateTime.Utc },
    InvalidField | Failure | UploadNotFound,
    LinkCall
  >

  /** Like `Uploads.complete`, for an upload of the drop. Returns the file's size in bytes. */
  readonly completeUpload: (
    token: DropToken,
    upload: UploadToken
  ) => Effect.Effect<number, InvalidField | Failure | UploadNotFound | PartsMismatch, LinkCall>

  /** Like `Uploads.abort`, for an upload of the drop; in any state of it and of its request. */
  readonly abortUpload: (token: DropToken, upload: UploadToken) => Effect.Effect<boolean, Failure, LinkCall>

  /**
   * Records what was sent as a file of the owner's, in the folder of the request. Safe to repeat and to race: one `clientKey` makes one
   * file. Fails like `Inserts.insert`. Contract: `/insert-drop-file`.
   */
  readonly insert: (token: DropToken, file: DropFile) => Effect.Effect<Inserted, InvalidField | Failure, LinkCall>

  /** Deletes for good a file of a drop that is not finished. False when the drop has no such file. Contract: `/remove-drop-file`. */
  readonly remove: (token: DropToken, fileId: FileId) => Effect.Effect<boolean, InvalidField | Failure, LinkCall>

  /** The drop with what was sent, and what is under way. Contract: `/select-drop`. */
  readonly select: (token: DropToken) => Effect.Effect<SendersDrop, Failure, LinkCall>

  /** Finishes the drop, in any state of its request; repeating changes nothing. Contract: `/finish-drop`. */
  readonly finish: (token: DropToken) => Effect.Effect<void, Failure, LinkCall>
}>()("@filedrive/core/requests/Drops") {
  static readonly layerNoDeps = Layer.effect(
    Drops,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const crypto = yield* Effect.context<Digest.Digest | SecureRandom.SecureRandom>()
      const deliveries = yield* Deliveries
      const ends = yield* DropEnds
      const finder = yield* FoundDrops
      const forms = yield* Forms
      const inserts = yield* Inserts
      const links = yield* PublicLinks
      const random = yield* SecureRandom.SecureRandom
      const removals = yield* DropRemovals
      const repo = yield* DropsRepo
      const requests = yield* RequestsRepo
      const rules = yield* DropRules
      const transaction = yield* AccountTransaction
      const uploads = yield* Uploads

      const hashed = (text: string) => Effect.provideContext(SecretToken.hash(text), crypto)

      const open = ({ drop, request }: FoundDrop) =>
        Effect.flatMap(DateTime.now, (now) => Effect.fromResult(DropState.takesFiles(drop, request, now)))

      /** Runs a step of an upload on the owner's behalf. When it fails because the request was closed meanwhile, that is the reason. */
      const onBehalf = <A, E, R>(token: DropToken, { drop }: FoundDrop, step: Effect.Effect<A, E, R>) =>
        step.pipe(
          Effect.provideService(CurrentAccount, { id: drop.accountId, tokenId: null, limits: unlimited }),
          Effect.catch((error) =>
            Effect.gen(function*() {
              yield* open(yield* finder.look(token))
              return yield* Effect.fail(forSender(error))
            })
          )
        )

      /** The delivery of a file, and its description as that of the owner's own. */
      const describe = Effect.fnUntraced(function*(token: DropToken, { drop }: FoundDrop, file: DropFile) {
        const { clientKey, ...described } = file
        // Of the token too: the owner can't name it, and begin an upload of its own there.
        const name = Base64Url.encode(yield* hashed(`${token} ${clientKey}`))
        const objectKey = ObjectKey.make(`${keysOfDrops(drop.accountId)}${drop.id}/${name}`)
        const delivery: Delivery = { ids: { requestId: drop.requestId, dropId: drop.id, clientKey }, rules }
        return { delivery, input: { ...described, objectKey } }
      })

      /** The checks of a file that is about to be sent, as far as they need no lock. */
      const begin = Effect.fnUntraced(function*(token: DropToken, file: DropFile) {
        const found = yield* finder.find(token, file.clientKey)
        yield* open(found)
        if (found.sent !== null) return yield* DropState.clientKeyTaken()
        const left = found.request === null ? null : RequestState.remainingBytes({ ...found.request, heldBytes: 0 })
        if (left !== null && file.fileSize > left) return yield* DropState.requestFull()
        return { found, ...yield* describe(token, found, file) }
      })

      const start: Drops["Service"]["start"] = Effect.fn("Drops.start")(function*(requestId, senderName, note) {
        const link = yield* links.enter(requestId, requests.findByLink)
        if (!RequestState.isOpen(link, yield* DateTime.now)) return yield* DropState.requestClosed()
        yield* Effect.catchTag(Plan.storing(accounts, link.accountId), "Refused", () => DropState.requestClosed())
        const { hash, text } = yield* Effect.provideContext(SecretToken.make("fdd_"), crypto)
        const { network } = yield* LinkCall
        // With the request's id: nobody who reads the rows sees that two requests were sent files from the same address.
        const networkHash = network === null ? null : yield* hashed(`${link.id} ${network}`)
        const activeTime = yield* DateTime.now
        const drop = {
          id: DropId.make(yield* random.uuidV7()),
          accountId: link.accountId,
          requestId: link.id,
          senderName,
          // Nothing in it turns the direction of the text around it, where the owner reads it.
          note: withoutOverrides(note ?? "") || null,
          activeTime,
          expireTime: DateTime.addDuration(activeTime, Limits.dropTokenLifetime)
        }
        yield* transaction.share(drop.accountId, () =>
          Effect.gen(function*() {
            const request = yield* repo.request(drop.accountId, drop.requestId)
            if (request === null || !RequestState.isOpen(request, activeTime)) return yield* DropState.requestClosed()
            const count = yield* repo.countUnderWay(drop.accountId, drop.requestId, networkHash)
            // Of one address one of its own ends, before those of others do.
            const isAddressFull = count.fromAddress >= Limits.dropsUnderWayFromAddress
            if (isAddressFull || count.all >= Limits.dropsUnderWayMaxCount) {
              const ended = yield* repo.deleteIdlest(drop.accountId, drop.requestId, isAddressFull ? networkHash : null)
              if (!ended) return yield* isAddressFull ? tooManyFromAddress : tooManyDrops
            }
            yield* repo.insert(drop, { networkHash, tokenHash: hash })
          }))
        return { id: drop.id, token: text as DropToken, expireTime: drop.expireTime }
      })

      const createForm: Drops["Service"]["createForm"] = Effect.fn("Drops.createForm")(function*(token, file) {
        const { delivery, found, input } = yield* begin(token, file)
        return yield* onBehalf(token, found, forms.create(input, delivery))
      })

      const openUpload: Drops["Service"]["openUpload"] = Effect.fn("Drops.openUpload")(function*(token, file) {
        const { delivery, found, input } = yield* begin(token, file)
        return yield* onBehalf(token, found, uploads.open(input, delivery))
      })

      const signParts: Drops["Service"]["signParts"] = Effect.fn("Drops.signParts")(
        function*(token, upload, partNumbers) {
          const found = yield* finder.find(token)
          yield* open(found)
          return yield* onBehalf(token, found, uploads.signParts(upload, partNumbers, found.drop.id))
        }
      )

      const completeUpload: Drops["Service"]["completeUpload"] = Effect.fn("Drops.completeUpload")(
        function*(token, upload) {
          const found = yield* finder.find(token)
          yield* open(found)
          const { sizeBytes } = yield* onBehalf(token, found, uploads.complete(upload, found.drop.id))
          return sizeBytes
        }
      )

      const abortUpload: Drops["Service"]["abortUpload"] = Effect.fn("Drops.abortUpload")(function*(token, upload) {
        const { drop } = yield* finder.find(token)
        return yield* Effect.provideService(uploads.abort(upload, drop.id), CurrentAccount, {
          id: drop.accountId,
          tokenId: null,
          limits: unlimited
        })
      }, WritePurpose.freeing)

      /** The file that the drop has by this key already, if it is of this size. */
      const known = (
        { sent }: Pick<FoundDrop, "sent">,
        file: DropFile
      ): Result.Result<Inserted | undefined, InvalidField> =>
        sent === null
          ? Result.succeed(undefined)
          : sent.sizeBytes === file.fileSize
          ? Result.succeed({ id: sent.id, fileName: sent.fileName })
          : Result.fail(otherSize())

      const insert: Drops["Service"]["insert"] = Effect.fn("Drops.insert")(function*(token, file) {
        const found = yield* finder.find(token, file.clientKey)
        const there = yield* Effect.fromResult(known(found, file))
        if (there !== undefined) return there
        const record = Effect.gen(function*() {
          yield* open(found)
          const { delivery, input } = yield* describe(token, found, file)
          return yield* onBehalf(token, found, inserts.insert(input, delivery))
        })
        // A call that was faster has recorded it, perhaps just before the request was closed.
        return yield* Effect.catch(record, (error) =>
          Effect.gen(function*() {
            const made = yield* Effect.fromResult(known(yield* finder.look(token, file.clientKey), file))
            return made ?? (yield* Effect.fail(error))
          }))
      })

      const remove: Drops["Service"]["remove"] = Effect.fn("Drops.remove")(function*(token, fileId) {
        const { drop } = yield* finder.find(token)
        yield* Effect.fromResult(DropState.changeable(drop))
        return yield* removals.remove(drop, fileId)
      }, WritePurpose.freeing)

      const select: Drops["Service"]["select"] = Effect.fn("Drops.select")(function*(token) {
        const { drop } = yield* finder.find(token)
        const { accountId, id, requestId } = drop
        const [files, open] = yield* Effect.all([
          repo.sentFiles(drop),
          DropState.isFinished(drop) ? Effect.succeed([]) : deliveries.uploads(accountId, requestId, id)
        ], { concurrency: "unbounded" })
        return { drop, files, uploads: open }
      })

      const finish: Drops["Service"]["finish"] = Effect.fn("Drops.finish")(function*(token) {
        const { drop } = yield* finder.find(token)
        if (!DropState.isFinished(drop)) yield* ends.finish(drop)
      }, WritePurpose.freeing)

      return Drops.of({
        start,
        createForm,
        openUpload,
        signParts,
        completeUpload,
        abortUpload,
        insert,
        remove,
        select,
        finish
      })
    })
  )
}

const otherSize = () =>
  new InvalidField({ code: "size_mismatch", field: "fileSize", because: "the file of this key has another size" })

const tooManyDrops = new Refused({
  code: "too_many_forms",
  because: "Too many people are sending files to this request at the same time; try again later."
})

const tooManyFromAddress = new Refused({
  code: "too_many_forms",
  because:
    "Too many deliveries to this request were started from your network; finish some of them, or try again later."
})

/** An error of the owner's uploads as a sender gets it: a sender has no key, and is not told of the owner's plan. */
const forSender = <E>(error: E): E | InvalidField | Refused =>
  error instanceof InvalidField && error.code === "object_key_taken"
    // The drop's keys are its own, so no other file or upload can have it.
    ? DropState.clientKeyTaken()
    : error instanceof InvalidField && error.field === "objectKey"
    ? new InvalidField({ code: error.code, field: "clientKey", because: error.because })
    : error instanceof Refused && error.code === "no_plan"
    ? DropState.requestClosed()
    : error
