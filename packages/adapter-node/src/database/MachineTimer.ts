/** Timers of the machine's own clock, whatever clock the drive is told to have: they are about sockets. */

/** Runs `run` after so long. Returns a function that cancels it. */
export const after = (millis: number, run: () => void): () => void => {
  const timer = setTimeout(run, millis)
  return () => clearTimeout(timer)
}
