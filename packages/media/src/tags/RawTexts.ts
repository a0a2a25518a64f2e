/** The bytes of texts that are UTF-8 by the rules of their tag, and were written in an old code page: `music-metadata` can't decode them. */
import { blockBytes } from "../SourceBlocks.ts"

/** Blocks that follow one another, put together. */
export const runsOf = (blocks: ReadonlyMap<number, Uint8Array>): ReadonlyArray<Buffer> => {
  const runs: Array<Array<Uint8Array>> = []
  let next = -1
  for (const [block, bytes] of [...blocks].toSorted(([a], [b]) => a - b)) {
    if (block !== next) runs.push([])
    runs.at(-1)!.push(bytes)
    next = bytes.byteLength === blockBytes ? block + 1 : -1
  }
  return runs.map((run) => Buffer.concat(run))
}

const escaped = (id: string): string => id.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

interface Layout {
  /** What stands behind a field's name. */
  readonly behind: string
  /** Bytes from the end of the name and what is behind it to its value. */
  readonly skip: number
  /** How long the value is, where the name stands at `at`. */
  readonly lengthOf: (run: Buffer, at: number, nameBytes: number) => number
}

/** By the kind of tag: Vorbis comments, APE, and boxes of MP4. */
const layouts: Readonly<Record<string, Layout>> = {
  vorbis: {
    behind: "=",
    skip: 0,
    lengthOf: (run, at, nameBytes) => at < 4 ? 0 : run.readUInt32LE(at - 4) - nameBytes - 1
  },
  APEv2: { behind: "\\u0000", skip: 0, lengthOf: (run, at) => at < 8 ? 0 : run.readUInt32LE(at - 8) },
  iTunes: {
    behind: "[^]{4}data",
    skip: 8,
    lengthOf: (run, at, nameBytes) => run.readUInt32BE(at + nameBytes) - 16
  }
}

const mostBytes = 100_000

/** Null where they are not found: the decoded text must be the one that is known. */
export const rawText = (runs: ReadonlyArray<Buffer>, kind: string, id: string, text: string): Uint8Array | null => {
  const layout = layouts[kind]
  if (layout === undefined) return null
  const pattern = new RegExp(`${escaped(id)}${layout.behind}`, "gi")
  for (const run of runs) {
    for (const { index, 0: found } of run.toString("latin1").matchAll(pattern)) {
      const length = layout.lengthOf(run, index, id.length)
      const start = index + found.length + layout.skip
      if (length <= 0 || length > mostBytes || start + length > run.length) continue
      const bytes = run.subarray(start, start + length)
      if (new TextDecoder().decode(bytes) === text) return bytes
    }
  }
  return null
}
