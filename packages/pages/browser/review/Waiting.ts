/** Asks again for what the drive is still making: a version that browsers play, the shape of the sound, the frame rate. */
import type { OpenedReview } from "./OpenedReview.ts"

const previewMillis = { first: 2_000, longest: 15_000 }

/** The rate is there within seconds, the shape of a long file's sound after a quarter of an hour; silent films never have one. */
const factMillis = { first: 4_000, longest: 180_000 }

/** Six while the file is probed, and then an hour's. */
const factTries = 26

/** Whether it is still being made: also by a word of a newer drive's. */
export const isBeingMade = ({ status }: OpenedReview["preview"]): boolean =>
  !["none", "done", "failed"].includes(status)

/** What players are shown of a file is found by several jobs, and the preview's may be the first to end. */
const lacksFacts = ({ file, peaksUrl, stream }: OpenedReview): boolean =>
  stream !== null && (peaksUrl === null && (file.type === "Audio" || file.type === "Video") ||
    file.type === "Video" && file.frameRate === null)

export const makeWaiting = (ask: () => Promise<void>) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let shownProgress = -1
  let delay = previewMillis.first
  let tries = 0
  /** When it was asked last. Who comes and goes does not wait longer for that. */
  let since: number | undefined

  const stop = (): void => clearTimeout(timer)

  const after = (millis: number, onAsk?: () => void): void => {
    since ??= performance.now()
    timer = setTimeout(() => {
      since = performance.now()
      onAsk?.()
      void ask()
    }, Math.max(0, since + millis - performance.now()))
  }

  return {
    stop,
    /** Has it asked again, if there is anything to wait for. Longer each time, unless it goes on. */
    look: (opened: OpenedReview): void => {
      stop()
      const { preview } = opened
      const { progress } = preview
      if (isBeingMade(preview)) {
        delay = progress > shownProgress ? previewMillis.first : Math.min(previewMillis.longest, delay * 1.5)
        shownProgress = progress
        after(delay)
      } else if (lacksFacts(opened) && tries < factTries) {
        after(Math.min(factMillis.longest, factMillis.first * 2 ** tries), () => void tries++)
      }
    }
  }
}
