/** Has something loaded again when the drive tells of changes, however many it tells of: strangers may send without end. */

/** The drive tells of many things at once when a visitor writes many notes. */
const pauseMillis = 500

/** So many times as long as loading takes, at least, nothing is loaded afterwards: neither the page nor the drive is kept busy. */
const rest = 3

const restMaxMillis = 30_000

/** What comes while it loads is loaded afterwards. */
export const paced = (load: () => Promise<unknown>): () => void => {
  let isWanted = false
  let isBusy = false
  let restsUntil = 0
  const work = async (): Promise<void> => {
    isBusy = true
    while (isWanted) {
      const pause = Math.max(pauseMillis, restsUntil - Date.now())
      await new Promise((resolve) => setTimeout(resolve, pause))
      isWanted = false
      const begun = Date.now()
      // Whoever loads shows what is wrong.
      await load().catch(() => undefined)
      const ended = Date.now()
      restsUntil = ended + Math.min(restMaxMillis, (ended - begun) * rest)
    }
    isBusy = false
  }
  return () => {
    isWanted = true
    if (!isBusy) void work()
  }
}
