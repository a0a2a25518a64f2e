/** Most seconds that a byte of a file can last: a still picture shown for hours stays far below. */
const secondsPerByte = 10

/** The longest that a file of so many bytes can play. */
export const longestSeconds = (sizeBytes: number): number => sizeBytes * secondsPerByte

/** A duration as a file states it, in seconds; null when it is not a number or not plausible. */
export const plausibleDuration = (seconds: number | null | undefined, sizeBytes: number): number | null =>
  typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0 && seconds <= longestSeconds(sizeBytes)
    ? seconds
    : null
