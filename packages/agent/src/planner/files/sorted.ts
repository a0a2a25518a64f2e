/** Orders of files. */
import type { FileRecord } from "../drive/Records.ts"
import type { Sort } from "./FileQuery.ts"

const comparators: Readonly<Record<Sort, (a: FileRecord, b: FileRecord) => number>> = {
  newest: (a, b) => b.insertTime.localeCompare(a.insertTime),
  oldest: (a, b) =>
    a.insertTime.localeCompare(b.insertTime) || a.fileName.localeCompare(b.fileName, "en", { numeric: true }),
  largest: (a, b) => b.fileSize - a.fileSize,
  smallest: (a, b) => a.fileSize - b.fileSize,
  name: (a, b) => a.fileName.localeCompare(b.fileName, "en", { numeric: true }),
  longest: (a, b) => (b.media?.duration ?? -1) - (a.media?.duration ?? -1),
  shortest: (a, b) => (a.media?.duration ?? Infinity) - (b.media?.duration ?? Infinity),
  fastest: (a, b) => (b.media?.tempo ?? -1) - (a.media?.tempo ?? -1),
  slowest: (a, b) => (a.media?.tempo ?? Infinity) - (b.media?.tempo ?? Infinity)
}

export const sorted = (files: ReadonlyArray<FileRecord>, sort: Sort): ReadonlyArray<FileRecord> =>
  files.toSorted(comparators[sort])
