/**
 * A delivery from the sender's side: what was chosen, what has been sent, and what is kept of it over a reload. Everything that the page shows
 * is a signal of it.
 */
import type { Delivery } from "@filedrive/client"
import { computed, signal } from "@preact/signals"
import { client, impatientClient, sendingClient } from "../foundation/client.ts"
import { codeOf } from "../foundation/failure.ts"
import { fileName, line, lines } from "../foundation/sendable.ts"
import type { Chosen } from "./Chosen.ts"
import { clientKey } from "./clientKey.ts"
import { isUnderWay, type Item, keptOf, makeItem } from "./Item.ts"
import type { Keeping } from "./Kept.ts"
import { askAgain, type KeptFiles } from "./KeptFiles.ts"
import { Meter } from "./Meter.ts"
import { Sending } from "./Sending.ts"

/** As many as a delivery may have. */
export const filesMax = 2_000

export type Phase =
  /** Nothing is sent yet. */
  | "choosing"
  | "sending"
  | "finished"

export interface SenderOptions {
  readonly requestId: string
  readonly keeping: Keeping
  readonly files: KeptFiles
  /** Files that the page has at hand, by their keys: those of a sender before this one. */
  readonly held: ReadonlyMap<string, File>
  /** The access token of the link; null without a password. */
  readonly access: string | null
  /** The request takes nothing more, or the delivery is gone: what has become of it is to be asked. */
  readonly onEnded: () => void
  readonly onSent: (item: Item) => void
}

/** Calls of it are given up like all of a page's; bytes alone take as long as they do. */
const deliveryOf = (dropToken: string): Delivery => ({
  ...client.delivery(dropToken),
  upload: sendingClient.delivery(dropToken).upload
})

export interface Added {
  readonly added: number
  readonly repeated: number
  readonly tooMany: boolean
}

export const makeSender = ({ access: opened, files, held, keeping, onEnded, onSent, requestId }: SenderOptions) => {
  const kept = keeping.read()
  const items = signal<ReadonlyArray<Item>>([])
  const phase = signal<Phase>("choosing")
  const senderName = signal(kept.senderName)
  const note = signal(kept.note)
  /** Whether the delivery is still there after a reload. */
  const isKept = signal(true)
  /** Whether a delivery that was begun is not there any more: its files are to be sent anew. */
  const isGone = signal(false)
  let access = opened
  let delivery: Delivery | null = null
  const meter = new Meter(() => performance.now())

  const keep = () => {
    isKept.value = keeping.write({
      dropToken: delivery?.dropToken ?? null,
      senderName: senderName.peek(),
      note: note.peek(),
      access,
      items: items.peek().map(keptOf)
    })
  }

  const sending = new Sending({
    items: () => items.peek(),
    meter,
    onEnded: () => end(),
    onSent: (item) => {
      void files.forget(item.key)
      onSent(item)
    }
  })

  let hasEnded = false

  const end = () => {
    sending.stop()
    if (!hasEnded) onEnded()
    hasEnded = true
  }

  const drop = (removed: Item) => {
    items.value = items.peek().filter((item) => item !== removed)
    void files.forget(removed.key)
    keep()
  }

  const give = (item: Item, file: File, handle: FileSystemFileHandle | null) => {
    item.file = file
    item.handle = handle
    item.error.value = null
    item.state.value = phase.peek() === "sending" ? "waiting" : "staged"
    void files.keep(item.key, file, handle)
  }

  /** An item that waits for this file: by its key, else by what a file is known by without its folder. */
  const waitingFor = (key: string, { lastModified, name, size }: File) =>
    items.peek().find((item) =>
      (item.state.peek() === "missing" || item.state.peek() === "failed" && item.file === null) &&
      (item.key === key ||
        item.name === name && item.size === size && item.key.startsWith(`${size} ${lastModified} `))
    )

  const addOne = ({ file, folder, handle }: Chosen): "added" | "repeated" | "tooMany" => {
    const key = clientKey(folder, file)
    const missing = waitingFor(key, file)
    if (missing !== undefined) {
      give(missing, file, handle)
      return "added"
    }
    if (items.peek().some((item) => item.key === key)) return "repeated"
    if (items.peek().length >= filesMax) return "tooMany"
    const item = makeItem({ key, name: file.name, folder, size: file.size, type: file.type }, "staged")
    give(item, file, handle)
    items.value = [...items.peek(), item]
    return "added"
  }

  /** What the drive has of a delivery that was begun before. */
  const resume = async (dropToken: string) => {
    const answer = await impatientClient.selectDrop({ dropToken })
    delivery = deliveryOf(dropToken)
    senderName.value = answer.senderName
    note.value = answer.note ?? ""
    phase.value = answer.finished ? "finished" : "sending"
    const byKey = new Map(kept.items.map((item) => [item.key, makeItem(item, "missing")]))
    const known = (key: string, name: string, size: number): Item => {
      const item = byKey.get(key) ?? makeItem({ key, name, size, folder: "", type: "" }, "missing")
      byKey.set(key, item)
      return item
    }
    for (const { clientKey: key, fileName, fileSize, id } of answer.files) {
      const item = known(key, fileName, fileSize)
      item.fileId = id
      item.sentBytes.value = fileSize
      item.state.value = "sent"
    }
    for (const { clientKey: key, fileName, fileSize, storedBytes } of answer.uploads) {
      known(key, fileName, fileSize).sentBytes.value = storedBytes
    }
    const all = [...byKey.values()]
    items.value = answer.finished ? all.filter((item) => item.fileId !== null) : all
  }

  /** Takes the files that are at hand or that the browser has kept; the others have to be chosen again. */
  const find = async () => {
    for (const item of items.peek()) {
      if (item.state.peek() === "sent") continue
      const { file: kept, handle } = await files.find(item.key)
      const file = kept ?? held.get(item.key) ?? null
      item.handle = handle
      if (file === null || file.size !== item.size) continue
      item.file = file
      item.state.value = phase.peek() === "sending" ? "waiting" : "staged"
      // Of files that were sent none is kept: those of a delivery that is gone are to be sent again.
      if (kept === null) void files.keep(item.key, file, handle)
    }
  }

  return {
    items,
    phase,
    senderName,
    note,
    isKept,
    isGone,
    meter,
    /** The link was opened anew, by its password. */
    set access(token: string | null) {
      access = token
      keep()
    },
    keep,

    /** Goes on where the page was left. Fails when the drive can't be asked; then what is kept stays as it is, for the next attempt. */
    restore: async (): Promise<void> => {
      if (kept.dropToken !== null) {
        try {
          await resume(kept.dropToken)
        } catch (error) {
          if (codeOf(error) !== "not_found") throw error
          isGone.value = true
        }
      }
      if (delivery === null) items.value = kept.items.map((item) => makeItem(item, "missing"))
      if (phase.peek() === "finished") return keep()
      await find()
      if (delivery === null) {
        // What was only chosen, and is not there any more, was never promised.
        items.value = items.peek().filter((item) => item.state.peek() !== "missing" || item.handle !== null)
      }
      keep()
      sending.delivery = delivery
    },

    add: async (chosen: AsyncIterable<Chosen> | Iterable<Chosen>): Promise<Added> => {
      let [added, repeated] = [0, 0]
      try {
        for await (const one of chosen) {
          const what = addOne(one)
          if (what === "tooMany") return { added, repeated, tooMany: true }
          if (what === "added") added++
          else repeated++
        }
        return { added, repeated, tooMany: false }
      } finally {
        keep()
        sending.pump()
      }
    },

    /** Begins the delivery and sends what was chosen. */
    start: async (): Promise<void> => {
      const { dropToken } = await client.startDrop({
        requestId,
        senderName: line(senderName.peek()),
        ...lines(note.peek()) !== "" && { note: lines(note.peek()) }
      }, { access })
      delivery = deliveryOf(dropToken)
      isGone.value = false
      phase.value = "sending"
      for (const item of items.peek()) if (item.state.peek() === "staged") item.state.value = "waiting"
      keep()
      sending.delivery = delivery
    },

    pause: (item: Item) => sending.pause(item),
    resume: (item: Item) => sending.resume(item),
    pauseAll: () => {
      // Those that wait first: else each that is paused lets the next one begin.
      for (const wanted of ["waiting", "sending", "offline"]) {
        for (const item of items.peek()) if (item.state.peek() === wanted) sending.pause(item)
      }
    },
    resumeAll: () => {
      for (const item of items.peek()) if (item.state.peek() === "paused") sending.resume(item)
    },

    /** Asks for the files whose handles were kept. Only in answer to a click. */
    askAgain: async (): Promise<void> => {
      for (const item of items.peek()) {
        if (item.state.peek() !== "missing" || item.handle === null) continue
        const file = await askAgain(item.handle)
        if (file === null || file.size !== item.size) item.handle = null
        else give(item, file, item.handle)
      }
      items.value = [...items.peek()]
      sending.pump()
    },

    /** Takes a file out: one that is sent is taken back from the owner. */
    remove: async (item: Item): Promise<void> => {
      const before = item.state.peek()
      item.state.value = "removing"
      try {
        if (item.fileId !== null) await delivery?.remove(item.fileId)
        else if (item.upload !== null) await sending.cancel(item)
        else if (delivery !== null && item.sentBytes.peek() > 0) {
          // Begun before the page was reloaded: the drive tells its upload by its key.
          const { dropToken } = delivery
          const { token } = await client.createDropUpload({
            dropToken,
            clientKey: item.key,
            type: "Other",
            fileName: fileName(item.name),
            fileSize: item.size
          })
          await client.abortDropUpload({ dropToken, token })
        }
        drop(item)
      } catch (error) {
        item.state.value = before
        if (codeOf(error) === "not_found") return end()
        throw error
      }
    },

    /** Tells the owner that it is complete. */
    finish: async (): Promise<void> => {
      if (delivery === null) return
      try {
        await delivery.finish()
      } catch (error) {
        if (codeOf(error) === "not_found") return end()
        throw error
      }
      sending.stop()
      items.value = items.peek().filter((item) => item.state.peek() === "sent")
      phase.value = "finished"
      keep()
      await files.forgetAll()
    },

    /** Forgets a delivery that is finished, for another one. */
    again: (): void => {
      sending.stop()
      delivery = null
      items.value = []
      note.value = ""
      phase.value = "choosing"
      keep()
    },

    /** Whether anything is still to be sent by itself. */
    isRunning: computed(() => items.value.some(({ state }) => isUnderWay(state.value))),

    /** Bytes of all files that are not given up, and how many of them are sent. */
    sums: computed(() => {
      let [totalBytes, sentBytes, sentFiles, openFiles, failedFiles, missingFiles] = [0, 0, 0, 0, 0, 0]
      for (const { sentBytes: sent, size, state } of items.value) {
        totalBytes += size
        sentBytes += Math.min(size, sent.value)
        if (state.value === "sent") sentFiles++
        else if (state.value === "failed") failedFiles++
        else if (state.value === "missing") missingFiles++
        else openFiles++
      }
      return { totalBytes, sentBytes, sentFiles, openFiles, failedFiles, missingFiles, totalFiles: items.value.length }
    })
  }
}

export type Sender = ReturnType<typeof makeSender>
