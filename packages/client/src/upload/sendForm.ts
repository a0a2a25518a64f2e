/** A file in one piece, by a form. */
import { until } from "../Backoff.ts"
import type { Send, Source } from "../Platform.ts"
import { sizeOf } from "../Platform.ts"
import { randomText } from "./Record.ts"
import { stored } from "./stored.ts"
import type { Announced, Target } from "./Target.ts"
import type { InTurn } from "./Turns.ts"

export const unending = new AbortController().signal

/** A form, or an upload in parts, which has a token. */
export interface Begun {
  readonly token?: string
}

/** What sends a file. */
export interface SendingFile {
  readonly file: Announced
  readonly source: Source
  readonly target: Target
  readonly send: Send
  readonly signal: AbortSignal
  /** Parts at once. */
  readonly parallel: number
  readonly onSent: (bytes: number) => void
  /** Told what holds bytes, as soon as it is asked for. */
  readonly begun: <A extends object>(asked: Promise<A>) => Promise<A>
  /** When this file may send its bytes. */
  readonly inTurn: InTurn
  /** Repeats what may pass, until a signal: default that of the whole. */
  readonly persist: <A>(run: () => Promise<A>, signal?: AbortSignal) => Promise<A>
}

const encode = (text: string) => new TextEncoder().encode(text)

export const sendForm = (
  { begun, file, inTurn, onSent, persist, send, signal, source, target }: SendingFile
): Promise<void> =>
  persist(async () => {
    // Not interrupted: cancelled before it is there, it would stay.
    const { uploadForm, uploadUrl } = await until(begun(target.form(file, unending)), signal)
    await inTurn(signal, async () => {
      const boundary = randomText()
      const fields = Object.entries(uploadForm).map(([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      )
      // Storage has the file's name from a field; this one only says that here are the bytes.
      const before = encode(
        `${fields.join("")}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n\r\n`
      )
      const bytes = await until(Promise.resolve(source.slice(0, source.size)), signal)
      const pieces = [before, bytes, encode(`\r\n--${boundary}--\r\n`)]
      await stored(send, {
        method: "POST",
        url: uploadUrl,
        headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
        pieces,
        signal,
        onSent: (sent) => onSent(Math.max(0, Math.min(sizeOf(bytes), sent - before.byteLength)))
      }).catch(async (error: unknown) => {
        onSent(0)
        // A file that can't be read looks like a network that is away.
        await source.check?.()
        throw error
      })
    })
  })
