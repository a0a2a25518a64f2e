/** What the document tells: it is there before the program runs. */
import { rootId, type Settings, settingsId } from "../../src/Settings.ts"

const element = (id: string): HTMLElement => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The document has no element ${id}.`)
  return found
}

export const settings: Settings = JSON.parse(element(settingsId).textContent)

/** The element that the page is written into. */
export const root: HTMLElement = element(rootId)

/** The id that the page's address ends in: that of the request or the review. */
export const linkId = (): string => {
  const last = location.pathname.split("/").at(-1) ?? ""
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
