/** Pixels of a whole JPEG, or null when the bytes are not one. */
export const jpegSize = (
  bytes: Uint8Array
): { readonly width: number; readonly height: number } | null => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isWhole = bytes.length > 4 && view.getUint16(0) === 0xffd8 && view.getUint16(bytes.length - 2) === 0xffd9
  if (!isWhole) return null
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = view.getUint16(at)
    if (marker >> 8 !== 0xff) return null
    const isFrameHeader = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)
    if (isFrameHeader) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += 2 + view.getUint16(at + 2)
  }
  return null
}
