/** Writes a PNG of 24 bits a point, by zlib alone. */
import { promisify } from "node:util"
import { crc32, deflate } from "node:zlib"

const deflated = promisify(deflate)

const chunk = (type: string, data: Uint8Array): Buffer => {
  const made = Buffer.alloc(data.length + 12)
  made.writeUInt32BE(data.length, 0)
  made.write(type, 4, "latin1")
  made.set(data, 8)
  made.writeUInt32BE(crc32(made.subarray(4, data.length + 8)), data.length + 8)
  return made
}

/** Bytes of one row in {@link png}: how its points are written (0: as they are), and red, green and blue of each. */
export const rowBytes = (width: number): number => 1 + width * 3

/** The PNG of these rows. Compressed in a thread, not in the caller's. */
export const png = async (width: number, height: number, rows: Uint8Array): Promise<Uint8Array> => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // 8 bits, colour without transparency.
  head.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", await deflated(rows, { level: 3 })),
    chunk("IEND", new Uint8Array())
  ])
}
