/** Counts the requests a drive is answering, so that closing it can wait for them. */
import type { KeepAlive } from "../KeepAlive.ts"

export class InFlight {
  readonly #alive: KeepAlive
  #count = 0
  #closing = false
  #idle: (() => void) | undefined

  /** Each request keeps the process running until it has ended. */
  constructor(alive: KeepAlive) {
    this.#alive = alive
  }

  /** Whether the drive accepts no more requests. */
  get closing(): boolean {
    return this.#closing
  }

  /** Counts a request. Returns a function to be called once when it has ended. */
  enter(): () => void {
    this.#count++
    const release = this.#alive.hold()
    let left = false
    return () => {
      if (left) return
      left = true
      release()
      if (--this.#count === 0) this.#idle?.()
    }
  }

  /** Accepts no more requests, and waits until none is left or the time is over. */
  async close(graceMillis: number): Promise<void> {
    this.#closing = true
    if (this.#count === 0) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#idle = resolve
      timer = setTimeout(resolve, graceMillis)
    })
    clearTimeout(timer)
  }
}
