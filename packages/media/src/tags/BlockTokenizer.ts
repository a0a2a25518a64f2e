/**
 * Reads a file of which only some blocks are available, as `music-metadata` requires
 * it. A missing block is recorded, so that it can be fetched and the file be
 * read again: a sandboxed process fetches nothing itself.
 */
import { AbstractTokenizer, EndOfStreamError, type IReadChunkOptions } from "strtok3"
import { blockBytes } from "../SourceBlocks.ts"
import * as Id3 from "./Id3.ts"

/** First and last block, inclusive. */
export interface BlockRange {
  readonly first: number
  readonly last: number
}

export class BlockTokenizer extends AbstractTokenizer {
  readonly fileInfo: { readonly size: number; readonly mimeType: string }
  /** The first block that was read and is not available. */
  missing: BlockRange | null = null
  private readonly blocks: ReadonlyMap<number, Uint8Array>
  /** Where ID3 tags were read, by their beginning. */
  private readonly id3 = new Map<number, number>()

  constructor(file: { readonly size: number; readonly mimeType: string }, blocks: ReadonlyMap<number, Uint8Array>) {
    super({ fileInfo: file, maxBufferSize: 32 * 1024 ** 2 })
    this.fileInfo = file
    this.blocks = blocks
  }

  override supportsRandomAccess(): boolean {
    return true
  }

  setPosition(position: number): void {
    this.position = position
  }

  override async readBuffer(buffer: Uint8Array, options: IReadChunkOptions = {}): Promise<number> {
    if (options.position !== undefined) this.position = options.position
    const read = await this.peekBuffer(buffer, { ...options, position: this.position })
    const size = Id3.sizeAt(buffer.subarray(0, read))
    if (size !== null) this.id3.set(this.position, size)
    this.position += read
    return read
  }

  /** The ID3 tags that were read, in their order in the file. */
  id3Tags(): ReadonlyArray<Uint8Array> {
    return [...this.id3].toSorted(([a], [b]) => a - b).flatMap(([at, size]) => {
      const tag = this.available(at, Math.min(size, this.fileInfo.size - at))
      return tag === null ? [] : [tag]
    })
  }

  /** Null where a block of it is not available. */
  private available(at: number, length: number): Uint8Array | null {
    const bytes = new Uint8Array(length)
    for (let filled = 0; filled < length;) {
      const place = at + filled
      const block = this.blocks.get(Math.floor(place / blockBytes))
      const piece = block?.subarray(place % blockBytes, place % blockBytes + length - filled)
      if (piece === undefined || piece.byteLength === 0) return null
      bytes.set(piece, filled)
      filled += piece.byteLength
    }
    return bytes
  }

  override async peekBuffer(buffer: Uint8Array, options: IReadChunkOptions = {}): Promise<number> {
    const { length, mayBeLess, position } = this.normalizeOptions(buffer, options)
    const available = Math.max(0, Math.min(length, this.fileInfo.size - position))
    if (available < length && !mayBeLess) throw new EndOfStreamError()
    for (let filled = 0; filled < available;) {
      const at = position + filled
      const block = this.blocks.get(Math.floor(at / blockBytes))
      if (block === undefined) {
        // The rest is needed too: so a picture of megabytes is fetched at once.
        this.missing ??= {
          first: Math.floor(at / blockBytes),
          last: Math.floor((position + available - 1) / blockBytes)
        }
        throw new EndOfStreamError()
      }
      const piece = block.subarray(at % blockBytes, at % blockBytes + available - filled)
      buffer.set(piece, filled)
      filled += piece.byteLength
    }
    return available
  }
}
