/** What senders have open in the drops of file requests: how much it is, how far it has come, and its end. */
import { Context, DateTime, Effect, Layer } from "effect"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as MultipartObject from "../objects/MultipartObject.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import type { AccountId, DropId, RequestId } from "../shared/Ids.ts"
import { DeliveriesRepo } from "./DeliveriesRepo.ts"
import type { OpenDelivery } from "./Delivery.ts"
import { FormEnds } from "./FormEnds.ts"
import type { Ended } from "./LeftUploads.ts"
import * as PartPlan from "./PartPlan.ts"
import { addressOf, type Upload } from "./Upload.ts"
import { makeEnds } from "./UploadEnds.ts"
import { UploadsRepo } from "./UploadsRepo.ts"

/** An upload in parts of a drop. */
export interface DeliveredUpload {
  readonly clientKey: string
  readonly fileName: string
  readonly sizeBytes: number
  readonly storedBytes: number
  /** When its newest part arrived, by the clock of storage; when it was opened, if none has. */
  readonly lastPartTime: DateTime.Utc
}

/** Uploads whose parts are listed at the same time. */
const inspectedAtOnce = 8

export class Deliveries extends Context.Service<Deliveries, {
  /** What each drop of these requests has open. Inside `AccountTransaction.run` that can't change. */
  readonly open: (
    accountId: AccountId,
    requestIds: ReadonlyArray<RequestId>
  ) => Effect.Effect<ReadonlyArray<OpenDelivery>>

  /** The uploads in parts of a drop that are not files yet, oldest first. Fails with `Unavailable` when storage does not answer. */
  readonly uploads: (
    accountId: AccountId,
    requestId: RequestId,
    dropId: DropId
  ) => Effect.Effect<ReadonlyArray<DeliveredUpload>, Unavailable>

  /**
   * Ends the forms and uploads of a request, or of one of its drops, and releases their bytes. Returns what {@link clear} removes
   * after the commit. Only inside `AccountTransaction.run`.
   */
  readonly end: (accountId: AccountId, requestId: RequestId, dropId?: DropId) => Effect.Effect<Ended>

  /** Makes storage refuse what has ended, and removes what it has of it. What it does not confirm is left to jobs. */
  readonly clear: (accountId: AccountId, ended: Ended) => Effect.Effect<void>
}>()("@filedrive/core/uploads/Deliveries") {
  static readonly layerNoDeps = Layer.effect(
    Deliveries,
    Effect.gen(function*() {
      const deletions = yield* PendingDeletions
      const formEnds = yield* FormEnds
      const multipart = yield* MultipartObject.make
      const repo = yield* DeliveriesRepo
      const uploadEnds = yield* makeEnds
      const uploadsRepo = yield* UploadsRepo

      const inspect = Effect.fnUntraced(function*(upload: Upload) {
        const { deliveredTo, fileName, lastPartTime, sizeBytes } = upload
        const described = { clientKey: deliveredTo!.clientKey, fileName, sizeBytes }
        if (upload.state === "complete") return { ...described, storedBytes: sizeBytes, lastPartTime }
        const stored = yield* multipart.inspect(addressOf(upload), upload.storageId)
        if (stored._tag !== "Parts") return { ...described, storedBytes: 0, lastPartTime }
        const plan = PartPlan.make(sizeBytes)
        const parts = stored.parts.filter((part) => PartPlan.fits(plan, part))
        const newest = parts.reduce((last, { storedTime }) => DateTime.max(last, storedTime), lastPartTime)
        const storedBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
        return { ...described, storedBytes, lastPartTime: newest }
      })

      const uploads = Effect.fn("Deliveries.uploads")(
        function*(accountId: AccountId, requestId: RequestId, dropId: DropId) {
          const ids = yield* repo.uploads(accountId, requestId, dropId)
          const found = yield* uploadsRepo.findAll(accountId, ids)
          return yield* Effect.forEach(found, inspect, { concurrency: inspectedAtOnce })
        }
      )

      const end = Effect.fn("Deliveries.end")(function*(accountId: AccountId, requestId: RequestId, dropId?: DropId) {
        const [forms, ids] = yield* Effect.all([
          repo.forms(accountId, requestId, dropId ?? null),
          repo.uploads(accountId, requestId, dropId ?? null)
        ], { concurrency: "unbounded" })
        return {
          forms: forms.length === 0 ? [] : yield* formEnds.close(accountId, forms),
          objects: ids.length === 0
            ? []
            : yield* uploadEnds.supersede(accountId, yield* uploadsRepo.findAll(accountId, ids))
        }
      })

      const clear = Effect.fn("Deliveries.clear")(function*(accountId: AccountId, { forms, objects }: Ended) {
        yield* formEnds.clear(forms)
        if (objects.length > 0) yield* deletions.removeNow(accountId, objects)
      }, WritePurpose.freeing)

      return Deliveries.of({ open: repo.open, uploads, end, clear })
    })
  )
}
