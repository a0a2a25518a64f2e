/**
 * The processes of one sandbox: those at work, and those that are warm and wait for a task.
 *
 * ```text
 *   started ─▶ idle ◀──────────────▶ at work ─▶ ended, and another started in its place
 *      ▲         └─▶ ended (unused)     │
 *      └── spare: nothing is idle ──────┘ for a while
 * ```
 *
 * A task that goes on for a while no longer goes first, and has a spare process started: so whoever asks next finds one that
 * is warm, and more of the machine than who has had some of it already.
 */
import { type ProcessOptions, SandboxProcess } from "./SandboxProcess.ts"
import type { TaskName } from "./Tasks.ts"

export interface PoolLimits extends Pick<ProcessOptions, "deadlineMillis" | "memoryMaxBytes"> {
  /** Most processes, those that wait included. */
  readonly processes: number
  /** How long a process without a task stays warm. */
  readonly idleMillis: number
}

/** What processes are held by, and what they may reach. */
export type Bounds = Pick<ProcessOptions, "confinement" | "port" | "reads" | "startsPrograms">

/** After which a task is a long one. Most photos and pages take less. */
const longMillis = 250

interface Idle {
  readonly process: SandboxProcess
  readonly timer: NodeJS.Timeout
}

export class SandboxPool {
  private readonly limits: PoolLimits
  private readonly running = new Set<SandboxProcess>()
  private readonly idle: Array<Idle> = []
  private isClosed = false

  constructor(limits: PoolLimits) {
    this.limits = limits
  }

  /**
   * A process for a task: one that is warm, and has done such a task before if there is one that has. At most as many may be
   * at work as there may be processes. Throws when none can be started.
   *
   * @param isUnused that has done no task
   */
  take(bounds: Bounds, task: TaskName, isUnused: boolean): SandboxProcess {
    while (this.idle.length > 0) {
      const known = this.idle.findLastIndex(({ process }) => isUnused ? process.tasks === 0 : process.loads.has(task))
      const { process, timer } = this.idle.splice(known === -1 ? this.idle.length - 1 : known, 1)[0]!
      clearTimeout(timer)
      if (process.isAlive && !(isUnused && process.tasks > 0)) return process
      void this.kill(process)
    }
    return this.start(bounds, new Set())
  }

  /** Watches a task for as long as it goes on: once it is long, others go before it, and find a process. */
  async attend(process: SandboxProcess, bounds: Bounds, answered: Promise<unknown>): Promise<void> {
    await process.started
    const timer = setTimeout(() => {
      process.yieldToOthers()
      this.startSpare(bounds, process.loads)
    }, longMillis)
    await answered
    clearTimeout(timer)
    process.goFirst()
  }

  /** It is ready for the next task. */
  giveBack(process: SandboxProcess): void {
    const timer = setTimeout(() => {
      this.idle.splice(this.idle.findIndex((one) => one.process === process), 1)
      void this.kill(process)
    }, this.limits.idleMillis)
    timer.unref()
    this.idle.push({ process, timer })
  }

  /** Ends a process and has another as warm as it was ready in its place. Throws when none can be started. */
  async replace(ended: SandboxProcess, bounds: Bounds): Promise<void> {
    await this.kill(ended)
    if (this.isClosed) return
    const next = this.start(bounds, ended.loads)
    await next.started
    if (next.isAlive) this.giveBack(next)
    else this.running.delete(next)
  }

  kill(process: SandboxProcess): Promise<void> {
    this.running.delete(process)
    return process.kill()
  }

  /** Ends all of them, whatever they do. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer)
    await Promise.all([...this.running].map((process) => this.kill(process)))
  }

  private start(bounds: Bounds, loads: ReadonlySet<TaskName>): SandboxProcess {
    const started = new SandboxProcess({ ...this.limits, ...bounds, loads })
    this.running.add(started)
    return started
  }

  /** Nobody waits for a spare: whoever takes one that can't be started is told so. */
  private startSpare(bounds: Bounds, loads: ReadonlySet<TaskName>): void {
    if (this.isClosed || this.idle.length > 0 || this.running.size >= this.limits.processes) return
    try {
      this.giveBack(this.start(bounds, loads))
    } catch {
      // What is short now, processes or memory, may be there when somebody needs one.
    }
  }
}
