/** Processes and their ends, on Linux. */
import { readdirSync, readFileSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import { awaited } from "./PictureFixtures.ts"

const isRunning = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

/** Waits until none of them runs any longer. */
export const gone = (pids: ReadonlyArray<number>) =>
  awaited(async () => {
    while (pids.some(isRunning)) await pause(10)
  })

/** What `pid` started, by ids. A list read while one of them ends may lack others: it is right when it was read twice. */
export const startedBy = (pid: number): ReadonlyArray<number> => {
  const read = () =>
    readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")).join(
      " "
    )
  let list = read()
  for (let again = read(); again !== list; again = read()) list = again
  return list.split(" ").filter((id) => id.trim() !== "").map(Number)
}

/** What a process was started with. One that has just been started has nothing there for a moment: that is waited for. */
const commandOf = (pid: number): string => {
  try {
    while (isRunning(pid)) {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8")
      if (command !== "") return command
    }
  } catch {
    // It ended between the two.
  }
  return ""
}

/** The sandbox's processes that `pid` started and that still run, by their ids. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  startedBy(pid).filter((id) => /Sandbox/.test(commandOf(id)))

/** The CPU that a process has taken, in seconds; null when it is gone. */
export const cpuOf = (pid: number): number | null => {
  if (!isRunning(pid)) return null
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ")
  return (Number(fields[11]) + Number(fields[12])) / 100
}
