/** Archives of zeros, of any size without their bytes: for tests of what is around those. */
import { Effect, Stream } from "effect"
import { crc32 } from "node:zlib"
import * as Zip from "../src/archives/Zip.ts"
import * as ZipPlan from "../src/archives/ZipPlan.ts"
import type { ZipSource } from "../src/archives/ZipStream.ts"
import type { ZipFile } from "./ZipReader.ts"

export interface ZeroFile {
  readonly name: string
  readonly sizeBytes: number
}

const encoder = new TextEncoder()
const block = new Uint8Array(1024 * 1024)

/** 2026-09-21T14:13:20Z */
export const modifiedSeconds = 1_790_000_000

const known = new Map<number, number>()

/** The CRC of so many zeros. */
export const crcOfZeros = (sizeBytes: number): number => {
  const before = known.get(sizeBytes)
  if (before !== undefined) return before
  let crc = 0
  for (let left = sizeBytes; left > 0; left -= block.length) {
    crc = crc32(block.subarray(0, Math.min(left, block.length)), crc)
  }
  known.set(sizeBytes, crc)
  return crc
}

export const planOf = (files: ReadonlyArray<ZeroFile>): ZipPlan.ZipPlan =>
  ZipPlan.make(files.map(({ name, sizeBytes }) => ({ nameBytes: encoder.encode(name).length, sizeBytes })))

const entryOf = ({ name, sizeBytes }: ZeroFile): Zip.Entry => ({
  name: encoder.encode(name),
  sizeBytes,
  modifiedSeconds
})

export const source = (files: ReadonlyArray<ZeroFile>): ZipSource<Zip.Entry, never> => ({
  entries: (from, to) => Effect.succeed(files.slice(from, to).map(entryOf)),
  bytes: (_, from, to) =>
    Stream.fromIterable({
      *[Symbol.iterator]() {
        for (let left = to - from; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length))
      }
    }, { chunkSize: 1 })
})

/** The records of an archive with their places in it; all between them is zeros. `crcOf` may make it up. */
export function* records(
  files: ReadonlyArray<ZeroFile>,
  crcOf: (sizeBytes: number) => number = crcOfZeros
): Generator<readonly [offset: number, record: Uint8Array]> {
  const plan = planOf(files)
  let offset = 0
  for (const { from, kind, of, to } of ZipPlan.pieces(plan, 0, plan.totalBytes)) {
    const file = files[of]
    if (kind === "local") yield [offset, Zip.local(entryOf(file!))]
    if (kind === "descriptor") yield [offset, Zip.descriptor(file!.sizeBytes, crcOf(file!.sizeBytes))]
    if (kind === "central") yield [offset, Zip.central(entryOf(file!), crcOf(file!.sizeBytes), plan.starts[of]!)]
    if (kind === "end") yield [offset, Zip.end(ZipPlan.directory(plan))]
    offset += to - from
  }
}

/** Such an archive to be read without being there. */
export const virtual = (files: ReadonlyArray<ZeroFile>, crcOf: (sizeBytes: number) => number): ZipFile => {
  const all = [...records(files, crcOf)]
  return {
    sizeBytes: planOf(files).totalBytes,
    read: (from, to) => {
      const bytes = new Uint8Array(to - from)
      let low = 0
      for (let high = all.length; low < high;) {
        const middle = (low + high) >> 1
        if (all[middle]![0] + all[middle]![1].length <= from) low = middle + 1
        else high = middle
      }
      for (; low < all.length && all[low]![0] < to; low++) {
        const [offset, record] = all[low]!
        const start = Math.max(offset, from)
        bytes.set(record.subarray(start - offset, Math.min(offset + record.length, to) - offset), start - from)
      }
      return bytes
    }
  }
}
