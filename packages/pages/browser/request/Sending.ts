/** Sends files of a delivery, a few at a time. */
import type { Delivery } from "@filedrive/client"
import { fileName } from "../foundation/sendable.ts"
import { isUnderWay, type Item } from "./Item.ts"
import type { Meter } from "./Meter.ts"
import { endsDelivery, needsFile, refusalOf } from "./refusal.ts"

/** Files that are sent at once; the large ones among them go in several parts at once. */
const atOnce = 3

/** Files above this go in parts, and may have been begun before. */
const partsAbove = 64 * 1024 ** 2

export interface SendingOptions {
  readonly items: () => ReadonlyArray<Item>
  readonly meter: Meter
  /** A file is the owner's. */
  readonly onSent: (item: Item) => void
  /** The delivery takes nothing more. */
  readonly onEnded: () => void
}

export class Sending {
  readonly #options: SendingOptions
  #delivery: Delivery | null = null

  constructor(options: SendingOptions) {
    this.#options = options
  }

  /** Sends to this delivery from now on; null: to none. */
  set delivery(delivery: Delivery | null) {
    this.#delivery = delivery
    this.pump()
  }

  /** Begins as many of those that wait as may be sent at once. */
  pump(): void {
    const delivery = this.#delivery
    if (delivery === null) return
    const items = this.#options.items()
    let running = items.filter(({ state }) => state.peek() === "sending" || state.peek() === "offline").length
    for (const item of items) {
      if (running >= atOnce) return
      if (item.state.peek() !== "waiting") continue
      running++
      item.state.value = "sending"
      if (item.upload !== null) item.upload.resume()
      else if (item.file !== null) this.#begin(delivery, item, item.file)
    }
  }

  pause(item: Item): void {
    if (!isUnderWay(item.state.peek())) return
    item.state.value = "paused"
    item.upload?.pause()
    this.pump()
  }

  resume(item: Item): void {
    if (item.state.peek() !== "paused" && item.state.peek() !== "failed") return
    item.error.value = null
    item.state.value = item.file === null ? "missing" : "waiting"
    this.pump()
  }

  /** Ends what is being sent of a file, and gives its bytes back. */
  async cancel(item: Item): Promise<void> {
    const { upload } = item
    item.upload = null
    await upload?.cancel()
    this.pump()
  }

  /** Ends all, when the delivery is over. */
  stop(): void {
    this.#delivery = null
    for (const item of this.#options.items()) {
      if (!isUnderWay(item.state.peek()) && item.state.peek() !== "paused") continue
      item.state.value = "paused"
      void item.upload?.cancel()
      item.upload = null
    }
  }

  #begin(delivery: Delivery, item: Item, file: File): void {
    const { meter, onEnded, onSent } = this.#options
    // What has been stored before comes with the first report, and was not sent now.
    let isCounted = file.size <= partsAbove
    const upload = delivery.upload(file, {
      key: item.key,
      fileName: fileName(item.name),
      ...item.type !== "" && { mimeType: item.type },
      onProgress: ({ bytesPerSecond, secondsLeft, sentBytes }) => {
        if (isCounted) meter.add(sentBytes - item.sentBytes.peek())
        isCounted = true
        item.sentBytes.value = sentBytes
        item.bytesPerSecond.value = bytesPerSecond
        item.secondsLeft.value = secondsLeft
      },
      onState: (state) => {
        // Which of the others it is, the page decides itself.
        if ((state === "sending" || state === "offline") && isUnderWay(item.state.peek())) item.state.value = state
      }
    })
    item.upload = upload
    upload.then(
      ({ id }) => {
        if (item.upload !== upload) return
        item.upload = null
        item.fileId = id
        item.sentBytes.value = item.size
        item.state.value = "sent"
        onSent(item)
        this.pump()
      },
      (error: unknown) => {
        // Given up: whoever did it shows what has become of it.
        if (item.upload !== upload) return
        item.upload = null
        if (endsDelivery(error)) {
          item.state.value = "paused"
          return onEnded()
        }
        if (needsFile(error)) item.file = null
        item.error.value = refusalOf(error)
        item.state.value = "failed"
        this.pump()
      }
    )
  }
}
