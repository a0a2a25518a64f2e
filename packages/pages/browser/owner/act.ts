/** Does something that an owner asked for, and says when it did not work. */
import { notify } from "../foundation/announce.ts"
import { codeOf, sentenceOf } from "../foundation/failure.ts"
import { ownerText } from "./texts.ts"

/** A sentence about a call that was refused. */
export const refusalText = (error: unknown): string => {
  const code = codeOf(error)
  if (code === "not_found") return ownerText("owner.gone")
  return code === "not_allowed" ? ownerText("owner.notAllowed") : sentenceOf(error)
}

/** Whether it worked. `after` runs in both cases: what is shown may be out of date. */
export const act = async (run: () => Promise<unknown>, after?: () => unknown): Promise<boolean> => {
  try {
    await run()
    return true
  } catch (error) {
    notify(refusalText(error), "error")
    return false
  } finally {
    after?.()
  }
}
