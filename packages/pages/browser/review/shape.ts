/** The shape of the sound, as it is read from storage. The page is usable without it. */
import { signal } from "@preact/signals"
import { parsePeaks } from "./peaks.ts"

/** `onLost`: the drive has made it, and it could not be read. */
export const makeShape = (onLost: () => void) => {
  const peaks = signal<ReadonlyArray<number> | null>(null)
  let isLost = false
  return {
    peaks,
    isLost: (): boolean => isLost,
    read: async (url: string): Promise<void> => {
      try {
        const response = await fetch(url)
        if (!response.ok) throw new Error(`The shape of the sound was refused (${response.status}).`)
        peaks.value = parsePeaks(await response.json())
        isLost = false
      } catch {
        isLost = true
        onLost()
      }
    }
  }
}
