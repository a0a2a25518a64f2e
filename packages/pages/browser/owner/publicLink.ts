/** The links that owners give away, and how they get to the clipboard. */
import { settings } from "../foundation/settings.ts"

export const publicLink = (kind: "requests" | "reviews", id: string): string =>
  `${location.origin}${settings.mount}/${kind}/${encodeURIComponent(id)}`

/** Copies what a field shows, where there is no Clipboard API (over plain HTTP) or it refuses. */
const copySelected = (text: string): boolean => {
  const focused = document.activeElement
  const field = document.createElement("textarea")
  field.value = text
  field.readOnly = true
  field.className = "visually-hidden"
  // In a dialog that is open nothing outside of it can be selected.
  const place = document.querySelector("dialog[open]") ?? document.body
  place.append(field)
  field.select()
  try {
    return document.execCommand("copy")
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}

/** Whether a text is on the clipboard now. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}
