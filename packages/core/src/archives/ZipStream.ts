/**
 * Writes any stretch of an archive: its records, and between them the bytes of
 * its entries as their source gives them. Memory stays the same whatever the
 * size: a block of small things, or what the source has in hand of a large one.
 */
import { Effect, Stream } from "effect"
import * as OwnedBuffers from "../shared/OwnedBuffers.ts"
import type { CrcFunction } from "./TableCrc32.ts"
import * as Zip from "./Zip.ts"
import * as ZipPlan from "./ZipPlan.ts"

/** Where a writer has its entries from; they are counted as in the plan. */
export interface ZipSource<Entry extends Zip.Entry, E> {
  /** Entries `from` up to `to`. */
  readonly entries: (from: number, to: number) => Effect.Effect<ReadonlyArray<Entry>, E>
  /** Exactly the bytes `from` up to `to` of an entry, else it fails. */
  readonly bytes: (entry: Entry, from: number, to: number) => Stream.Stream<Uint8Array, E>
}

/** Small things are put together up to this size. */
const blockMaxBytes = 1024 * 1024

/** Longer runs of an entry's bytes pass through as they come. */
const smallMaxBytes = 256 * 1024

/** Things that are one block; also how many entries are asked for at once. */
const blockMaxPieces = 512

/** Small entries that are read at once. */
const readsAtOnce = 16

type Batch = ReadonlyArray<ZipPlan.Piece>

const isLarge = (piece: ZipPlan.Piece) => piece.kind === "bytes" && piece.to - piece.from > smallMaxBytes

const isOfEntry = ({ kind }: ZipPlan.Piece) => kind === "local" || kind === "bytes" || kind === "descriptor"

/** The pieces by blocks; a large one is alone. */
function* batches(pieces: Iterable<ZipPlan.Piece>): Generator<Batch> {
  let batch: Array<ZipPlan.Piece> = []
  let length = 0
  for (const piece of pieces) {
    const size = piece.to - piece.from
    const [first] = batch
    const isFull = batch.length === blockMaxPieces || length + size > blockMaxBytes
    if (first !== undefined && (isLarge(piece) || isFull || isOfEntry(first) !== isOfEntry(piece))) {
      yield batch
      batch = []
      length = 0
    }
    if (isLarge(piece)) {
      yield [piece]
      continue
    }
    batch.push(piece)
    length += size
  }
  if (batch.length > 0) yield batch
}

/**
 * Bytes `from` up to `to` of the planned archive.
 *
 * `crcs` has one place for each entry: what is known when this begins (of the entry that `from` is in, the CRC of
 * its bytes before), and, as bytes pass, what is known then. The directory is written of it.
 */
export const stretch = <Entry extends Zip.Entry, E>(
  { crc32, crcs, from, plan, source, to }: {
    readonly plan: ZipPlan.ZipPlan
    readonly source: ZipSource<Entry, E>
    readonly crcs: Uint32Array
    readonly crc32: CrcFunction
    readonly from: number
    readonly to: number
  }
): Stream.Stream<Uint8Array, E> => {
  /** Takes bytes of an entry into account; `start` is where they begin in it. */
  const count = (of: number, start: number, bytes: Uint8Array) => {
    crcs[of] = crc32(bytes, start === 0 ? 0 : crcs[of])
  }

  const record = (piece: ZipPlan.Piece, entry: Entry | undefined): Uint8Array => {
    switch (piece.kind) {
      case "local":
        // An entry that has no bytes has a CRC all the same.
        crcs[piece.of] = 0
        return Zip.local(entry!)
      case "descriptor":
        return Zip.descriptor(plan.sizeOf(piece.of).sizeBytes, crcs[piece.of]!)
      case "central":
        return Zip.central(entry!, crcs[piece.of]!, plan.starts[piece.of]!)
      default:
        return Zip.end(ZipPlan.directory(plan))
    }
  }

  const entriesOf = (batch: Batch) => {
    const last = Math.min(batch.at(-1)!.of, plan.count - 1)
    return batch[0]!.of > last ? Effect.succeed([]) : source.entries(batch[0]!.of, last + 1)
  }

  const streamed = (piece: ZipPlan.Piece) =>
    Stream.unwrap(Effect.map(source.entries(piece.of, piece.of + 1), ([entry]) => {
      let at = piece.from
      return Stream.map(source.bytes(entry!, piece.from, piece.to), (bytes) => {
        count(piece.of, at, bytes)
        at += bytes.length
        return bytes
      })
    }))

  const block = Effect.fnUntraced(function*(batch: Batch) {
    const entries = yield* entriesOf(batch)
    const entryOf = (piece: ZipPlan.Piece) => entries[piece.of - batch[0]!.of]
    const read = yield* Effect.forEach(
      batch.filter(({ kind }) => kind === "bytes"),
      (piece) => Stream.runCollect(source.bytes(entryOf(piece)!, piece.from, piece.to)),
      { concurrency: readsAtOnce }
    )
    const bytes = new Uint8Array(batch.reduce((sum, piece) => sum + piece.to - piece.from, 0))
    let [at, taken] = [0, 0]
    for (const piece of batch) {
      if (piece.kind !== "bytes") {
        bytes.set(record(piece, entryOf(piece)).subarray(piece.from, piece.to), at)
        at += piece.to - piece.from
        continue
      }
      let place = piece.from
      for (const chunk of read[taken++]!) {
        count(piece.of, place, chunk)
        bytes.set(chunk, at)
        place += chunk.length
        at += chunk.length
        OwnedBuffers.release(chunk)
      }
    }
    return OwnedBuffers.asOwned(bytes)
  })

  return Stream.fromIterable({ [Symbol.iterator]: () => batches(ZipPlan.pieces(plan, from, to)) }, { chunkSize: 1 })
    .pipe(
      Stream.flatMap((batch) => isLarge(batch[0]!) ? streamed(batch[0]!) : Stream.fromEffect(block(batch)))
    )
}
