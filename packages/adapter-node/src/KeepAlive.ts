/**
 * What keeps the process running. A drive's sockets, threads and timers don't, unless something is under way on them: so a
 * script that forgets `close` still ends. A host's own calls do from their beginning to their end, whatever they wait for.
 */

/** The longest time that a timer takes, 24 days. */
const timerMaxMillis = 2 ** 31 - 1

export class KeepAlive {
  #count = 0
  #timer: NodeJS.Timeout | undefined

  /** Keeps the process running until the function that it returns is called; repeating that is safe. */
  hold(): () => void {
    if (this.#count++ === 0) this.#timer = setInterval(() => {}, timerMaxMillis)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      if (--this.#count === 0) clearInterval(this.#timer)
    }
  }

  /** The same for as long as a promise takes. */
  async during<A>(work: Promise<A>): Promise<A> {
    const release = this.hold()
    try {
      return await work
    } finally {
      release()
    }
  }
}
