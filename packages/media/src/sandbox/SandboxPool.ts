/**
 * The processes of one sandbox: those that run a task, and those that are warm and wait for one.
 *
 * ```text
 *   started ─▶ idle ◀──────────────▶ at work ─▶ ended, and another started in its place
 *      ▲         └─▶ ended (unused)     │
 *      └── spare: nothing is idle ──────┘ for a while
 * ```
 *
 * When a task takes longer, its priority is lowered and a spare process is started: so the next request finds one that
 * is warm, and gets more of the machine than the task that has had some of it already.
 */
import { type ProcessOptions, SandboxProcess } from "./SandboxProcess.ts"
import type { TaskName } from "./Tasks.ts"

export interface PoolLimits extends Pick<ProcessOptions, "deadlineMillis" | "memoryMaxBytes"> {
  /** Most processes, those that wait included. */
  readonly processes: number
  /** How long a process without a task stays warm. */
  readonly idleMillis: number
}

/** How processes are confined, and what they may reach. */
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
   * A process for a task: a warm one, preferably one that has done such a task before. At most as many may be
   * in use as there may be processes. Throws when none can be started.
   *
   * @param isUnused only one that has done no task
   */
  take(bounds: Bounds, task: TaskName, isUnused: boolean): SandboxProcess {
    while (this.idle.length > 0) {
      const known = ({ process }: Idle) => isUnused ? process.tasks === 0 : process.loads.has(task)
      const place = [
        (one: Idle) => one.process.isWarm && known(one),
        ({ process }: Idle) => process.isWarm,
        known,
        () => true
      ].map((wanted) => this.idle.findLastIndex(wanted)).find((place) => place !== -1)!
      const { process, timer } = this.idle.splice(place, 1)[0]!
      clearTimeout(timer)
      if (process.isAlive && !(isUnused && process.tasks > 0)) {
        process.keepRunning(true)
        return process
      }
      void this.kill(process)
    }
    return this.start(bounds, new Set())
  }

  /** Watches a running task: once it is long, others have precedence, and find a process. */
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

  /** It is ready for the next task, or will be. */
  giveBack(process: SandboxProcess): void {
    const timer = setTimeout(() => {
      this.idle.splice(this.idle.findIndex((one) => one.process === process), 1)
      void this.kill(process)
    }, this.limits.idleMillis)
    timer.unref()
    process.keepRunning(false)
    this.idle.push({ process, timer })
  }

  /**
   * Ends a process and starts another, which will be as warm as it was: not waited for, since a drive that closes interrupts what runs and
   * would wait for processes that it ends next. Throws when none can be started.
   */
  async replace(ended: SandboxProcess, bounds: Bounds): Promise<void> {
    await this.kill(ended)
    if (!this.isClosed) this.giveBack(this.start(bounds, ended.loads))
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

  /** Nobody waits for a spare: a task that takes one that can't be started gets the error. */
  private startSpare(bounds: Bounds, loads: ReadonlySet<TaskName>): void {
    if (this.isClosed || this.idle.length > 0 || this.running.size >= this.limits.processes) return
    try {
      this.giveBack(this.start(bounds, loads))
    } catch {
      // Processes or memory that are short now may be available when one is needed.
    }
  }
}
