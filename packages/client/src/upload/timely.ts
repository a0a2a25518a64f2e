/** A host's store as uploads use it: none of them waits for it without an end. */
import { until, watched } from "../Backoff.ts"
import { hasCode } from "../DriveError.ts"
import type { Store } from "../Options.ts"

const answerMillis = 10_000
/** For one that has just failed: an upload asks it a few times. */
const failedMillis = 1_000

/** Calls `failed` where the store fails, or does not answer in time. */
export const timely = (store: Store, failed: (error: unknown) => undefined): Store => {
  let millis = answerMillis
  return new Proxy(store, {
    get: (store, name: "get") => async (...asked: [string]) => {
      try {
        const ask = (signal: AbortSignal) => until(Promise.resolve(store[name](...asked)), signal)
        const answer = await watched(millis, undefined, ask)
        millis = answerMillis
        return answer
      } catch (error) {
        // One that refuses at once, being full for example, is not slow.
        if (hasCode(error, "timeout")) millis = failedMillis
        return failed(error)
      }
    }
  })
}
