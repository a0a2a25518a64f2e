/** Most seconds that a byte of a file can last: a still picture shown for hours stays far below. */
const secondsPerByte = 10

/** The longest that a file of so many bytes can play. */
export const longestSeconds = (sizeBytes: number): number => sizeBytes * secondsPerByte

/** A length as a file states it, in seconds; null for what is none or can't be so. */
export const plausibleDuration = (seconds: number | null | undefined, sizeBytes: number): number | null =>
  typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0 && seconds <= longestSeconds(sizeBytes)
    ? seconds
    : null
