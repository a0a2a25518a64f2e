/** Tries something again by itself after it failed: after a while, when the network is back, and when somebody comes back to look. */
export interface Again {
  readonly soon: () => void
  readonly stop: () => void
}

const againMillis = 15_000

export const makeAgain = (run: () => unknown): Again => {
  let timer: ReturnType<typeof setTimeout> | undefined

  const stop = (): void => {
    clearTimeout(timer)
    removeEventListener("online", now)
    document.removeEventListener("visibilitychange", now)
  }

  const now = (): void => {
    // Nobody looks: it is tried when somebody does.
    if (document.visibilityState !== "visible") return
    stop()
    run()
  }

  return {
    stop,
    soon: () => {
      stop()
      timer = setTimeout(now, againMillis)
      addEventListener("online", now)
      document.addEventListener("visibilitychange", now)
    }
  }
}
