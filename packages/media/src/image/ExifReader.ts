/**
 * Reads the metadata of an image, by ExifReader. The build bundles it into this
 * module, so that hosts need not install it: it has an install script.
 */
import exifreader from "exifreader"

export interface Tag {
  readonly value: unknown
  readonly description: string | number
}
export type Tags = Readonly<Record<string, Tag | undefined>>

// Node does not find its named exports.
// oxlint-disable-next-line import/no-named-as-default-member
const { load } = exifreader

/** Tags by the block they are in. */
export interface Written {
  readonly exif?: Tags
  readonly gps?: { readonly Latitude?: number; readonly Longitude?: number }
  readonly iptc?: Tags
  readonly xmp?: Tags
  readonly pngText?: Tags
}

/** No tags when these bytes are not a container that it knows, or nothing in them is complete. */
export const written = (bytes: Uint8Array): Written => {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return load(buffer, { expanded: true }) as unknown as Written
  } catch {
    return {}
  }
}
