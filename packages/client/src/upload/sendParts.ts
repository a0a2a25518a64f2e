/** A file in parts, in parallel. Called again it goes on: parts that are stored are not sent again. */
import { until } from "../Backoff.ts"
import { DriveError } from "../DriveError.ts"
import { type SendingFile, unending } from "./sendForm.ts"
import { stored } from "./stored.ts"

/** URLs asked for at once, and how long they are used: they are good for a day, and clocks differ. */
const signedAtOnce = 100
const usedMillis = 23 * 3_600_000

/** How often parts that got lost are sent again. */
const rounds = 5

const isOfParts = (error: unknown): error is DriveError => error instanceof DriveError && error.parts !== undefined

export const sendParts = async (sending: SendingFile): Promise<void> => {
  const { file, onBegun, onSent, parallel, persist, signal, source, target } = sending
  const { partCount, partSize, parts, signedParts, token } = await persist(() => {
    // Not interrupted: of an upload that nobody has the token of, the bytes would be held.
    const opening = target.open(file, unending)
    onBegun(async () => {
      const { token } = await opening
      // One that is complete already is a file as soon as it is inserted.
      if (!(await target.abort(token)).aborted) await target.remove((await target.insert(file)).id)
    })
    return until(opening, signal)
  })

  const sizeOfPart = (number: number) => Math.min(partSize, source.size - (number - 1) * partSize)
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
    for (;;) {
      const known = urls.get(number)
      if (known !== undefined && known.until > Date.now()) return known.url
      signing ??= target.sign(token, [...new Set([number, ...pending.slice(0, signedAtOnce - 1)])], signal)
        .then(({ parts }) => keep(parts))
        .finally(() => signing = undefined)
      await signing
    }
  }

  const sendPart = (number: number, ended: AbortSignal): Promise<void> =>
    persist(async () => {
      const start = (number - 1) * partSize
      const url = await urlOf(number)
      const bytes = await source.slice(start, start + sizeOfPart(number))
      await stored(sending.send, {
        method: "PUT",
        url,
        headers: {},
        pieces: [bytes],
        signal: ended,
        onSent: (sent) => tell(number, Math.min(sent, sizeOfPart(number)))
      }).catch(async (error: unknown) => {
        tell(number, 0)
        // Those that were signed with it have lapsed too.
        if (error instanceof DriveError && error.status === 403) urls.clear()
        // A file that can't be read looks like a network that is away.
        if (!ended.aborted) await source.check()
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
        for (let number = pending.shift(); number !== undefined; number = pending.shift()) {
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
    await source.check()
    try {
      return void await persist(() => target.complete(token, signal))
    } catch (error) {
      if (!isOfParts(error) || round === rounds) throw error
      for (const number of error.parts!) tell(number, 0)
      pending = [...error.parts!]
    }
  }
}
