/** A host's logo: what its bytes are. */
import { sha256 } from "./Representation.ts"

export interface Logo {
  readonly mimeType: string
  readonly extension: string
}

const svg = /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!DOCTYPE[^>]*>\s*)?<svg[\s>]/

const kinds: ReadonlyArray<readonly [is: (start: string) => boolean, logo: Logo]> = [
  [(start) => start.startsWith("\x89PNG\r\n\x1a\n"), { mimeType: "image/png", extension: "png" }],
  [(start) => start.startsWith("\xff\xd8\xff"), { mimeType: "image/jpeg", extension: "jpg" }],
  [(start) => /^RIFF[^]{4}WEBP/.test(start), { mimeType: "image/webp", extension: "webp" }],
  [(start) => svg.test(start), { mimeType: "image/svg+xml", extension: "svg" }]
]

/** By its first bytes; undefined where they are of no image that every browser shows. */
export const logoOf = (bytes: Uint8Array): Logo | undefined => {
  const start = String.fromCharCode(...bytes.subarray(0, 2_048))
  return kinds.find(([is]) => is(start))?.[1]
}

/** Its name among the assets: with a hash of its content, so that browsers keep it. */
export const logoName = (bytes: Uint8Array): string =>
  `logo-${sha256(bytes, "hex").slice(0, 12)}.${logoOf(bytes)!.extension}`
