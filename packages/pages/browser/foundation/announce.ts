/** What is told in passing: shown for a while, and read out by screen readers. */
import { signal } from "@preact/signals"

export interface Notice {
  readonly id: number
  readonly text: string
  /** `done`: what was asked for; `info`: something else to know. */
  readonly kind: "done" | "info" | "error"
}

const shownMillis = 8_000

export const notices = signal<ReadonlyArray<Notice>>([])
/** The last thing that is only read out. */
export const spoken = signal("")

let count = 0

export const dismiss = (id: number): void => {
  notices.value = notices.value.filter((one) => one.id !== id)
}

export const notify = (text: string, kind: Notice["kind"] = "done"): void => {
  const id = ++count
  notices.value = [...notices.value.filter((one) => one.text !== text), { id, text, kind }].slice(-3)
  setTimeout(() => dismiss(id), shownMillis)
}

/** Has a screen reader read a text; nothing is shown. */
export const say = (text: string): void => {
  // A region that has the same text as before has not changed, and is not read: a space that can't be heard makes it another one.
  spoken.value = spoken.peek() === text ? `${text}\u00A0` : text
}
