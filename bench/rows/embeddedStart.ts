/** How long a server on the embedded database takes until `/readyz` answers, first and later, and its memory at rest. */
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { withDirectory } from "../DriveCaller.ts"
import { median } from "../Rounds.ts"
import { MiB, restSeconds, startRounds } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

const main = fileURLToPath(new URL("../../scripts/start.mjs", import.meta.url))

const limits = { firstMillis: 1_500, laterMillis: 700, restBytes: 300 * MiB }

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Where the server said that it listens. */
const address = (child: ChildProcess) =>
  new Promise<string>((resolve, reject) => {
    let said = ""
    child.stdout!.on("data", (chunk: Buffer) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said += chunk)
      if (found !== null) resolve(found[0])
    })
    child.once("exit", (code) => reject(new Error(`The server ended with ${code} before it was ready.`)))
  })

const memoryOf = ({ pid }: ChildProcess) => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const bytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1_024
  return { rest: bytes("VmRSS"), peak: bytes("VmHWM") }
}

/** Starts a server as `npm start` does, waits until it is ready, and `seconds` longer. */
const measure = async (directory: string, seconds: number) => {
  const begin = performance.now()
  const child = spawn(process.execPath, ["--conditions=@filedrive/source", main], {
    env: { ...process.env, PORT: "0", FILEDRIVE_DATA: directory },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = new Promise((resolve) => child.once("exit", resolve))
  try {
    const url = await address(child)
    const { status } = await fetch(`${url}/readyz`)
    if (status !== 200) throw new Error(`/readyz answered ${status}.`)
    const millis = performance.now() - begin
    await sleep(seconds * 1_000)
    return { millis, ...memoryOf(child) }
  } finally {
    child.kill("SIGTERM")
    await ended
  }
}

const row = (what: string, millis: ReadonlyArray<number>, target: number): Outcome => {
  const own = median(millis)
  return {
    what: `embedded, start until \`/readyz\` answers, ${what}`,
    own: `${Math.round(own)} ms`,
    against: "",
    result: `${Math.round(Math.min(...millis))} to ${Math.round(Math.max(...millis))} ms`,
    target: `under ${target} ms`,
    met: own < target
  }
}

export const embeddedStart = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory(async (directory) => {
    const first: Array<number> = []
    const later: Array<number> = []
    for (let round = 0; round < startRounds; round++) {
      const data = join(directory, String(round))
      first.push((await measure(data, 0)).millis)
      later.push((await measure(data, 0)).millis)
    }
    const { peak, rest } = await measure(join(directory, "0"), restSeconds)
    const mebibytes = (bytes: number) => `${Math.round(bytes / MiB)} MiB`
    return [
      row("first", first, limits.firstMillis),
      row("later", later, limits.laterMillis),
      {
        what: `embedded, resident ${restSeconds} s after a start, all threads`,
        own: mebibytes(rest),
        against: "",
        result: `peak ${mebibytes(peak)}`,
        target: "under 300 MiB",
        met: rest < limits.restBytes
      }
    ]
  })
