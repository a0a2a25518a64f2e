/** A set of docs of a segment, a bit each. */
export type Bitmap = Uint32Array

export const empty = (docCount: number): Bitmap => new Uint32Array(Math.ceil(docCount / 32))

export const has = (bitmap: Bitmap, doc: number): boolean => (bitmap[doc >>> 5]! & (1 << (doc & 31))) !== 0

export const add = (bitmap: Bitmap, doc: number): void => {
  bitmap[doc >>> 5]! |= 1 << (doc & 31)
}

export const addAll = (bitmap: Bitmap, docs: ArrayLike<number>): void => {
  for (let at = 0; at < docs.length; at++) add(bitmap, docs[at]!)
}

export const of = (docCount: number, docs: ArrayLike<number>): Bitmap => {
  const bitmap = empty(docCount)
  addAll(bitmap, docs)
  return bitmap
}

export const count = (bitmap: Bitmap): number => {
  let sum = 0
  for (let word of bitmap) {
    word -= (word >>> 1) & 0x55555555
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
    sum += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return sum
}

/** The docs in it, ascending. */
export const toList = (bitmap: Bitmap): Uint16Array => {
  const docs = new Uint16Array(count(bitmap))
  let at = 0
  for (let index = 0; index < bitmap.length; index++) {
    let word = bitmap[index]!
    while (word !== 0) {
      const lowest = word & -word
      docs[at++] = index * 32 + 31 - Math.clz32(lowest)
      word ^= lowest
    }
  }
  return docs
}
