/** Asks again and again, as often as it is worth it: pauses while nobody looks, and waits longer while there is no answer. */

const retryMillis = 2_000
const retryMaxMillis = 60_000

export interface PollingOptions {
  /** Fails when there is no answer. `isRepeated`: time has passed, and nothing else is known to have happened. */
  readonly ask: (isRepeated: boolean) => Promise<void>
  /** Until the next time, when all is well. */
  readonly restMillis: () => number
  /** Other pages of this drive in this browser, which learn of what was changed here. */
  readonly channel: string
}

export interface Polling {
  /** Asks at once. */
  readonly now: () => Promise<void>
  /** Asks at once here and on the other pages. */
  readonly changed: () => Promise<void>
}

export const startPolling = ({ ask, channel, restMillis }: PollingOptions): Polling => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let running: Promise<void> | undefined
  let isAsked = false

  const later = () => {
    clearTimeout(timer)
    if (document.visibilityState !== "visible") return
    const rest = failures === 0 ? restMillis() : Math.min(retryMaxMillis, retryMillis * 2 ** (failures - 1))
    timer = setTimeout(() => void begin(true), rest)
  }

  const run = async (isRepeated: boolean) => {
    clearTimeout(timer)
    // What was changed while it was being asked for may be missing in the answer.
    for (let first = true; first || isAsked; first = false) {
      isAsked = false
      try {
        await ask(first && isRepeated)
        failures = 0
      } catch {
        // `ask` has shown what is wrong.
        failures++
      }
    }
    running = undefined
    later()
  }

  const begin = (isRepeated: boolean): Promise<void> => {
    isAsked = running !== undefined
    return running ??= run(isRepeated)
  }
  const now = (): Promise<void> => begin(false)

  const others = new BroadcastChannel(channel)
  others.addEventListener("message", () => void now())
  addEventListener("online", () => void now())
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void now()
    else clearTimeout(timer)
  })

  return {
    now,
    changed: () => {
      others.postMessage(null)
      return now()
    }
  }
}
