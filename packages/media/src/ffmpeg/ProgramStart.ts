/**
 * Starts a program on strangers' bytes: with the priority of its parent,
 * no environment of its own and no input, for a limited time, in limited memory where the
 * system reports its use, and with limited output.
 */
import { spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { isOwnSession } from "../lowerPriority.ts"
import { isFromOutside } from "../sandbox/Kills.ts"

export interface ProgramLimits {
  /** How long it may take on a busy machine. */
  readonly deadlineMillis: number
  /** CPU that it may take, where the system reports it. */
  readonly cpuMaxSeconds: number
  readonly memoryMaxBytes: number
  readonly outputMaxBytes: number
}

export interface Ran {
  /** Null when it was killed or could not be started. */
  readonly exitCode: number | null
  readonly output: Uint8Array<ArrayBuffer>
  /** The end of its error output. */
  readonly lastWords: string
  /** Which limit it exceeded. */
  readonly passed: "time" | "memory" | "output" | null
  /** Whether somebody else ended it, or it could not be started: then its file is not the cause. */
  readonly isKilled: boolean
}

const lastWordsMax = 2_000
const watchMillis = 100

/** The memory and CPU of a process: none where the system doesn't report them, or when it has ended. */
const usageOf = async (pid: number): Promise<{ readonly memoryBytes: number; readonly cpuSeconds: number }> => {
  try {
    const [status, stat] = await Promise.all([
      readFile(`/proc/${pid}/status`, "utf8"),
      readFile(`/proc/${pid}/stat`, "utf8")
    ])
    // After its name, which may hold anything: in user mode and in the system's, in hundredths of a second.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return {
      memoryBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024,
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100
    }
  } catch {
    return { memoryBytes: 0, cpuSeconds: 0 }
  }
}

interface Running {
  readonly ended: Promise<Ran>
  readonly kill: () => void
}

/** `isFirst`: it leads a session of its own; otherwise it is in its parent's, with which it is killed. */
export const start = (
  path: string,
  args: ReadonlyArray<string>,
  limits: ProgramLimits,
  isFirst: boolean,
  environment: Readonly<Record<string, string>> = {},
  /** Takes the output while it comes; then none of it is kept. */
  take?: (chunk: Uint8Array) => void
): Running => {
  const child = spawn(path, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment,
    windowsHide: true,
    detached: isFirst && isOwnSession
  })
  const chunks: Array<Buffer> = []
  let [outputBytes, lastWords, passed, isEnded] = [0, "", null as Ran["passed"], false]
  const kill = (limit: Ran["passed"] = null) => {
    passed ??= limit
    isEnded = true
    child.kill("SIGKILL")
  }
  const deadline = setTimeout(() => kill("time"), limits.deadlineMillis)
  const watch = setInterval(async () => {
    if (child.pid === undefined) return
    const { cpuSeconds, memoryBytes } = await usageOf(child.pid)
    if (memoryBytes > limits.memoryMaxBytes) kill("memory")
    else if (cpuSeconds > limits.cpuMaxSeconds) kill("time")
  }, watchMillis)
  child.stdout.on("data", (chunk: Buffer) => {
    outputBytes += chunk.length
    if (outputBytes > limits.outputMaxBytes) kill("output")
    else if (take === undefined) chunks.push(chunk)
    else take(chunk)
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    lastWords = (lastWords + text).slice(-lastWordsMax)
  })
  const ended = new Promise<Ran>((resolve) => {
    const end = (exitCode: number | null, isFromElsewhere: boolean) => {
      clearTimeout(deadline)
      clearInterval(watch)
      resolve({ exitCode, output: joined(chunks), lastWords, passed, isKilled: !isEnded && isFromElsewhere })
    }
    child.once("error", (error) => {
      lastWords += error.message
      end(null, true)
    })
    child.once("close", (exitCode, signal) => end(exitCode, isFromOutside(signal)))
  })
  return { ended, kill }
}

const joined = (chunks: ReadonlyArray<Buffer>): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
    // Nobody else uses it; until it is garbage-collected it would take memory for longer.
    if (chunk.length === chunk.buffer.byteLength && chunk.buffer instanceof ArrayBuffer) chunk.buffer.transfer(0)
  }
  return bytes
}
