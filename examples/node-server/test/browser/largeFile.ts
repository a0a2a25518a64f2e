/** A large file that differs from position to position and takes little memory, for pages and for those who look at what has come. */

export const sliceBytes = 1024 ** 2

/** The first bytes of each slice tell its place; what follows is the same in all of them. */
export const headOf = (slice: number): Uint8Array<ArrayBuffer> => new TextEncoder().encode(String(slice).padStart(16))

export const rest = (): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: sliceBytes - 16 }, (_, at) => (at * 31 + (at >> 7)) % 251)
