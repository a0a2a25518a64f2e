import { useEffect } from "preact/hooks"

/** A timer with a longer time fires at once. */
const timerMaxMillis = 2 ** 31 - 1

/** Runs when a time comes while somebody looks, as when a link expires. */
export const useAt = (iso: string | null, run: () => unknown): void => {
  useEffect(() => {
    const left = iso === null ? 0 : Date.parse(iso) - Date.now()
    if (left <= 0 || left > timerMaxMillis) return
    const timer = setTimeout(run, left + 1_000)
    return () => clearTimeout(timer)
  }, [iso])
}
