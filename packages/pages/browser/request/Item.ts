/** A file of the delivery, as the page shows it. */
import type { Upload } from "@filedrive/client"
import { type Signal, signal } from "@preact/signals"
import type { KeptItem } from "./Kept.ts"
import type { RequestText } from "./texts.ts"

export type ItemState =
  /** Chosen, and nothing is sent before the sender says so. */
  | "staged"
  /** Others are sent first. */
  | "waiting"
  | "sending"
  | "offline"
  | "paused"
  | "sent"
  | "failed"
  /** Begun before the page was reloaded; the browser could not keep the file itself. */
  | "missing"
  /** Is being taken back. */
  | "removing"

export interface Item extends KeptItem {
  readonly state: Signal<ItemState>
  readonly sentBytes: Signal<number>
  /** Of the last seconds; null while it is not known. */
  readonly secondsLeft: Signal<number | null>
  readonly bytesPerSecond: Signal<number>
  readonly error: Signal<RequestText | null>
  file: File | null
  handle: FileSystemFileHandle | null
  /** The owner's file, once it is sent. */
  fileId: string | null
  upload: Upload | null
}

export const makeItem = (kept: KeptItem, state: ItemState): Item => ({
  ...kept,
  state: signal(state),
  sentBytes: signal(0),
  secondsLeft: signal(null),
  bytesPerSecond: signal(0),
  error: signal(null),
  file: null,
  handle: null,
  fileId: null,
  upload: null
})

export const keptOf = ({ folder, key, name, size, type }: Item): KeptItem => ({ folder, key, name, size, type })

/** Whether it still is to be sent, if nobody stops it. */
export const isUnderWay = (state: ItemState): boolean =>
  state === "waiting" || state === "sending" || state === "offline"
