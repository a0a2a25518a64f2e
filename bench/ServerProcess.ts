/**
 * Servers that are measured, each in a process of its own; what they use is
 * read from `/proc`, so that all are measured alike, nginx too.
 */
import { type ChildProcess, fork, spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { setTimeout } from "node:timers/promises"

/** Processor seconds of the threads of a process that are alive. */
const cpuSeconds = (pid: number): number => {
  const tasks = `/proc/${pid}/task`
  let nanos = 0
  for (const task of readdirSync(tasks)) {
    nanos += Number(readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ")[0])
  }
  return nanos / 1e9
}

/** Hundredths of a second, as Linux counts in `stat`. */
const ticksPerSecond = 100

/** Processor seconds of a process and its children, also of those that have ended. */
export const treeCpuSeconds = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8")
  const [ended, endedInKernel] = text.slice(text.lastIndexOf(")") + 2).split(" ").slice(13, 15).map(Number)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter((child) => child !== "")
  const alive = [pid, ...children.map(Number)].reduce((sum, one) => sum + cpuSeconds(one), 0)
  return alive + (ended! + endedInKernel!) / ticksPerSecond
}

/** Waits until the processor time no longer grows, at most ten seconds: work after the answers is done then. */
export const quiet = async (cpuSeconds: () => number): Promise<void> => {
  for (let tries = 0; tries < 20; tries++) {
    const before = cpuSeconds()
    await setTimeout(500)
    if (cpuSeconds() - before < 0.02) return
  }
}

export class ServerProcess<Said = unknown> {
  readonly said: Said
  readonly #child: ChildProcess

  constructor(child: ChildProcess, said: Said) {
    this.#child = child
    this.said = said
  }

  /** Processor seconds, user's and system's, of all its threads so far. */
  cpuSeconds(): number {
    return cpuSeconds(this.#child.pid!)
  }

  quiet(): Promise<void> {
    return quiet(() => this.cpuSeconds())
  }

  /** Memory it holds now, in bytes. */
  residentBytes(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8")
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) return resolve()
      this.#child.once("exit", () => resolve())
      if (this.#child.connected) this.#child.disconnect()
      else this.#child.kill("SIGTERM")
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}

/**
 * Starts `servers/{name}.ts`, or a program at a `file:` URL, with options of its own, and waits for what it says of itself.
 * `BENCH_NODE_FLAGS="--cpu-prof --cpu-prof-dir=./profiles"` tells where their time goes.
 */
export const startServer = <Said>(name: string, options: object): Promise<ServerProcess<Said>> =>
  new Promise((resolve, reject) => {
    const child = fork(new URL(name.startsWith("file:") ? name : `./servers/${name}.ts`, import.meta.url), [
      JSON.stringify(options)
    ], {
      execArgv: ["--conditions=@filedrive/source", ...(process.env["BENCH_NODE_FLAGS"]?.split(" ") ?? [])],
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "ignore", "inherit", "ipc"]
    })
    child.once("error", reject)
    child.once("exit", (code) => reject(new Error(`The server ${name} ended with ${code} before it was ready.`)))
    child.once("message", (said) => {
      child.removeAllListeners("exit")
      resolve(new ServerProcess(child, said as Said))
    })
  })

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })

/** Starts a program that listens on `port` within five seconds. */
export const startProgram = async (command: string, args: ReadonlyArray<string>, port: number) => {
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "inherit"] })
  await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject))
  for (let tries = 0; tries < 100; tries++) {
    if (await accepts(port)) return new ServerProcess(child, undefined)
    await setTimeout(50)
  }
  child.kill()
  throw new Error(`${command} did not listen on port ${port}.`)
}
