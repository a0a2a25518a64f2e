/** The keys of the player, as editing programs have them. They are off where somebody types, and can be switched off. */
import { signal } from "@preact/signals"
import type { Draft } from "./Draft.ts"
import type { Player } from "./Player.ts"

export interface KeyActions {
  readonly player: Player
  readonly draft: Draft
  readonly onNote: () => void
  readonly onNext: (direction: 1 | -1) => void
  readonly onFull: () => void
  readonly onHelp: () => void
}

const storageKey = "filedrive:review-keys"

const storedOff = (): boolean => {
  try {
    return localStorage.getItem(storageKey) === "off"
  } catch {
    return false
  }
}

/** Who speaks to their computer, or presses keys by accident, switches them off. */
export const areOn = signal(!storedOff())

export const switchKeys = (on: boolean): void => {
  areOn.value = on
  try {
    localStorage.setItem(storageKey, on ? "on" : "off")
  } catch {
    // They are as they were after the next reload.
  }
}

const isOf = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

const frames = { plain: 1, shift: 10 } as const

/** What a key does; undefined where it does nothing here. `isPressable`: whether what has the focus takes Space for itself. */
const actionOf = (
  { code, key, shiftKey }: Pick<KeyboardEvent, "code" | "key" | "shiftKey">,
  isPressable: boolean,
  { draft, onFull, onHelp, onNext, onNote, player }: KeyActions
): (() => void) | undefined => {
  if (key === " ") return isPressable ? undefined : player.toggle
  if (key === "?") return onHelp
  const count = shiftKey ? frames.shift : frames.plain
  if (key === "ArrowLeft") return () => player.step(-count)
  if (key === "ArrowRight") return () => player.step(count)
  if (shiftKey) return undefined
  if (key === "Home") return () => player.seek(0)
  if (key === "End") return () => player.seek(player.duration.peek())
  // By the letter that is written, and in scripts without Latin letters by the key's place.
  const letter = /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace(/^Key/, "").toLowerCase()
  return ({
    j: () => player.shuttle(-1),
    k: player.isPlaying.peek() ? player.pause : player.play,
    l: () => player.shuttle(1),
    m: onNote,
    i: draft.begin,
    o: draft.end,
    n: () => onNext(1),
    p: () => onNext(-1),
    f: onFull
  } as Readonly<Record<string, () => void>>)[letter]
}

/** Listens until the answered function is called. */
export const listen = (actions: KeyActions): () => void => {
  const onKey = (event: KeyboardEvent): void => {
    if (!areOn.peek() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isOf(event.target, "input, textarea, select, dialog")) return
    const run = actionOf(event, isOf(event.target, "button, a"), actions)
    if (run === undefined) return
    event.preventDefault()
    run()
  }
  document.addEventListener("keydown", onKey)
  return () => document.removeEventListener("keydown", onKey)
}
