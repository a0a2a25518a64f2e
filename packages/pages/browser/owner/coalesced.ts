/** Runs one at a time. A call while it runs has it run once more afterwards, however many there are. */
export type Coalesced = () => Promise<void>

export const coalesced = (run: () => Promise<void>): Coalesced => {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = (): Promise<void> => {
    running = run().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (running === undefined) return start()
    next ??= running.catch(() => undefined).then(() => {
      next = undefined
      return start()
    })
    return next
  }
}
