/** A file in parts, in parallel. Called again it goes on: parts that are stored are not sent again. */
import { until } from "../Backoff.ts"
import { type DriveError, strange } from "../DriveError.ts"
import { type SendingFile, unending } from "./sendForm.ts"
import { stored } from "./stored.ts"

/** URLs asked for at once, and how long they are used: they are good for a day, and clocks differ. */
const signedAtOnce = 100
const usedMillis = 23 * 3_600_000

/** How often parts that got lost are sent again. */
const rounds = 5

export const sendParts = async (sending: SendingFile): Promise<void> => {
  const { begun, file, onSent, parallel, persist, signal, source, target } = sending
  const { partCount, partSize, parts, signedParts, token } = await persist(() =>
    // Not interrupted: of an upload that nobody has the token of, the bytes would be held.
    until(begun(target.open(file, unending)), signal)
  )

  /** Bytes of each part that have been sent. */
  const sent = new Map(parts.map(({ partNumber, size }) => [partNumber, size]))
  let sentBytes = parts.reduce((sum, { size }) => sum + size, 0)
  const tell = (number: number, bytes: number) => {
    sentBytes += bytes - (sent.get(number) ?? 0)
    sent.set(number, bytes)
    onSent(sentBytes)
  }
  onSent(sentBytes)

  const urls = new Map<number, { readonly url: string; readonly until: number }>()
  const keep = (signed: typeof signedParts) => {
    for (const { partNumber, url } of signed) urls.set(partNumber, { url, until: Date.now() + usedMillis })
  }
  keep(signedParts)
  let pending = Array.from({ length: partCount }, (_, at) => at + 1).filter((number) => !sent.has(number))
  let signing: Promise<unknown> | undefined

  /** A URL that works, from those at hand or fresh. */
  const urlOf = async (number: number): Promise<string> => {
    for (let asked = 0;;) {
      const known = urls.get(number)
      if (known && known.until > Date.now()) return known.url
      // Others may have found theirs lapsed meanwhile, but not for ever.
      if (!signing && ++asked > 3) throw strange("no link")
      signing ??= target.sign(token, [number, ...pending.slice(0, signedAtOnce - 1)], signal)
        .then(({ parts }) => keep(parts))
        .finally(() => signing = undefined)
      await signing
    }
  }

  const sendPart = (number: number, ended: AbortSignal): Promise<void> =>
    persist(async () => {
      const start = (number - 1) * partSize
      const url = await urlOf(number)
      const bytes = await until(Promise.resolve(source.slice(start, Math.min(start + partSize, source.size))), ended)
      await stored(sending.send, {
        method: "PUT",
        url,
        headers: {},
        pieces: [bytes],
        signal: ended,
        onSent: (sent) => tell(number, sent)
      }).catch(async (error: unknown) => {
        tell(number, 0)
        // Those that were signed with it have lapsed too.
        if ((error as DriveError).status === 403) urls.clear()
        // A file that can't be read looks like a network that is away.
        if (!ended.aborted) await source.check?.()
        throw error
      })
    }, ended)

  /** Sends what is pending, a few at a time; the first that fails for good ends the others. */
  const sendPending = async (): Promise<void> => {
    const ending = new AbortController()
    const end = () => ending.abort(signal.reason)
    signal.addEventListener("abort", end)
    try {
      const lanes = Array.from({ length: source.isSequential ? 1 : Math.min(parallel, pending.length) }, async () => {
        for (let number: number | undefined; (number = pending.shift());) {
          signal.throwIfAborted()
          await sendPart(number, ending.signal)
        }
      })
      await Promise.all(lanes).catch(async (error: unknown) => {
        pending = []
        ending.abort(error)
        await Promise.allSettled(lanes)
        throw error
      })
    } finally {
      signal.removeEventListener("abort", end)
    }
  }

  for (let round = 1;; round++) {
    await sendPending()
    await source.check?.()
    try {
      await persist(() => target.complete(token, signal))
      return
    } catch (error) {
      const lost = (error as DriveError | null)?.parts
      if (!lost || round === rounds) throw error
      for (const number of lost) tell(number, 0)
      pending = [...lost]
    }
  }
}
