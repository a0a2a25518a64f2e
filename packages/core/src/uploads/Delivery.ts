/**
 * Uploads that somebody else sends for the account: a sender, in a drop of a file request. They go the way of all uploads; whether
 * they may begin, and where their files go, the rules of their request say. Spec: "File requests".
 */
import { Effect, Result } from "effect"
import type { InvalidField, Refused } from "../shared/DriveError.ts"
import type { AccountId, DropId, FileId, FolderId, RequestId } from "../shared/Ids.ts"

/** What a delivered file belongs to, as forms and uploads keep it. */
export interface DeliveryIds {
  readonly requestId: RequestId
  readonly dropId: DropId
  /** The sender's own name of the file in the drop. */
  readonly clientKey: string
}

/** What is to be reserved. */
export interface Reservation {
  readonly opens: "form" | "upload" | null
  /** Bytes beyond those that are reserved for it already. */
  readonly moreBytes: number
}

/** What there is room for. Each reservation counts for those after it. */
export interface Room {
  /** `ids` are null for an upload of the account's own. */
  readonly take: (ids: DeliveryIds | null, reservation: Reservation) => Result.Result<void, InvalidField | Refused>
}

/** What a drop has open. */
export interface OpenDelivery {
  readonly requestId: RequestId
  readonly dropId: DropId
  readonly forms: number
  readonly uploads: number
  /** Bytes that these reserve. */
  readonly heldBytes: number
}

/** A delivered file that was recorded. */
export interface Delivered {
  readonly ids: DeliveryIds
  readonly fileId: FileId
  readonly fileName: string
  readonly sizeBytes: number
}

/** The rules of file requests. All of it only inside `AccountTransaction.run`; the deliveries of a call are of one request. */
export interface DeliveryRules {
  readonly room: (
    accountId: AccountId,
    deliveries: ReadonlyArray<DeliveryIds>,
    quotaBytes: number | null
  ) => Effect.Effect<Room>
  /** Where the files go that arrived, or why they are not taken; in the same order. */
  readonly places: (
    accountId: AccountId,
    deliveries: ReadonlyArray<DeliveryIds>
  ) => Effect.Effect<ReadonlyArray<Result.Result<FolderId | null, Refused>>>
  /** Notes which files were recorded. */
  readonly onRecorded: (accountId: AccountId, files: ReadonlyArray<Delivered>) => Effect.Effect<void>
}

export interface Delivery {
  readonly ids: DeliveryIds
  readonly rules: DeliveryRules
}

/** Whether uploads may be changed together: those of one request, and the account's own. */
export const isAlike = (one: Delivery | undefined, other: Delivery | undefined): boolean =>
  one?.ids.requestId === other?.ids.requestId

/** The folders that files go to: those of their forms, or where the rules of their request say. They are alike. */
export const placesOf = (
  accountId: AccountId,
  arrivals: ReadonlyArray<
    { readonly form: { readonly folderId: FolderId | null }; readonly delivery: Delivery | undefined }
  >
): ReturnType<DeliveryRules["places"]> => {
  const rules = arrivals[0]?.delivery?.rules
  return rules === undefined
    ? Effect.succeed(arrivals.map(({ form }) => Result.succeed(form.folderId)))
    : rules.places(accountId, arrivals.flatMap(({ delivery }) => delivery?.ids ?? []))
}
