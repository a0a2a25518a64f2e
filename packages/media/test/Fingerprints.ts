/** Comparing soundprints with what `fpcalc` prints. */

/** Share of the bits that differ, where both have any. */
export const bitError = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number => {
  const length = Math.min(a.length, b.length)
  let bits = 0
  for (let i = 0; i < length; i++) {
    for (let rest = (a[i]! ^ b[i]!) >>> 0; rest > 0; rest &= rest - 1) bits++
  }
  return bits / (32 * length)
}

const bitReader = (bytes: Uint8Array) => (index: number, bits: number) => {
  let value = 0
  for (let bit = 0; bit < bits; bit++) {
    const at = index * bits + bit
    value |= ((bytes[at >> 3]! >> (at & 7)) & 1) << bit
  }
  return value
}

/**
 * What `fpcalc` prints, as numbers: for each, how far apart its changed bits are, in threes of bits with 0 at its end; the
 * rest of distances over 6 follows in fives.
 */
export const decompressed = (text: string): ReadonlyArray<number> => {
  const bytes = Buffer.from(text, "base64url")
  const count = bytes.readUIntBE(1, 3)
  const three = bitReader(bytes.subarray(4))
  const distances: Array<number> = []
  for (let ends = 0; ends < count;) {
    const distance = three(distances.length, 3)
    distances.push(distance)
    if (distance === 0) ends++
  }
  const five = bitReader(bytes.subarray(4 + Math.ceil((distances.length * 3) / 8)))
  const numbers: Array<number> = []
  let [large, bit, changed] = [0, 0, 0]
  for (const distance of distances) {
    if (distance === 0) {
      numbers.push(((numbers.at(-1) ?? 0) ^ changed) >>> 0)
      bit = changed = 0
    } else {
      bit += distance === 7 ? 7 + five(large++, 5) : distance
      changed |= 1 << (bit - 1)
    }
  }
  return numbers
}
