/** Waits for room that a drive bounds: what an upload is refused, others of the same client may hold. */
import type { Upload } from "./Upload.ts"

/** The attempt after which the pauses grow no longer. */
const longestWait = 6

/** After one has waited in vain, the next ones are not waited for. */
const fullMillis = 60_000

/** The uploads of a client that wait, in their order. */
interface Line {
  readonly waiting: Set<() => void>
  /** Those whose ends are listened to. */
  readonly watched: WeakSet<Upload>
  fullUntil: number
}

const lines = new WeakMap<ReadonlySet<Upload>, Line>()

const lineOf = (holding: ReadonlySet<Upload>): Line => {
  const line = lines.get(holding) ?? { waiting: new Set(), watched: new WeakSet(), fullUntil: 0 }
  lines.set(holding, line)
  return line
}

/** As one ends, two may go on: it may have held more than they need. */
const watch = ({ waiting, watched }: Line, upload: Upload): void => {
  if (watched.has(upload)) return
  watched.add(upload)
  const wake = () => [...waiting].slice(0, 2).forEach((back) => back())
  upload.then(wake, wake)
}

/**
 * Waits after a refusal as long as those go on that hold something; without any as often as `retries` says, and then fails with it. Returns the
 * number of the next attempt. `pause` waits as long as after this attempt, or until it is woken.
 */
export const freed = async (
  { holding, retries }: { readonly holding: ReadonlySet<Upload>; readonly retries: number },
  error: unknown,
  attempt: number,
  pause: (attempt: number, wake: (back: () => void) => () => void) => Promise<void>
): Promise<number> => {
  const line = lineOf(holding)
  const others = [...holding].filter(({ state }) => state !== "paused")
  const isAlone = others.length === 0
  if (isAlone) {
    if (attempt >= retries) line.fullUntil = Date.now() + fullMillis
    if (line.fullUntil > Date.now()) throw error
  }
  for (const upload of others) watch(line, upload)
  await pause(isAlone ? attempt : longestWait, (back) => {
    line.waiting.add(back)
    return () => line.waiting.delete(back)
  })
  return isAlone ? attempt + 1 : attempt
}
