/** Processes and their ends, on Linux. */
import { readFileSync } from "node:fs"
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
