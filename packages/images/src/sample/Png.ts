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

/** The PNG of rows of red, green and blue, `width * 3` bytes each. Compressed in a thread, not in the caller's. */
export const png = async (width: number, height: number, points: Uint8Array): Promise<Uint8Array> => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // 8 bits, colour without transparency.
  head.set([8, 2], 8)
  const rowBytes = width * 3
  // Every row says how its points are written: as differences from the row above (2), which leaves little of a gradient.
  const rows = Buffer.alloc((rowBytes + 1) * height)
  for (let y = 0; y < height; y++) {
    const to = y * (rowBytes + 1)
    rows[to] = 2
    for (let x = 0; x < rowBytes; x++) {
      const above = y === 0 ? 0 : points[(y - 1) * rowBytes + x]!
      rows[to + 1 + x] = points[y * rowBytes + x]! - above
    }
  }
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", await deflated(rows, { level: 3 })),
    chunk("IEND", new Uint8Array())
  ])
}
