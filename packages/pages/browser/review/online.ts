/** Whether the browser says that there is a network. */
import { signal } from "@preact/signals"

export const isOnline = signal(navigator.onLine)

addEventListener("online", () => void (isOnline.value = true))
addEventListener("offline", () => void (isOnline.value = false))
