/** The cyclic redundancy checks that S3 knows and Node lacks. Both are reflected: the table is of the polynomial read backwards. */

/** CRC-32C (Castagnoli). */
const table32c = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value
})

/** The check of `bytes` behind those that `before` is the check of; 0 before the first. */
export const crc32c = (bytes: Uint8Array, before = 0): number => {
  let value = ~before
  for (const byte of bytes) value = (value >>> 8) ^ table32c[(value ^ byte) & 0xff]!
  return ~value >>> 0
}

/** The polynomial of CRC-64/NVME, backwards, in two halves: numbers are many times as fast as `BigInt`. */
const [polynomialHigh, polynomialLow] = [0x9a6c9329, 0xac4bc9b5]
const [tableHigh, tableLow] = [new Uint32Array(256), new Uint32Array(256)]
for (let byte = 0; byte < 256; byte++) {
  let [high, low] = [0, byte]
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = (low & 1) === 1
    low = (low >>> 1) | (high << 31)
    high >>>= 1
    if (isOdd) {
      high ^= polynomialHigh
      low ^= polynomialLow
    }
  }
  tableHigh[byte] = high
  tableLow[byte] = low
}

/** CRC-64/NVME of bytes as they arrive. */
export class Crc64Nvme {
  #high = -1
  #low = -1

  add(bytes: Uint8Array): void {
    let [high, low] = [this.#high, this.#low]
    for (const byte of bytes) {
      const at = (low ^ byte) & 0xff
      low = ((low >>> 8) | (high << 24)) ^ tableLow[at]!
      high = (high >>> 8) ^ tableHigh[at]!
    }
    this.#high = high
    this.#low = low
  }

  /** The check as 8 bytes, the highest first. */
  end(): Buffer {
    const bytes = Buffer.alloc(8)
    bytes.writeUInt32BE(~this.#high >>> 0, 0)
    bytes.writeUInt32BE(~this.#low >>> 0, 4)
    return bytes
  }
}
