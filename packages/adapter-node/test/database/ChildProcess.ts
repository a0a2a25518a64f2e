/** Starts {@link file://./DatabaseProcess.ts}, or another script, and follows what it prints. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const databaseProcess = fileURLToPath(new URL("./DatabaseProcess.ts", import.meta.url))

export interface Child {
  /** Lines printed so far. */
  readonly lines: ReadonlyArray<string>
  readonly errors: () => string
  /** Resolves when so many lines have been printed; rejects when the process ends before. */
  readonly printed: (count: number) => Promise<void>
  readonly kill: () => Promise<void>
  /** Asks it to end. */
  readonly stop: () => void
  readonly ended: Promise<number | null>
}

/** `wrapper` is a program, with its arguments, that the process runs under; `script` another one to run. */
export const start = (
  args: ReadonlyArray<string>,
  wrapper: ReadonlyArray<string> = [],
  script = databaseProcess
): Child => {
  const [program, ...rest] = [...wrapper, process.execPath, "--conditions=@filedrive/source", script, ...args]
  const child = spawn(program!, rest, { stdio: ["ignore", "pipe", "pipe"], detached: true })
  const lines: Array<string> = []
  const waiting = new Set<() => void>()
  let errors = ""
  let unfinished = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text))
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (unfinished + text).split("\n")
    unfinished = parts.pop()!
    lines.push(...parts)
    for (const look of waiting) look()
  })
  const ended = once(child, "close").then(([code]) => code as number | null)
  return {
    lines,
    errors: () => errors,
    printed: (count) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (lines.length >= count) {
            waiting.delete(look)
            resolve()
          }
        }
        waiting.add(look)
        look()
        void ended.then(() => reject(new Error(`ended after ${lines.length} lines: ${errors}`)))
      }),
    stop: () => void child.kill("SIGTERM"),
    kill: async () => {
      // The whole group: a wrapper would die alone.
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGKILL")
      await ended
    },
    ended
  }
}
