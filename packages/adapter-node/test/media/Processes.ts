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

/** Waits until none of them runs any more. */
export const gone = (pids: ReadonlyArray<number>) =>
  awaited(async () => {
    while (pids.some(isRunning)) await pause(10)
  })

/** The sandbox's processes that `pid` started and that still run, by their ids. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim().split(" ").filter((id) => id !== "").map(Number)
  ).filter((id) => /Sandbox/.test(readFileSync(`/proc/${id}/cmdline`, "utf8")))

/** The CPU that a process has taken, in seconds; null when it is gone. */
export const cpuOf = (pid: number): number | null => {
  if (!isRunning(pid)) return null
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ")
  return (Number(fields[11]) + Number(fields[12])) / 100
}
