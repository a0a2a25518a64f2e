/**
 * Keeps the process running while there is work. A drive's sockets, threads and timers alone don't, so a script that forgets
 * `close` still ends. A host's call keeps it running from its beginning to its end, whatever the call waits for.
 */

/** The longest delay of a timer: 24 days. */
const timerMaxMillis = 2 ** 31 - 1

export class KeepAlive {
  #count = 0
  #timer: NodeJS.Timeout | undefined

  /** Keeps the process running until the returned function is called. Calling that again does nothing. */
  hold(): () => void {
    if (this.#count++ === 0) this.#timer = setInterval(() => {}, timerMaxMillis)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      if (--this.#count === 0) clearInterval(this.#timer)
    }
  }

  /** Keeps the process running until the promise is settled. */
  async during<A>(work: Promise<A>): Promise<A> {
    const release = this.hold()
    try {
      return await work
    } finally {
      release()
    }
  }
}
