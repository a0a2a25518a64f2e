/**
 * Uploads in parts: opening, signing, completing and aborting them.
 *
 * The database records whose an upload is and its state; storage knows which
 * parts are stored. Whatever a crash left in either, repeating the call
 * has the same result. Spec: "States and transitions", Multipart upload.
 */
import { Context, type DateTime, Effect, Layer, Option, Result } from "effect"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Plan from "../accounts/Plan.ts"
import * as MultipartObject from "../objects/MultipartObject.ts"
import { Accounts } from "../ports/Accounts.ts"
import {
  InvalidField,
  type PartsMismatch,
  type Refused,
  type Unavailable,
  UploadNotFound
} from "../shared/DriveError.ts"
import type { DropId } from "../shared/Ids.ts"
import type { Delivery } from "./Delivery.ts"
import type { FileInput } from "./FileInput.ts"
import * as PartPlan from "./PartPlan.ts"
import { addressOf, type Upload, type UploadToken } from "./Upload.ts"
import { makeEnds } from "./UploadEnds.ts"
import { makeOpen, type OpenedUpload } from "./UploadOpening.ts"
import * as UploadState from "./UploadState.ts"
import { type SignedPart, UploadTokens } from "./UploadTokens.ts"

export class Uploads extends Context.Service<Uploads, {
  /**
   * Opens an upload, or continues the one of this `objectKey`: parts that
   * fit are kept, an upload whose parts don't fit is discarded. An open upload
   * reserves its bytes of the quota.
   *
   * Fails like {@link "./Forms.ts".Forms}; an empty file has no parts and is refused naming `fileSize`.
   * Spec: `/create-multipart-upload`.
   */
  readonly open: (
    file: FileInput,
    delivery?: Delivery
  ) => Effect.Effect<OpenedUpload, InvalidField | Refused | Unavailable, CurrentAccount>

  /**
   * PUT URLs, good for a day, for parts of an open upload.
   *
   * Fails with `InvalidField` naming the first number that is not in the plan,
   * `Refused` for a token that is not the caller's or has lapsed, `UploadNotFound` when the upload has ended.
   * Spec: `/sign-upload-parts`.
   */
  readonly signParts: (
    token: UploadToken,
    partNumbers: ReadonlyArray<PartPlan.PartNumber>,
    drop?: DropId
  ) => Effect.Effect<
    { readonly parts: ReadonlyArray<SignedPart>; readonly expireTime: DateTime.Utc },
    InvalidField | Refused | UploadNotFound | Unavailable,
    CurrentAccount
  >

  /**
   * Makes the object of its parts; repeating reports success again.
   *
   * Fails with `PartsMismatch` when parts are missing or not as planned, `UploadNotFound` when it was aborted.
   * Spec: `/complete-multipart-upload`.
   */
  readonly complete: (
    token: UploadToken,
    drop?: DropId
  ) => Effect.Effect<Upload, Refused | UploadNotFound | PartsMismatch | Unavailable, CurrentAccount>

  /**
   * Discards an open upload and releases its bytes. True when it is gone,
   * for whatever reason; false when it is complete. Spec: `/abort-multipart-upload`.
   */
  readonly abort: (token: UploadToken, drop?: DropId) => Effect.Effect<boolean, Refused, CurrentAccount>

  /** Discards an upload of any account that is not a file, unless it has changed since it was read; for the sweep. */
  readonly discard: (upload: Upload) => Effect.Effect<void>
}>()("@filedrive/core/uploads/Uploads") {
  static readonly layerNoDeps = Layer.effect(
    Uploads,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const multipart = yield* MultipartObject.make
      const tokens = yield* UploadTokens

      const ends = yield* makeEnds
      const open = yield* makeOpen(ends)

      const signParts = Effect.fn("Uploads.signParts")(
        function*(token: UploadToken, partNumbers: ReadonlyArray<PartPlan.PartNumber>, drop?: DropId) {
          const caller = yield* allowed("add")
          yield* Plan.storing(accounts, caller.id)
          const upload = yield* tokens.find(caller, token, drop)
          if (upload.state !== "open") return yield* new UploadNotFound()
          const plan = PartPlan.make(upload.sizeBytes)
          const outside = partNumbers.findIndex((number) => number > plan.partCount)
          if (outside >= 0) {
            return yield* new InvalidField({
              code: "invalid_field",
              field: `partNumbers[${outside}]`,
              because: `this upload has ${plan.partCount} parts`
            })
          }
          return yield* tokens.sign(upload, plan, partNumbers)
        }
      )

      const complete = Effect.fn("Uploads.complete")(function*(token: UploadToken, drop?: DropId) {
        const caller = yield* allowed("add")
        yield* Plan.storing(accounts, caller.id)
        const upload = yield* tokens.find(caller, token, drop)
        if (upload.state === "complete") return upload
        if (upload.state === "gone") return yield* new UploadNotFound()
        const at = addressOf(upload)
        const plan = PartPlan.make(upload.sizeBytes)
        const made = yield* multipart.complete(
          at,
          upload.storageId,
          (stored) =>
            Effect.as(Effect.fromResult(UploadState.next("open", { _tag: "Completed", plan, stored })), stored)
        )
        if (Option.isNone(made) || made.value.sizeBytes !== upload.sizeBytes) {
          yield* ends.discard(upload)
          return yield* new UploadNotFound()
        }
        if (yield* ends.complete(upload)) return upload
        // Opened again meanwhile for a file of another size: the object is not that file, and must not stay in its reservation.
        yield* ends.discard(upload)
        return yield* new UploadNotFound()
      })

      const abort = Effect.fn("Uploads.abort")(function*(token: UploadToken, drop?: DropId) {
        const upload = yield* tokens.find(yield* allowed("add"), token, drop)
        const next = Result.getOrThrow(UploadState.next(upload.state, { _tag: "Aborted" }))
        // Another call may have completed it meanwhile.
        return next === upload.state ? next === "gone" : yield* ends.discard(upload)
      })

      return Uploads.of({ open, signParts, complete, abort, discard: (upload) => Effect.asVoid(ends.discard(upload)) })
    })
  )
}
