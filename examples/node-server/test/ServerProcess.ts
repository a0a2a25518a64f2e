/** The example server as its users run it: a process of its own. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** What `npm start` runs. */
const main = fileURLToPath(new URL("../../../scripts/start.mjs", import.meta.url))

export interface Ready {
  readonly baseUrl: string
  readonly authUrl: string
  readonly siteUrl: string
  readonly a2aUrl: string
  readonly mcpUrl: string
  readonly accounts: ReadonlyArray<{ readonly handle: string; readonly userId: string; readonly apiToken: string }>
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ServerProcess {
  /** The content of the ready line; rejects when the process ended before. */
  readonly ready: Promise<Ready>
  readonly ended: Promise<Ended>
  readonly signal: (name: "SIGTERM" | "SIGKILL") => void
}

const prefix = "filedrive ready "

/** Starts the server with these variables alone, on any free port. */
export const startServer = (variables: Readonly<Record<string, string>>): ServerProcess => {
  const child = spawn(process.execPath, ["--conditions=@filedrive/source", main], {
    env: { PATH: process.env["PATH"], PORT: "0", ...variables },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let stdout = ""
  let stderr = ""
  child.stderr.on("data", (chunk) => stderr += chunk)
  const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })))
  const ready = new Promise<Ready>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      stdout += `${line}\n`
      if (line.startsWith(prefix)) resolve(JSON.parse(line.slice(prefix.length)))
    })
    ended.then(({ stderr }) => reject(new Error(`The server ended: ${stderr}`)))
  })
  // Tests that only look at the end do not wait for it.
  ready.catch(() => undefined)
  return { ready, ended, signal: (name) => child.kill(name) }
}
