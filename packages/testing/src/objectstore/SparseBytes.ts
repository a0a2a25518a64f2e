/**
 * Bytes that may be described instead of held: a part of 200 MiB of zeros
 * takes a few words of memory.
 */
import { Stream } from "effect"

type Run = Uint8Array<ArrayBuffer> | { readonly length: number }

export type SparseBytes = ReadonlyArray<Run>

export const of = (bytes: Uint8Array<ArrayBuffer>): SparseBytes => bytes.length === 0 ? [] : [bytes]

export const zeros = (length: number): SparseBytes => length === 0 ? [] : [{ length }]

export const length = (self: SparseBytes): number => self.reduce((sum, run) => sum + run.length, 0)

/** From byte `start` up to and without `end`. */
export const slice = (self: SparseBytes, start: number, end: number): SparseBytes => {
  const kept: Array<Run> = []
  let at = 0
  for (const run of self) {
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, run.length)]
    if (from < to) kept.push(run instanceof Uint8Array ? run.subarray(from, to) : { length: to - from })
    at += run.length
  }
  return kept
}

const emptyBlock = new Uint8Array(1024 * 1024)

/** The bytes in blocks, zeros made as they are read. */
export function* blocks(self: SparseBytes): Generator<Uint8Array<ArrayBuffer>> {
  for (const run of self) {
    if (run instanceof Uint8Array) {
      yield run
      continue
    }
    for (let left = run.length; left > 0; left -= emptyBlock.length) {
      yield emptyBlock.subarray(0, Math.min(left, emptyBlock.length))
    }
  }
}

export const stream = (self: SparseBytes): Stream.Stream<Uint8Array<ArrayBuffer>> =>
  Stream.fromIterable({ [Symbol.iterator]: () => blocks(self) }, { chunkSize: 1 })
