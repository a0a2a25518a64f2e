/**
 * Places for large answers of one provider. An answer of 64 MB takes some 320 MB while it is read and decoded, so few are held at once; an
 * answer that has no place waits on its connection, unread. Each provider has its own: one that sends slowly holds up nobody else's.
 */
import { Effect, type Scope } from "effect"

/** Bytes from which an answer needs a place. */
export const largeFrom = 16 * 1024 * 1024

const placesOfProvider = 2

export class Places {
  private free = placesOfProvider
  private readonly waiting = new Set<() => void>()

  /** Calls `then` as soon as there is a place, in the order of the calls. Returns what gives the place back, or stops waiting. */
  take(then: () => void): () => void {
    let isHeld = false
    const begin = () => {
      this.waiting.delete(begin)
      this.free--
      isHeld = true
      then()
    }
    if (this.free > 0) begin()
    else this.waiting.add(begin)
    return () => {
      this.waiting.delete(begin)
      if (!isHeld) return
      isHeld = false
      this.free++
      const [next] = this.waiting
      next?.()
    }
  }
}

/** Waits for a place, which is held until the scope closes. */
export const takePlace = (places: Places): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function*() {
    let giveBack = () => {}
    yield* Effect.addFinalizer(() => Effect.sync(() => giveBack()))
    yield* Effect.callback<void>((resume) => {
      giveBack = places.take(() => resume(Effect.void))
    })
  })
