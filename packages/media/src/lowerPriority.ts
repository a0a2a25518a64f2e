import type { ChildProcess } from "node:child_process"
import { writeFileSync } from "node:fs"
import { constants, setPriority } from "node:os"
import { platform } from "node:process"

/** Whether a decoder's process is started in a session of its own (`detached`); on Windows that would show a window. */
export const isOwnSession = platform !== "win32"

/** Kills a process that leads its own session, with the programs it has started. */
export const killSession = (pid: number, signal: NodeJS.Signals = "SIGKILL"): void => {
  try {
    process.kill(isOwnSession ? -pid : pid, signal)
  } catch {
    // It has ended already.
  }
}

/** Priorities of decoders among each other, as Linux divides cores between sessions; all of them are below the drive's. */
const sharePriorities = { first: constants.priority.PRIORITY_BELOW_NORMAL, last: constants.priority.PRIORITY_LOW }

/** Whether other decoders go before this one. Where the system knows no such groups, all decoders are alike. */
export const setSharePriority = ({ pid }: ChildProcess, among: keyof typeof sharePriorities): void => {
  if (pid === undefined) return
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(sharePriorities[among]))
  } catch {
    // It has no groups, or was asked too often in this tenth of a second. There the priority alone counts.
  }
}

/**
 * Gives precedence to everything else: the drive, its database, the host's other programs. The process is the first of its own
 * session: Linux divides a core among sessions before it regards the priorities inside each, so in the drive's own session a
 * decoder with the lowest priority would take as much of a core as the database does, and keep it waiting.
 *
 * At once, while its first thread is its only one: the others inherit it. Returns why it could not be done; the
 * process works all the same.
 */
export const lowerPriority = (child: ChildProcess): string | undefined => {
  if (child.pid === undefined) return undefined
  try {
    setPriority(child.pid, constants.priority.PRIORITY_LOW)
  } catch (error) {
    return String(error)
  }
  setSharePriority(child, "first")
  return undefined
}
