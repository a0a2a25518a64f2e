/** A form that storage accepts one file on. */
import type { DateTime } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import type { AccountId, ApiTokenId, FormId } from "../shared/Ids.ts"
import type { DeliveryIds } from "./Delivery.ts"

/**
 * A form that was issued, with the limits of the call it was issued to. While open it reserves its bytes of the quota; a
 * closed one's row stays until storage has nothing of it.
 */
export interface Form extends Limits {
  readonly id: FormId
  readonly accountId: AccountId
  readonly objectKey: string
  readonly storeKey: string
  readonly sizeBytes: number
  readonly insertTime: DateTime.Utc
  readonly expireTime: DateTime.Utc
  /** What its file is sent for, where that is not the account itself. */
  readonly deliveredTo: DeliveryIds | null
  /** The token of the call it was issued to, with which it ends; null without one. */
  readonly tokenId: ApiTokenId | null
}

/** A form with what storage may hold of it. */
export type StoredForm = Pick<Form, "id" | "accountId" | "storeKey" | "sizeBytes">

/** An open form, as a call sees it. */
export interface OpenForm extends StoredForm, Limits {
  readonly objectKey: string
  /** Whether the call may continue it. */
  readonly isWithin: boolean
}
