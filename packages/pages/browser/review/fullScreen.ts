/** The player on the whole screen. On phones of Apple only a video itself can have it. */
import { signal } from "@preact/signals"

type AppleVideo = HTMLVideoElement & { readonly webkitEnterFullscreen?: () => void }

const videoIn = (element: HTMLElement): AppleVideo | null => element.querySelector("video")

export const isFull = signal(false)

document.addEventListener("fullscreenchange", () => void (isFull.value = document.fullscreenElement !== null))

export const canBeFull = (element: HTMLElement | null): boolean =>
  element !== null && (document.fullscreenEnabled || videoIn(element)?.webkitEnterFullscreen !== undefined)

/** A browser that refuses, since nobody pressed a key say, leaves the page as it is. */
export const leaveFull = async (): Promise<void> => {
  if (document.fullscreenElement !== null) await document.exitFullscreen().catch(() => {})
}

export const toggleFull = async (element: HTMLElement): Promise<void> => {
  if (document.fullscreenElement !== null) return leaveFull()
  if (document.fullscreenEnabled) await element.requestFullscreen().catch(() => {})
  else videoIn(element)?.webkitEnterFullscreen?.()
}
