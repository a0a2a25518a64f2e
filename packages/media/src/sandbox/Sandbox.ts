/**
 * Runs all work on strangers' bytes in processes of their own, which have
 * nothing of the drive's and can be killed: native decoders neither stop when
 * told nor stay within a heap.
 *
 * A few processes stay warm. One that failed, or has run enough tasks, is not used
 * again: the task that was its last keeps its turn until another is as warm as it
 * was. So a caller who ends processes, for instance by repeated disconnects, waits for
 * them, and no other caller gets a cold one because of it ({@link file://./SandboxPool.ts}).
 * All of them run with a low priority, so that requests go first.
 */
import { DriveError, MediaTools } from "@filedrive/core"
import { Data, Effect, type Scope, Semaphore, Stream } from "effect"
import { availableParallelism } from "node:os"
import type { CpuBudget } from "../CpuBudget.ts"
import { type Confinement, ofThisMachine, type ProcessAccess } from "./Confinement.ts"
import type { FromSandbox } from "./Messages.ts"
import { ownReads, systemReads } from "./ReadList.ts"
import { type Bounds, SandboxPool } from "./SandboxPool.ts"
import type { Ended, SandboxProcess } from "./SandboxProcess.ts"
import type { TaskAnswer, TaskName, TaskOptions } from "./Tasks.ts"

export interface SandboxLimits {
  /** Tasks at a time. Default: {@link processesByDefault}. */
  readonly processes: number
  /** Most memory of one process, its task's bytes included. */
  readonly memoryMaxBytes: number
  /** CPU that one task may take; less where its input says so. */
  readonly cpuMaxSeconds: number
  /** How long one task may take on a busy machine, once its bytes are there and its process is ready. */
  readonly deadlineMillis: number
  /** Tasks that may wait for a process; further ones are told to retry. */
  readonly waitingMax: number
  /** Tasks after which a process is replaced, so that no library's leak grows for long. */
  readonly tasksMax: number
  /** How long a process without a task stays warm. */
  readonly idleMillis: number
  /** How its processes are confined. Default: the confinement of this machine. */
  readonly confinement: Effect.Effect<Confinement>
  /** What its processes may reach besides their own files, when they start programs, which then open the files. */
  readonly programs: Effect.Effect<ProcessAccess, DriveError.Unavailable> | null
}

/** The default number of processes: one fewer than the machine has cores, 2 to 4. */
const processesByDefault = (): number => Math.min(Math.max(availableParallelism() - 1, 2), 4)

const defaults = (): SandboxLimits => ({
  processes: processesByDefault(),
  memoryMaxBytes: 1.5e9,
  cpuMaxSeconds: 20,
  deadlineMillis: 120_000,
  waitingMax: 256,
  tasksMax: 200,
  idleMillis: 60_000,
  confinement: Effect.promise(ofThisMachine),
  programs: null
})

/**
 * A process that keeps more than this when its task is done is not used again, or the next file would have less: what
 * WebAssembly took for one picture it never gives back. A fresh one has some 100 MB.
 */
const keptMaxBytes = ({ memoryMaxBytes }: SandboxLimits): number => Math.max(memoryMaxBytes / 4, 200e6)

/** The input of a task. */
export interface Content {
  readonly sizeBytes: number
  /** Exactly that many. */
  readonly bytes: Stream.Stream<Uint8Array, DriveError.Unavailable>
  /** CPU it may take, where that is less than a task's limit. */
  readonly cpuMaxSeconds?: number
  /** What the whole file may take, in this task and all others. */
  readonly budget?: CpuBudget
}

export interface Sandbox {
  /**
   * Performs a task on bytes, which are passed straight to its process.
   *
   * `Unreadable` with the task's own reason, or when it fails, crashes, or is killed for time or memory; `Unavailable` when
   * the bytes can't be read, too many tasks wait, or its process is killed by somebody else. Interrupting it kills the process, and is done when another has replaced it.
   */
  readonly run: <Name extends TaskName>(
    task: Name,
    options: TaskOptions<Name>,
    content: Content
  ) => Effect.Effect<TaskAnswer<Name>, DriveError.Unreadable | DriveError.Unavailable>
}

/** Bytes that are in memory already. */
export const contentOf = (bytes: Uint8Array): Content => ({
  sizeBytes: bytes.byteLength,
  bytes: Stream.succeed(bytes)
})

const damaged = "This file could not be opened: it is damaged, or not of a kind that can be shown."
const tooMuch = "This file could not be opened: it takes too much time or memory."

/** Passes a task's bytes on. */
const feed = (running: SandboxProcess, { bytes, sizeBytes }: Content): Effect.Effect<void, DriveError.Unavailable> =>
  Effect.gen(function*() {
    let fed = 0
    yield* Stream.runForEach(bytes, (chunk) => {
      fed += chunk.byteLength
      return fed > sizeBytes ? Effect.void : Effect.promise(() => running.write(chunk))
    })
    if (fed !== sizeBytes) {
      const cause = new Error(`The store handed over ${fed} bytes of a file where ${sizeBytes} were asked for`)
      return yield* new DriveError.Unavailable({ code: "fetching_file_failed", cause })
    }
  })

const notStarted = (cause: unknown) => new DriveError.Unavailable({ code: "unavailable", cause })

const read = (
  reply: FromSandbox | Ended,
  task: TaskName
): Effect.Effect<unknown, DriveError.Unreadable | DriveError.Unavailable> => {
  switch (reply.tag) {
    case "answered":
      return Effect.succeed(reply.answer)
    case "refused": {
      const { because, missingTool } = reply
      return Effect.fail(
        new DriveError.Unreadable({ because, ...(missingTool === undefined ? {} : { missingTool }) })
      )
    }
    case "failed":
      return Effect.logDebug(`A ${task} failed: ${reply.reason}`).pipe(
        Effect.andThen(Effect.fail(new DriveError.Unreadable({ because: damaged })))
      )
    case "ended":
      return Effect.logDebug(`The process of a ${task} ended: ${reply.lastWords}`).pipe(
        Effect.andThen(Effect.fail(new DriveError.Unreadable({ because: tooMuch })))
      )
    case "killed":
      return Effect.fail(MediaTools.killed(`The process of a ${task}`))
    case "unstarted":
      return Effect.logWarning(`The process that opens files could not be started: ${reply.lastWords}`).pipe(
        Effect.andThen(Effect.fail(notStarted(reply.lastWords)))
      )
  }
}

/** CPU that a task took. For a process that ended itself it is unknown: then all that it might have taken. */
const taken = (reply: FromSandbox | Ended, cpuMaxSeconds: number): number => {
  switch (reply.tag) {
    case "killed":
    case "unstarted":
      return 0
    case "ended":
      return cpuMaxSeconds
    default:
      return reply.cpuSeconds
  }
}

/** An error was not caught in a process that had other files before: one of those may have caused it. */
class Unclear extends Data.TaggedError("Unclear") {}

/** A new sandbox. Closing the scope kills its processes, whatever they do. */
export const make = (chosen: Partial<SandboxLimits> = {}): Effect.Effect<Sandbox, never, Scope.Scope> =>
  Effect.gen(function*() {
    const limits = { ...defaults(), ...chosen }
    const places = yield* Semaphore.make(limits.processes)
    const pool = new SandboxPool(limits)
    let waiting = 0
    const reads = [...ownReads(), ...systemReads()]

    /** How its processes are confined, and what they may reach. */
    const bounds = Effect.gen(function*() {
      const wanted = limits.programs === null ? null : yield* limits.programs
      return {
        confinement: yield* limits.confinement,
        port: wanted?.port ?? null,
        reads: [...reads, ...wanted?.reads ?? []],
        startsPrograms: wanted !== null
      }
    })

    yield* Effect.addFinalizer(() => Effect.promise(() => pool.close()))

    const performIn = (isUnused: boolean, task: TaskName, options: unknown, content: Content) =>
      Effect.gen(function*() {
        const left = yield* content.budget?.left ?? Effect.succeed(Infinity)
        const cpuMaxSeconds = Math.min(limits.cpuMaxSeconds, content.cpuMaxSeconds ?? Infinity, left)
        return yield* performWithin(yield* bounds, cpuMaxSeconds, isUnused, task, options, content)
      })

    const performWithin = (
      bounds: Bounds,
      cpuMaxSeconds: number,
      isUnused: boolean,
      task: TaskName,
      options: unknown,
      content: Content
    ) =>
      Effect.acquireUseRelease(
        Effect.try({
          try: () => ({ process: pool.take(bounds, task, isUnused), good: false, isRefused: false, isCounted: false }),
          catch: notStarted
        }),
        (held) =>
          Effect.gen(function*() {
            const asked = held.process.ask({ task, options, sizeBytes: content.sizeBytes, cpuMaxSeconds })
            yield* feed(held.process, content)
            void held.process.limit(asked)
            void pool.attend(held.process, bounds, asked)
            const reply = yield* Effect.promise(() => asked)
            content.budget?.spend(taken(reply, cpuMaxSeconds))
            held.isCounted = true
            held.isRefused = reply.tag === "unstarted"
            held.good = (reply.tag === "answered" || reply.tag === "refused")
              && held.process.tasks < limits.tasksMax && reply.memoryBytes <= keptMaxBytes(limits)
              && !reply.hasStrayed
            if (reply.tag === "failed" && reply.hasStrayed && held.process.tasks > 1) return yield* new Unclear()
            return yield* read(reply, task)
          }),
        ({ good, isCounted, isRefused, process }) => {
          // Interrupted: the next operation on the file has less CPU left.
          if (!isCounted) content.budget?.spend(process.taken ?? cpuMaxSeconds)
          if (good) return Effect.sync(() => pool.giveBack(process))
          // A process that can't be started here is not retried before the next request.
          if (isRefused) return Effect.promise(() => pool.kill(process))
          return Effect.catchDefect(
            Effect.promise(() => pool.replace(process, bounds)),
            (defect) => Effect.logWarning("The next process that opens files could not be started:", defect)
          )
        }
      )

    const perform = (task: TaskName, options: unknown, content: Content) =>
      Effect.catchTag(performIn(false, task, options, content), "Unclear", () =>
        // In a process that had no other file the cause is certain.
        Effect.catchTag(performIn(true, task, options, content), "Unclear", (error) => Effect.die(error)))

    const inTurn = <A, E>(work: Effect.Effect<A, E>) =>
      Effect.suspend((): Effect.Effect<A, E | DriveError.Unavailable> => {
        if (waiting >= limits.waitingMax + limits.processes) {
          return Effect.fail(
            new DriveError.Unavailable({ code: "unavailable", cause: new Error("Too many files wait to be opened") })
          )
        }
        waiting++
        return places.withPermits(1)(work).pipe(Effect.ensuring(Effect.sync(() => waiting--)))
      })

    return {
      run: <Name extends TaskName>(task: Name, options: TaskOptions<Name>, content: Content) =>
        inTurn(perform(task, options, content)) as Effect.Effect<
          TaskAnswer<Name>,
          DriveError.Unreadable | DriveError.Unavailable
        >
    }
  })
