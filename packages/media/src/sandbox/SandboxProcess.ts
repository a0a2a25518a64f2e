/** The drive's side of one sandboxed process, {@link file://./SandboxChild.ts}. */
import { OwnedBuffers } from "@filedrive/core"
import { type ChildProcess, fork } from "node:child_process"
import type { Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { cpuSecondsOf } from "../CpuTime.ts"
import { isOwnSession, killSession, lowerPriority, setSharePriority } from "../lowerPriority.ts"
import type { Confinement, ProcessAccess } from "./Confinement.ts"
import { isFromOutside } from "./Kills.ts"
import type { FromSandbox, Ready, ToSandbox, WatchOptions } from "./Messages.ts"
import type { TaskName } from "./Tasks.ts"

export interface ProcessOptions extends Omit<WatchOptions, "drivePid">, ProcessAccess {
  readonly confinement: Confinement
  /** How long one task may take once its bytes are there and the process is ready. */
  readonly deadlineMillis: number
  /** Tasks whose modules it loads before it is ready. */
  readonly loads: ReadonlySet<TaskName>
  /** Whether it may start programs; such a process itself opens no file. */
  readonly startsPrograms: boolean
}

/** Ended before it answered. */
export interface Ended {
  /**
   * `ended`: for time or memory, or it crashed. `killed`: by the system or somebody else. `unstarted`: this machine does not let it
   * run.
   */
  readonly tag: "ended" | "killed" | "unstarted"
  /** The end of its error output. */
  readonly lastWords: string
}

const program = new URL("./SandboxChild.ts", import.meta.url)
/** Sources run as they are, and find each other under this condition. */
const sourceFlags = ["--conditions=@filedrive/source", "--disable-warning=ExperimentalWarning"]
/** It reads the libraries it needs, and neither writes nor starts anything, unless starting is what it is there for. */
export const guardFlags = (reads: ReadonlyArray<string>): ReadonlyArray<string> => [
  "--permission",
  ...reads.map((path) => `--allow-fs-read=${path}`),
  "--allow-worker",
  "--allow-addons",
  "--disable-warning=SecurityWarning"
]
const startFlags = ["--allow-child-process"]
const lastWordsMax = 2_000
/** Time for a quarter of a second of CPU, which a busy machine gives to other processes first. */
const startMaxMillis = 120_000

export class SandboxProcess {
  /** How many tasks it was given. */
  tasks = 0
  /** Resolves when it can begin with a task, or has ended. This time does not count to any task. */
  readonly started: Promise<void>
  private readonly loading: Set<TaskName>
  private readonly child: ChildProcess
  private readonly deadlineMillis: number
  private readonly ended: Promise<Ended>
  private lastWords = ""
  private isReady = false
  /** Whether the drive itself has ended it. */
  private isEnded = false
  /** The CPU it had taken when it could begin with its task; null before, and where the system doesn't report it. */
  private cpuBefore: number | null = null
  private answer: (message: FromSandbox) => void = () => {}

  constructor(
    { confinement, deadlineMillis, loads, memoryMaxBytes, port, reads, startsPrograms }: ProcessOptions
  ) {
    this.deadlineMillis = deadlineMillis
    this.loading = new Set(loads)
    const watch: WatchOptions = { memoryMaxBytes, drivePid: process.pid }
    const flags = [
      ...guardFlags(reads),
      ...startsPrograms ? startFlags : [],
      ...program.pathname.endsWith(".ts") ? sourceFlags : []
    ]
    const { args, path, ...user } = confinement.start(process.execPath, flags, { port, reads })
    this.child = fork(fileURLToPath(program), [JSON.stringify(watch), JSON.stringify([...loads])], {
      serialization: "advanced",
      env: {},
      ...process.platform === "win32" ? {} : { cwd: "/" },
      execPath: path,
      execArgv: [...args],
      ...user,
      stdio: ["pipe", "ignore", "pipe", "ipc"],
      detached: isOwnSession
    })
    const why = lowerPriority(this.child)
    if (why !== undefined) this.note(`Its priority could not be lowered: ${why}\n`)
    this.child.stdin!.on("error", () => {}) // told by its end
    this.child.stderr!.setEncoding("utf8").on("data", (text: string) => this.note(text))
    const ready = Promise.withResolvers<void>()
    this.child.on("message", (message: FromSandbox | Ready) => {
      if (message.tag === "ready") {
        this.isReady = true
        this.cpuBefore = this.cpuSoFar
        ready.resolve()
      } else {
        this.answer(message)
      }
    })
    this.ended = new Promise((resolve) => {
      const end = (signal: NodeJS.Signals | null) => {
        const tag = !this.isEnded && isFromOutside(signal) ? "killed" : this.isReady ? "ended" : "unstarted"
        resolve({ tag, lastWords: this.lastWords })
      }
      this.child.once("exit", (_code, signal) => end(signal))
      this.child.once("error", (error) => {
        this.note(error.message)
        end(null)
      })
    })
    const timer = setTimeout(() => this.kill(), startMaxMillis)
    this.started = Promise.race([ready.promise, this.ended]).then(() => clearTimeout(timer))
  }

  /** Tasks whose modules it has loaded, or will have after its present task. */
  get loads(): ReadonlySet<TaskName> {
    return this.loading
  }

  /** Whether it can begin with a task at once. */
  get isWarm(): boolean {
    return this.isReady
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null && this.child.connected
  }

  /** CPU seconds that its task and the programs it runs have taken so far; null where the system doesn't report them. */
  get taken(): number | null {
    if (!this.isReady) return 0
    const now = this.cpuSoFar
    return now === null || this.cpuBefore === null ? null : now - this.cpuBefore
  }

  private get cpuSoFar(): number | null {
    return this.child.pid === undefined ? null : cpuSecondsOf(this.child.pid)
  }

  /** Announces a task; its bytes go to {@link write}. The answer never rejects. */
  ask(task: ToSandbox): Promise<FromSandbox | Ended> {
    this.tasks++
    this.loading.add(task.task)
    if (this.isReady) this.cpuBefore = this.cpuSoFar
    const answered = new Promise<FromSandbox>((resolve) => {
      this.answer = resolve
    })
    this.child.send(task, () => {}) // a failure to send is told by its end
    return Promise.race([answered, this.ended])
  }

  /** Resolves when it can take more, or has ended. Owned buffers are freed then. */
  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) =>
      void this.child.stdin!.write(bytes, (error) => {
        // The system may still use bytes that were not written.
        if (!error) OwnedBuffers.release(bytes)
        resolve()
      })
    )
  }

  /** Kills it unless `answer` comes within its time from now, or from when it is ready. */
  async limit(answer: Promise<unknown>): Promise<void> {
    await this.started
    const timer = setTimeout(() => this.kill(), this.deadlineMillis)
    void answer.then(() => clearTimeout(timer))
  }

  /** Its task has had its share of the machine: all others have precedence. */
  yieldToOthers(): void {
    if (this.isAlive) setSharePriority(this.child, "last")
  }

  /** Its task is done, and the next one is unrelated. */
  goFirst(): void {
    if (this.isAlive) setSharePriority(this.child, "first")
  }

  /** Lets it keep this process running while it works. One that waits for a task ends with this process. */
  keepRunning(isKept: boolean): void {
    const { channel, stderr, stdin } = this.child
    for (const handle of [this.child, channel, stdin as Socket | null, stderr as Socket | null]) {
      if (isKept) handle?.ref()
      else handle?.unref()
    }
  }

  /** Resolves when it has ended completely. */
  async kill(): Promise<void> {
    this.isEnded = true
    this.keepRunning(true)
    if (this.child.pid !== undefined) killSession(this.child.pid)
    await this.ended
  }

  private note(text: string): void {
    this.lastWords = (this.lastWords + text).slice(-lastWordsMax)
  }
}
