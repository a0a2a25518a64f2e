/** Boxes of MP4, read and written. Reading beyond what is there throws a RangeError. */

export interface Box {
  readonly type: string
  /** What it contains, behind its header. */
  readonly body: Uint8Array
  /** With its header. */
  readonly whole: Uint8Array
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const typeAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4))

/** A number of 64 bits. Larger ones than can be counted exactly throw. */
export const uint64 = (view: DataView, at: number): number => {
  const value = Number(view.getBigUint64(at))
  if (!Number.isSafeInteger(value)) throw new RangeError("a number is too large")
  return value
}

/** The boxes in a piece of bytes, one after the other. */
export const boxesIn = (bytes: Uint8Array): ReadonlyArray<Box> => {
  const view = viewOf(bytes)
  const boxes: Array<Box> = []
  for (let at = 0; at < bytes.length;) {
    const size = view.getUint32(at)
    if (size < 8 || at + size > bytes.length) throw new RangeError("a box has a wrong size")
    boxes.push({
      type: typeAt(bytes, at + 4),
      body: bytes.subarray(at + 8, at + size),
      whole: bytes.subarray(at, at + size)
    })
    at += size
  }
  return boxes
}

export const childOf = (bytes: Uint8Array, type: string): Uint8Array | undefined =>
  boxesIn(bytes).find((box) => box.type === type)?.body

export const needed = (bytes: Uint8Array, type: string): Uint8Array => {
  const body = childOf(bytes, type)
  if (body === undefined) throw new RangeError(`a box ${type} is missing`)
  return body
}

export const concat = (pieces: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

export const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** Numbers of 32 bits; negative ones in two's complement. */
export const words = (numbers: ReadonlyArray<number>): Uint8Array => {
  const bytes = new Uint8Array(4 * numbers.length)
  const view = viewOf(bytes)
  for (let at = 0; at < numbers.length; at++) view.setUint32(4 * at, numbers[at]! >>> 0)
  return bytes
}

/** Numbers of 64 bits. */
export const longs = (numbers: ReadonlyArray<number>): Uint8Array => {
  const bytes = new Uint8Array(8 * numbers.length)
  const view = viewOf(bytes)
  for (let at = 0; at < numbers.length; at++) view.setBigUint64(8 * at, BigInt(numbers[at]!))
  return bytes
}

export const box = (type: string, ...pieces: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> => {
  const body = concat(pieces)
  return concat([words([body.length + 8]), ascii(type), body])
}

/** One with a version and flags. */
export const fullBox = (type: string, version: number, ...pieces: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> =>
  box(type, words([version << 24]), ...pieces)
