/** What this process has taken of the machine so far. */
import { readFileSync } from "node:fs"

/** CPU of the programs it has started and that have ended; 0 where the system doesn't tell, or none may be started. */
const endedPrograms = (): number => {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1")
    // After its name, which may hold anything: in user mode and in the system's, in hundredths of a second.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return 0
  }
}

/** In all its threads, and in the programs that it has waited for. */
export const cpuSeconds = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e6 + endedPrograms()
}
