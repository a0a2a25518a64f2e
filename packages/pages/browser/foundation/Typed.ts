/** Texts that are being written below others, by what each is for. A text outlives the field that it is typed in. */
import { computed, type ReadonlySignal, signal } from "@preact/signals"
import { lines } from "./sendable.ts"

/** Where texts are kept longer than the page. */
export interface KeptTyped {
  readonly read: () => Readonly<Record<string, string>>
  readonly write: (texts: Readonly<Record<string, string>> | null) => void
}

export interface Typed {
  /** Null where nothing is being written. */
  readonly textOf: (of: string) => string | null
  /** Null gives it up. */
  readonly write: (of: string, text: string | null) => void
  /** This text was sent. What was typed meanwhile was not, and stays. */
  readonly sent: (of: string, text: string) => void
  /** As `sent`, of a text that takes the place of another: what was typed meanwhile is a further version of all of it. */
  readonly saved: (of: string, text: string) => void
  /** For what something is being written; the same set until that changes. */
  readonly open: ReadonlySignal<ReadonlySet<string>>
}

/** What a field still has to send after `sent` was: what was typed behind it, or all where `sent` itself was changed. */
export const restOf = (sent: string, now: string): string =>
  now.startsWith(sent) ? now.slice(sent.length).trimStart() : now

export const makeTyped = (kept?: KeptTyped): Typed => {
  const texts = signal(kept?.read() ?? {})
  const names = computed(() => Object.keys(texts.value).join("\n"))

  const write = (of: string, text: string | null): void => {
    const { [of]: _, ...others } = texts.peek()
    texts.value = text === null ? others : { ...texts.peek(), [of]: text }
    kept?.write(Object.keys(texts.peek()).length === 0 ? null : texts.peek())
  }

  return {
    textOf: (of) => texts.value[of] ?? null,
    write,
    sent: (of, text) => {
      const now = texts.peek()[of]
      if (now !== undefined) write(of, restOf(text, now) || null)
    },
    saved: (of, text) => {
      const now = texts.peek()[of]
      if (now !== undefined && lines(now) === lines(text)) write(of, null)
    },
    open: computed(() => new Set(names.value.split("\n")))
  }
}
