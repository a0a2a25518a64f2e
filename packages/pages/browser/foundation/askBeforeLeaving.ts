import { useLayoutEffect } from "preact/hooks"

const ask = (event: BeforeUnloadEvent): void => event.preventDefault()

/** How many components have something that would be lost. */
let count = 0

/** Whether the browser asks before the page is left. The reader may then stay, so code must not wait for the page to end. */
export const isLeavingAsked = (): boolean => count > 0

/** The page is left without a question, though something is lost: it belongs to another account. */
export const stopAsking = (): void => removeEventListener("beforeunload", ask)

/** Has the browser ask whether the page is to be left, while something would be lost by it. */
export const useAskBeforeLeaving = (isAsked: boolean): void => {
  useLayoutEffect(() => {
    if (!isAsked) return undefined
    // Once, however often it is added.
    addEventListener("beforeunload", ask)
    count++
    return () => {
      count--
      if (count === 0) stopAsking()
    }
  }, [isAsked])
}
