/**
 * The copy of a large file to the other bucket: its shape and its life, as a function of (state, event). Pure.
 *
 * ```text
 *   Absent ──begun──▶ Wanted ──opened──▶ Copying ──completed──▶ Made ──adopted │ overtaken──▶ Absent
 *                       ▲                   │                    │
 *                       │                   └── made nothing ──┐ └── too late
 *                       └───────────── restarted ─────────── Lost ◀┘
 *   any ──called off──▶ Absent
 * ```
 *
 * | state   | Begun   | Opened  | PartCopied | Completed: whole | nothing | other size | Adopted | TooLate | Restarted | LinkDropped | CalledOff |
 * |---------|---------|---------|------------|------------------|---------|------------|---------|---------|-----------|-------------|-----------|
 * | Absent  | Wanted  | refused | refused    | refused          | refused | refused    | refused | refused | refused   | Absent      | Absent    |
 * | Wanted  | refused | Copying | Wanted     | refused          | refused | refused    | refused | refused | Wanted    | Wanted      | Absent    |
 * | Copying | refused | refused | Copying    | Made             | Lost    | refused    | refused | refused | Wanted    | Copying     | Absent    |
 * | Made    | refused | refused | Made       | refused          | refused | refused    | Absent  | Lost    | Wanted    | Made        | Absent    |
 * | Lost    | refused | refused | Lost       | refused          | refused | refused    | refused | refused | Wanted    | Lost        | Absent    |
 *
 * A worker names the key it works for: when the transfer has another one by now, or is gone, all its events are refused. The row
 * has Wanted and Copying; that a copy is made or lost only storage knows, so a worker that takes it up asks there.
 */
import { Data, Option } from "effect"
import type { Bucket, ObjectAddress, StoredObject } from "../ports/ObjectStore.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"

export interface BucketTransfer {
  readonly fileId: FileId
  readonly accountId: AccountId
  readonly toPublic: boolean
  /** Whether it leaves the public bucket because it is in trash, and its lasting link is to work again. */
  readonly keepsLink: boolean
  /** Key of the object that is being made. */
  readonly storeKey: string
  /** The store's id of the upload it is made by; empty until that is open. */
  readonly storageId: string
  readonly partsDone: number
  readonly partCount: number
}

/** Where a move leads. */
export const target = ({ storeKey, toPublic }: BucketTransfer): ObjectAddress & { readonly bucket: Bucket } => ({
  bucket: toPublic ? "public" : "private",
  key: storeKey
})

interface Of {
  readonly transfer: BucketTransfer
}

export type TransferState = Data.TaggedEnum<{
  Absent: {}
  /** No upload is open for it yet. */
  Wanted: Of
  Copying: Of
  /** The object is whole, and no file has adopted it yet. */
  Made: Of & { readonly object: StoredObject }
  /** The upload has ended without an object, or the object is being removed. */
  Lost: Of
}>
export const TransferState = Data.taggedEnum<TransferState>()

type ByWorker<A = {}> = A & { readonly storeKey: string }

export type TransferEvent = Data.TaggedEnum<{
  Begun: Of
  /** The file is where it is to be, or gone. */
  CalledOff: {}
  LinkDropped: {}
  Opened: ByWorker<{ readonly storageId: string }>
  /** `partsDone`: as many as this worker knows of. */
  PartCopied: ByWorker<{ readonly partsDone: number }>
  /** The upload has ended: the object there is, which should have `sizeBytes`. */
  Completed: ByWorker<{ readonly object: Option.Option<StoredObject>; readonly sizeBytes: number }>
  /** The file has adopted the object; or it changed meanwhile, and the object is abandoned. */
  Adopted: ByWorker
  /** The object's removal had begun when it was to be adopted. */
  TooLate: ByWorker
  Restarted: ByWorker<{ readonly freshKey: string }>
}>
export const TransferEvent = Data.taggedEnum<TransferEvent>()

/** What a row says. */
export const stateOf = (row: Option.Option<BucketTransfer>): TransferState =>
  Option.match(row, {
    onNone: () => TransferState.Absent(),
    onSome: (transfer) => (transfer.storageId === "" ? TransferState.Wanted : TransferState.Copying)({ transfer })
  })

/** The next state; none when the event is refused, and then nothing changes. */
export const next = (state: TransferState, event: TransferEvent): Option.Option<TransferState> => {
  switch (event._tag) {
    case "CalledOff":
      return Option.some(TransferState.Absent())
    case "LinkDropped":
      return Option.some(state._tag === "Absent" ? state : changed(state, { keepsLink: false }))
    case "Begun":
      return state._tag === "Absent" ? Option.some(TransferState.Wanted(event)) : Option.none()
    default:
      return state._tag === "Absent" || state.transfer.storeKey !== event.storeKey
        ? Option.none()
        : ofWorker(state, event)
  }
}

type Present = Exclude<TransferState, { readonly _tag: "Absent" }>

const changed = (state: Present, change: Partial<BucketTransfer>): Present => ({
  ...state,
  transfer: { ...state.transfer, ...change }
})

const ofWorker = (
  state: Present,
  event: Extract<TransferEvent, ByWorker>
): Option.Option<TransferState> => {
  const { transfer } = state
  switch (event._tag) {
    case "Opened":
      return state._tag === "Wanted"
        ? Option.some(TransferState.Copying({ transfer: { ...transfer, storageId: event.storageId } }))
        : Option.none()
    case "PartCopied":
      return Option.some(changed(state, { partsDone: Math.max(transfer.partsDone, event.partsDone) }))
    case "Completed":
      if (state._tag !== "Copying") return Option.none()
      if (Option.isNone(event.object)) return Option.some(TransferState.Lost({ transfer }))
      return event.object.value.sizeBytes === event.sizeBytes
        ? Option.some(TransferState.Made({ transfer, object: event.object.value }))
        : Option.none()
    case "Adopted":
      return state._tag === "Made" ? Option.some(TransferState.Absent()) : Option.none()
    case "TooLate":
      return state._tag === "Made" ? Option.some(TransferState.Lost({ transfer })) : Option.none()
    case "Restarted":
      return Option.some(
        TransferState.Wanted({ transfer: { ...transfer, storeKey: event.freshKey, storageId: "", partsDone: 0 } })
      )
  }
}
