/** What a task of the agent's is called. Pure. */
import { shown } from "../foundation/format.ts"
import { t } from "./texts.ts"

interface Task {
  readonly text: string
}

export const titleOf = ({ text }: Task): string => text.trim() === "" ? t("connections.untitled") : shown(text.trim())

/** The same for a sentence about it. */
export const shortTitleOf = (task: Task): string => {
  const [first = ""] = titleOf(task).split("\n")
  return first.length > 80 ? `${first.slice(0, 79).trimEnd()}…` : first
}
