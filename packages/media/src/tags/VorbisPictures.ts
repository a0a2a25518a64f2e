/**
 * The pictures of FLAC and Ogg. `music-metadata` gives a file up if one of its pictures is damaged; here the others count.
 */
import type { BlockTokenizer } from "./BlockTokenizer.ts"
import * as Id3 from "./Id3.ts"

/** Bytes of all pictures that are read; booklets can be far larger. */
const picturesMaxBytes = 20e6
const blocksMax = 200
const pagesMax = 5_000

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const read = async (file: BlockTokenizer, at: number, length: number): Promise<Buffer> => {
  const bytes = new Uint8Array(length)
  await file.readBuffer(bytes, { position: at })
  return asBuffer(bytes)
}

/** As FLAC has it (METADATA_BLOCK_PICTURE); null where it is damaged, or a link. */
const pictureIn = (block: Buffer): Id3.Id3Picture | null => {
  if (block.length < 32) return null
  const formatEnd = 8 + block.readUInt32BE(4)
  if (formatEnd + 4 > block.length || block.toString("latin1", 8, formatEnd) === "-->") return null
  const start = formatEnd + 4 + block.readUInt32BE(formatEnd) + 20
  return start >= block.length ? null : { type: block.readUInt32BE(0), data: block.subarray(start) }
}

const known = (picture: Id3.Id3Picture | null): ReadonlyArray<Id3.Id3Picture> => picture === null ? [] : [picture]

const flacPicture = 6
const frontCover = 3

/** Front covers are read first, then the other pictures as far as they fit. */
const inFlac = async (file: BlockTokenizer, begin: number): Promise<ReadonlyArray<Id3.Id3Picture>> => {
  const blocks: Array<{ readonly at: number; readonly length: number; readonly isFront: boolean }> = []
  let at = begin
  for (let block = 0; block < blocksMax; block++) {
    const header = await read(file, at, 4)
    const length = header.readUIntBE(1, 3)
    at += 4
    if ((header[0]! & 0x7f) === flacPicture && length >= 4) {
      blocks.push({ at, length, isFront: (await read(file, at, 4)).readUInt32BE() === frontCover })
    }
    if (header[0]! >= 0x80) break
    at += length
  }
  const pictures: Array<Id3.Id3Picture> = []
  let left = picturesMaxBytes
  for (
    const { at, length } of [
      ...blocks.filter(({ isFront }) => isFront),
      ...blocks.filter(({ isFront }) => !isFront)
    ]
  ) {
    if (length > left) continue
    left -= length
    pictures.push(...known(pictureIn(await read(file, at, length))))
  }
  return pictures
}

/** The packets before the sound of the first stream: as many as hold comments, and pictures of FLAC. */
const headersIn = async (file: BlockTokenizer): Promise<ReadonlyArray<Buffer>> => {
  const packets: Array<Buffer> = []
  let pieces: Array<Buffer> = []
  let bytes = 0
  let stream: number | null = null
  let at = 0
  for (let page = 0; page < pagesMax && bytes < picturesMaxBytes; page++) {
    const head = await read(file, at, 27)
    if (head.toString("latin1", 0, 4) !== "OggS") break
    const serial = head.readUInt32LE(14)
    const lengths = await read(file, at + 27, head[26]!)
    const size = lengths.reduce((sum, length) => sum + length, 0)
    stream ??= serial
    if (serial === stream) {
      const body = await read(file, at + 27 + lengths.length, size)
      let from = 0
      for (const length of lengths) {
        pieces.push(body.subarray(from, from + length))
        bytes += length
        from += length
        if (length === 255) continue
        packets.push(Buffer.concat(pieces))
        pieces = []
      }
      const first = packets[0]
      const isFlac = first?.toString("latin1", 1, 5) === "FLAC"
      // Of FLAC the last header says that it is.
      const isOver = isFlac ? packets.slice(1).some(([kind]) => kind! >= 0x80) : packets.length > 1
      if (isOver) return packets
    }
    at += 27 + lengths.length + size
  }
  return packets
}

/** Where comments begin, by the packet that holds them. */
const commentStarts = [["\u0003vorbis", 7], ["OpusTags", 8], ["\u0081theora", 7]] as const

const inComments = (comments: Buffer): ReadonlyArray<Id3.Id3Picture> => {
  const pictures: Array<Id3.Id3Picture> = []
  if (comments.length < 8) return []
  let at = 4 + comments.readUInt32LE(0)
  if (at + 4 > comments.length) return []
  for (at += 4; at + 4 <= comments.length;) {
    const end = at + 4 + comments.readUInt32LE(at)
    if (end > comments.length) break
    const [, name, start] =
      /^(METADATA_BLOCK_PICTURE|COVERART)(=)/i.exec(comments.toString("latin1", at + 4, at + 30)) ?? []
    if (name !== undefined && start !== undefined) {
      const data = Buffer.from(comments.toString("latin1", at + 4 + name.length + 1, end), "base64")
      pictures.push(.../^COVERART$/i.test(name) ? [{ type: 0, data }] : known(pictureIn(data)))
    }
    at = end
  }
  return pictures
}

const inOgg = async (file: BlockTokenizer): Promise<ReadonlyArray<Id3.Id3Picture>> => {
  const [first, ...others] = await headersIn(file)
  if (first?.toString("latin1", 1, 5) === "FLAC") {
    return others.filter(([kind]) => (kind! & 0x7f) === flacPicture).flatMap((block) =>
      known(pictureIn(block.subarray(4)))
    )
  }
  const [comments = Buffer.alloc(0)] = others
  const start = commentStarts.find(([mark]) => comments.toString("latin1", 0, mark.length) === mark)?.[1] ?? 0
  return inComments(comments.subarray(start))
}

/** Null when the file is neither FLAC nor Ogg, whose pictures `music-metadata` reads. */
export const vorbisPictures = async (file: BlockTokenizer): Promise<ReadonlyArray<Id3.Id3Picture> | null> => {
  if (file.fileInfo.size < 64) return null
  const head = await read(file, 0, 10)
  if (head.toString("latin1", 0, 4) === "OggS") return inOgg(file)
  const begin = Id3.sizeAt(head) ?? 0
  if (begin + 8 > file.fileInfo.size) return null
  const mark = begin === 0 ? head : await read(file, begin, 4)
  return mark.toString("latin1", 0, 4) === "fLaC" ? inFlac(file, begin + 4) : null
}
