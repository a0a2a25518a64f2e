import type { ChildProcess } from "node:child_process"
import { writeFileSync } from "node:fs"
import { constants, setPriority } from "node:os"
import { platform } from "node:process"

/** Whether a decoder's process is started in a session of its own (`detached`); on Windows that would show a window. */
export const isOwnSession = platform !== "win32"

/** Kills a process that leads its own session, with the programs it has started. */
export const killSession = (pid: number): void => {
  try {
    process.kill(isOwnSession ? -pid : pid, "SIGKILL")
  } catch {
    // It is gone already.
  }
}

/**
 * Lets everybody else go first: the drive, its database, the host's other programs. The process is the first of its own
 * session: Linux shares a core out among sessions before it looks at the priorities inside each, so in the drive's own one a
 * decoder with the lowest priority would take as much of a core as the database does, and keep it waiting.
 *
 * At once, while its first thread is its only one: the others inherit it. Answers why it could not be done; the
 * process works all the same.
 */
export const lowerPriority = ({ pid }: ChildProcess): string | undefined => {
  if (pid === undefined) return undefined
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch (error) {
    return String(error)
  }
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_LOW))
  } catch {
    // A system that knows no such groups; there the priority alone counts.
  }
  return undefined
}
