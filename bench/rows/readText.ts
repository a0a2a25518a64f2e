/**
 * `/read-file` of a text at byte one thousand million and more: what the store
 * hands out for it, all of the request's bytes counted, and how long it takes.
 * The store makes the text up as it is read, so that none has to be written.
 */
import { createDrive } from "@filedrive/adapter-node"
import { ObjectStore } from "@filedrive/core"
import { MemoryObjectStore } from "@filedrive/testing"
import { Effect, Layer, ManagedRuntime, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { withDirectory } from "../DriveCaller.ts"
import { median, seconds } from "../Rounds.ts"
import { readRounds } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

const sizeBytes = 1.5 * 1024 ** 3
const offset = 1024 ** 3
const limitBytes = 200_000

/** A line of a log, in two-byte and three-byte characters too. */
const line = new TextEncoder().encode("2026-01-02T03:04:05Z Grüße aus 京都: nothing happened\n")

/** What a text of such lines has from `start` to `end`. */
const textOf = ({ end, start }: ObjectStore.ByteRange) =>
  Uint8Array.from({ length: end + 1 - start }, (_, index) => line[(start + index) % line.length]!)

/** A store in memory whose objects are such text, and how many bytes it has handed out. */
const countingStore = () => {
  const handedOut = { bytes: 0 }
  const layer = Layer.effect(
    ObjectStore.ObjectStore,
    Effect.map(ObjectStore.ObjectStore, (store) =>
      ObjectStore.ObjectStore.of({
        ...store,
        get: (_, range = { start: 0, end: sizeBytes - 1 }) =>
          Stream.suspend(() => {
            const bytes = textOf(range)
            handedOut.bytes += bytes.length
            return Stream.succeed(bytes)
          })
      }))
  ).pipe(Layer.provideMerge(MemoryObjectStore.layer))
  return { handedOut, layer }
}

export const readText = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory(async (dataDirectory) => {
    const { handedOut, layer } = countingStore()
    const store = ManagedRuntime.make(layer)
    const context = await store.context()
    const drive = await createDrive({
      dataDirectory,
      url: "http://drive.bench",
      storage: Layer.succeedContext(context),
      rateLimits: false
    })
    try {
      const userId = randomUUID()
      await drive.accounts.create({ userId })
      const user = drive.as(userId)
      const file = { type: "Text", fileName: "a.log", fileSize: sizeBytes, objectKey: `users/${userId}/a.log` } as const
      const { uploadForm: fields, uploadUrl: url } = await user.generateFileUrls(file)
      await store.runPromise(
        Effect.flatMap(MemoryObjectStore, (memory) => memory.sendZeros({ url, fields }, sizeBytes))
      )
      const { id } = await user.insertFile(file)

      const read: Array<number> = []
      const times: Array<number> = []
      for (let round = 0; round < readRounds; round++) {
        handedOut.bytes = 0
        const at = offset + round
        times.push(
          await seconds(async () => {
            const { text } = await user.readFile({ fileId: id, offset: at })
            if (!text?.includes("京都")) throw new Error(`no such text at ${at}`)
          })
        )
        read.push(handedOut.bytes)
      }
      const most = Math.max(...read)
      return [{
        what: "`/read-file` of a text at offset 1 GB: bytes read",
        own: `${(most / 1_000).toFixed(0)} KB in ${(median(times) * 1_000).toFixed(1)} ms`,
        against: `the file: ${(sizeBytes / 1e9).toFixed(1)} GB`,
        result: `${(most / 1_000).toFixed(0)} KB`,
        target: "under 200 KB",
        met: most < limitBytes
      }]
    } finally {
      await drive.close()
      await store.dispose()
    }
  })
