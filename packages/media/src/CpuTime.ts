/** The CPU time that processes have used so far. */
import { readdirSync, readFileSync } from "node:fs"

interface Used {
  /** In all its threads. */
  readonly own: number
  /** In the programs it has started and that have ended. */
  readonly ended: number
}

/** CPU seconds of a process. Throws where the system doesn't tell, or when it is gone. */
const used = (process: number | "self"): Used => {
  const stat = readFileSync(`/proc/${process}/stat`, "latin1")
  // After its name, which may contain anything: in user mode and in the system's, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number)
  return { own: (fields[11]! + fields[12]!) / 100, ended: (fields[13]! + fields[14]!) / 100 }
}

/** None where no programs may be started. */
const endedPrograms = (): number => {
  try {
    return used("self").ended
  } catch {
    return 0
  }
}

const programsOf = (pid: number): ReadonlyArray<number> =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter((id) => id.trim() !== "").map(
      Number
    )
  )

/** CPU seconds of another process and of the programs that it has started, ended or not; null where the system doesn't tell. */
export const cpuSecondsOf = (pid: number): number | null => {
  try {
    const { ended, own } = used(pid)
    return programsOf(pid).reduce((sum, program) => sum + (cpuSecondsOf(program) ?? 0), own + ended)
  } catch {
    return null
  }
}

/** CPU seconds of this process: in all its threads, and in the programs that it has waited for. */
export const cpuSeconds = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e6 + endedPrograms()
}
