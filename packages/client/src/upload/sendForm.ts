/** A file in one piece, by a form. */
import { until } from "../Backoff.ts"
import type { Send, Source } from "../Platform.ts"
import { sizeOf } from "../Platform.ts"
import { randomText } from "./Record.ts"
import { stored } from "./stored.ts"
import type { Announced, Target } from "./Target.ts"

export const unending = new AbortController().signal

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
  /** Called when bytes are held: with what gives them back. */
  readonly onBegun: (giveBack: () => Promise<unknown>) => void
  /** Repeats what may pass, until a signal: default that of the whole. */
  readonly persist: <A>(run: () => Promise<A>, signal?: AbortSignal) => Promise<A>
}

const encode = (text: string) => new TextEncoder().encode(text)

/** Quotes a value of a header of a part. HTML: "multipart/form-data encoding algorithm". */
const quoted = (text: string) =>
  text.replace(/["\r\n]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`)

export const sendForm = (
  { file, onBegun, onSent, persist, send, signal, source, target }: SendingFile
): Promise<void> =>
  persist(async () => {
    // Not interrupted: cancelled before it is there, it would stay.
    const asked = target.form(file, unending)
    onBegun(() => asked.catch(() => {}).then(() => target.cancelForm(file)))
    const { uploadForm, uploadUrl } = await until(asked, signal)
    const boundary = `filedrive-${randomText()}`
    const fields = Object.entries(uploadForm).map(([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`
    )
    const before = encode(
      `${fields.join("")}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${
        quoted(file.fileName)
      }"\r\nContent-Type: application/octet-stream\r\n\r\n`
    )
    const bytes = await source.slice(0, source.size)
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
      await source.check()
      throw error
    })
  })
