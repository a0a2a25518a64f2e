import { useEffect } from "preact/hooks"

/** While files are sent, a phone's screen stays on: with it off, phones stop sending. */
export const useWhileSending = (isSending: boolean): void => {
  useEffect(() => {
    if (!isSending) return undefined
    let isOver = false
    let held: WakeLockSentinel | undefined
    const { wakeLock } = navigator as { readonly wakeLock?: WakeLock }
    const hold = async () => {
      if (wakeLock === undefined || document.visibilityState !== "visible") return
      // Refused where the battery is low: then the screen goes off as usual.
      held = await wakeLock.request("screen").catch(() => undefined)
      if (isOver) await held?.release()
    }
    void hold()
    document.addEventListener("visibilitychange", hold)
    return () => {
      isOver = true
      document.removeEventListener("visibilitychange", hold)
      void held?.release()
    }
  }, [isSending])
}
