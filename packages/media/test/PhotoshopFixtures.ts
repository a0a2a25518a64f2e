/** Photoshop files of one colour, without layers, as Photoshop writes their header and their picture. */

export const modes = { bitmap: 0, grey: 1, rgb: 3, cmyk: 4, multichannel: 7, duotone: 8, lab: 9 } as const

const side = 16

const plane = (depth: 8 | 16 | 32, value: number): Buffer => {
  const data = Buffer.alloc((side * side * depth) / 8)
  for (let i = 0; i < side * side; i++) {
    if (depth === 8) data[i] = value
    else if (depth === 16) data.writeUInt16BE(value, i * 2)
    else data.writeFloatBE(value, i * 4)
  }
  return data
}

/** A channel for each of `values`, in the unit of the depth. */
export const photoshop = (mode: keyof typeof modes, depth: 8 | 16 | 32, values: ReadonlyArray<number>): Uint8Array => {
  const header = Buffer.alloc(26)
  header.write("8BPS")
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(values.length, 12)
  header.writeUInt32BE(side, 14)
  header.writeUInt32BE(side, 18)
  header.writeUInt16BE(depth, 22)
  header.writeUInt16BE(modes[mode], 24)
  // No palette, resources or layers, and no compression.
  return Buffer.concat([header, Buffer.alloc(4 + 4 + 4 + 2), ...values.map((value) => plane(depth, value))])
}
