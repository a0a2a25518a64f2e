/**
 * What a run of a task records, step by step. Each is one transaction under the account's lock, and applies only while the run is the
 * task's latest and the task has not ended: a worker that was thought dead changes nothing.
 */
import type { DateTime } from "effect"
import { Context, Data, Effect, Layer } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as Limits from "../limits/Limits.ts"
import type { AccountId, TaskId } from "../shared/Ids.ts"
import { type Happened, type NewWait, taskStepJob, type Wait } from "../waits/Wait.ts"
import { Waits } from "../waits/Waits.ts"
import type { StoredTask, TaskCall } from "./StoredTask.ts"
import { makeChanges } from "./TaskChanges.ts"
import { reply, type TaskOutput } from "./TaskOutput.ts"
import {
  type Answer,
  Outdated,
  type ReadyRun,
  type RunStart,
  type TaskRun,
  type ToolResult,
  type Transcript,
  unrecorded,
  withAnswer,
  withOutcome
} from "./TaskRun.ts"
import { TasksRepo } from "./TasksRepo.ts"
import * as TaskState from "./TaskState.ts"
import { TranscriptsRepo } from "./TranscriptsRepo.ts"

type Step<A> = Effect.Effect<A, Outdated>

export class TaskRuns extends Context.Service<TaskRuns, {
  /** Begins a run when it is the task's turn, or says what else there is to do. `ready` is one that has begun already. */
  readonly begin: (accountId: AccountId, taskId: TaskId, ready?: ReadyRun) => Effect.Effect<RunStart>
  /** The wait of a task is over: its call is answered with `result`. Returns false when it had ended before. */
  readonly endWait: (accountId: AccountId, taskId: TaskId, result: unknown) => Effect.Effect<boolean>
  /** The wait goes on until another time. */
  readonly extendWait: (accountId: AccountId, taskId: TaskId, untilTime: DateTime.Utc) => Effect.Effect<void>
  /**
   * The brain has answered, and calls tools; those that only read may have been carried out already. Recorded with what is not recorded of
   * the run yet. Returns the run as it is then.
   */
  readonly answered: (run: TaskRun, answer: Answer) => Step<TaskRun>
  /** A call is about to be carried out, which may be lost without a trace. */
  readonly asking: (task: StoredTask, call: TaskCall, before: unknown) => Step<void>
  /** Carries out a call whose work is of the database alone, and records it with what it has changed. */
  readonly carryOut: <E>(
    task: StoredTask,
    call: TaskCall,
    work: Effect.Effect<ToolResult, E>
  ) => Effect.Effect<ToolResult, Outdated | E>
  /** A call has been carried out. When the task was cancelled meanwhile, its message says so. */
  readonly called: (task: StoredTask, call: TaskCall, outcome: ToolResult) => Step<void>
  /**
   * The task waits from now on. `check` is asked in the same transaction: what it finds ends the wait before it begins. Answers how the
   * call has ended then, or null when it waits.
   */
  readonly wait: <E>(
    task: StoredTask,
    call: TaskCall,
    check: Effect.Effect<{ readonly wait: NewWait } | { readonly outcome: ToolResult }, E>
  ) => Effect.Effect<ToolResult | null, Outdated | E>
  /** The brain has ended. Recorded with what is not recorded of the run yet. False when there is something new to read: then nothing changes. */
  readonly finished: (run: TaskRun, said: TaskOutput, tokens: number) => Step<boolean>
  readonly failed: (accountId: AccountId, taskId: TaskId, because: string) => Effect.Effect<void>
  /** The run as it is recorded now. */
  readonly read: (run: TaskRun) => Step<TaskRun>
  /** Whether this run may go on. */
  readonly isCurrent: (task: StoredTask) => Effect.Effect<boolean>
}>()("@filedrive/core/tasks/TaskRuns") {
  static readonly layerNoDeps = Layer.effect(
    TaskRuns,
    Effect.gen(function*() {
      const repo = yield* TasksRepo
      const transcripts = yield* TranscriptsRepo
      const transaction = yield* AccountTransaction
      const waits = yield* Waits
      const steps = yield* taskStepJob.queue
      const changes = yield* makeChanges

      /** Answers the call that has waited. */
      const endOf = Effect.fnUntraced(function*(task: StoredTask, result: unknown, happenedNo: number) {
        const calls = yield* transcripts.calls(task.accountId, [task.id])
        const waiting = calls.find(({ name, state }) => name === waitTool && state === "asking")
        let { entries } = task
        if (waiting !== undefined && waiting.entryNo === entries - 1) {
          yield* transcripts.saveCall(task, withOutcome(waiting, { isFailure: false, result }))
        } else if (waiting !== undefined) {
          // Messages have come since: what happened stands behind them, as the result of the same call made again.
          yield* transcripts.saveCall(task, withOutcome(waiting, { isFailure: false, result: stillWaiting }))
          const again = { ...waiting, entryNo: entries, no: 0, callId: `${waiting.callId}-${entries}` }
          const { args, callId, name } = again
          yield* transcripts.insertEntry(task, {
            no: entries,
            role: "assistant",
            content: [{ type: "tool-call", id: callId, name, params: args, providerExecuted: false }]
          })
          yield* transcripts.insertCalls(task, [withOutcome(again, { isFailure: false, result })])
          entries += 1
        }
        yield* waits.end(task.accountId, task.id)
        const over = { ...task, entries, happenedNo }
        return task.phase === "waiting"
          ? (yield* changes.change(over, "woken")) ?? over
          : yield* Effect.as(repo.save(over), over)
      })

      const happenedTo = (task: StoredTask, { event, no }: Happened) => endOf(task, wokenBy(event), no)

      const transcriptsOf = Effect.fnUntraced(function*(tasks: ReadonlyArray<StoredTask>) {
        const [first] = tasks
        if (first === undefined) return []
        const entries = yield* transcripts.entries(first.accountId, tasks.map(({ id }) => id))
        // A task without a step has called nothing.
        const ids = tasks.filter(({ steps }) => steps > 0).map(({ id }) => id)
        const calls = ids.length === 0 ? [] : yield* transcripts.calls(first.accountId, ids)
        return tasks.map((task): Transcript => ({
          task,
          entries: entries.filter(({ taskId }) => taskId === task.id),
          calls: calls.filter(({ taskId }) => taskId === task.id)
        }))
      })

      type Turn =
        | { readonly isWaitCheck: true; readonly task: StoredTask; readonly wait: Wait }
        | { readonly isWaitCheck: false; readonly task: StoredTask; readonly wait: Wait | null }

      const turn = Effect.fnUntraced(function*(
        accountId: AccountId,
        taskId: TaskId
      ): Effect.fn.Return<Turn | null> {
        let task = yield* repo.find(accountId, taskId)
        if (task === null || TaskState.hasEnded(task.phase)) return null
        let wait = yield* waits.find(accountId, taskId)
        if (wait !== null && wait.woken !== null) {
          task = yield* happenedTo(task, wait.woken)
          wait = null
        }
        if (task.phase === "waiting" && wait !== null) return { isWaitCheck: true, task, wait }
        const begun = { ...task, run: task.run + 1 }
        if (task.phase === "running") {
          return { isWaitCheck: false, task: yield* Effect.as(repo.save(begun), begun), wait }
        }
        const isOnly = (yield* waits.counts).active === 1
        const isNext = isOnly || (yield* repo.isStartable(task, Limits.tasksRunning))
        const started = isNext ? yield* changes.change(begun, "started") : null
        return started === null ? null : { isWaitCheck: false, task: started, wait }
      })

      const runOf = Effect.fnUntraced(function*(task: StoredTask, wait: Wait | null) {
        const earlier = yield* repo.earlier(task, Limits.transcript.earlierTasks)
        const all = yield* transcriptsOf([...earlier.toReversed(), task])
        return { ...all.at(-1)!, recorded: task, earlier: all.slice(0, -1), wait }
      })

      const begin: TaskRuns["Service"]["begin"] = Effect.fn("TaskRuns.begin")(function*(accountId, taskId, ready) {
        if (ready !== undefined) {
          const { task, transcript } = ready
          const run = transcript === null
            ? yield* runOf(task, null)
            : { task, recorded: task, ...transcript, wait: null }
          return { _tag: "Run", run } as const
        }
        const found = yield* transaction.share(accountId, () => turn(accountId, taskId))
        if (found === null) return { _tag: "Nothing" } as const
        if (found.isWaitCheck) return { _tag: "CheckWait", task: found.task, wait: found.wait } as const
        return { _tag: "Run", run: yield* runOf(found.task, found.wait) } as const
      })

      const current = Effect.fnUntraced(function*({ accountId, id, run }: StoredTask) {
        const task = yield* repo.find(accountId, id)
        return task === null || task.phase !== "running" || task.run !== run ? yield* new Outdated() : task
      })

      const step = <A, E>(task: StoredTask, work: (task: StoredTask) => Effect.Effect<A, E>) =>
        transaction.share(task.accountId, () => Effect.flatMap(current(task), work))

      const read = Effect.fnUntraced(function*(run: TaskRun) {
        const [transcript] = yield* transcriptsOf([yield* current(run.task)])
        return { ...run, ...transcript!, recorded: transcript!.task }
      })

      /** Adds what is not recorded of a run to the transcript. */
      const insertUnrecorded = Effect.fnUntraced(function*(run: TaskRun, now: StoredTask) {
        const { calls, entries, task } = unrecorded(run, now)
        yield* transcripts.insertEntries(now, entries)
        yield* transcripts.insertCalls(now, calls)
        return task
      })

      const answered: TaskRuns["Service"]["answered"] = Effect.fn("TaskRuns.answered")(function*(run, answer) {
        const next = withAnswer(run, answer)
        const recorded = yield* step(run.task, (now) =>
          Effect.gen(function*() {
            const task = yield* insertUnrecorded(next, now)
            yield* repo.save(task)
            // A message that has come since is not among those that were read.
            return now.entries === run.recorded.entries ? task : null
          }))
        return recorded === null ? yield* read(run) : { ...next, task: recorded, recorded }
      })

      const record = Effect.fnUntraced(function*(now: StoredTask, call: TaskCall, outcome: ToolResult) {
        yield* transcripts.saveCall(now, withOutcome(call, outcome))
        yield* repo.save({ ...now, steps: now.steps + 1 })
      })

      const asking: TaskRuns["Service"]["asking"] = (task, call, before) =>
        step(task, (now) => transcripts.saveCall(now, { ...call, state: "asking", before }))

      // A transaction of its own: the call may lock more than the account.
      const carryOut: TaskRuns["Service"]["carryOut"] = Effect.fn("TaskRuns.carryOut")((task, call, work) =>
        transaction.run(task.accountId, () =>
          Effect.gen(function*() {
            const now = yield* current(task)
            // In a savepoint, so that a call which fails leaves nothing.
            const outcome = yield* transaction.run(
              task.accountId,
              () => Effect.filterOrFail(work, ({ isFailure }) => !isFailure, (refused) => new Undone({ refused }))
            ).pipe(Effect.catchIf((error) => error instanceof Undone, ({ refused }) => Effect.succeed(refused)))
            yield* record(now, call, outcome)
            return outcome
          }))
      )

      const called: TaskRuns["Service"]["called"] = Effect.fn("TaskRuns.called")((task, call, outcome) =>
        transaction.share(task.accountId, () =>
          Effect.gen(function*() {
            const now = yield* repo.find(task.accountId, task.id)
            if (now === null || now.run !== task.run) return yield* new Outdated()
            yield* record(now, call, outcome)
            if (now.phase === "running") return
            if (now.phase === "canceled") yield* changes.tellDone(now)
            return yield* new Outdated()
          }))
      )

      const wait: TaskRuns["Service"]["wait"] = Effect.fn("TaskRuns.wait")((task, call, check) =>
        transaction.run(task.accountId, () =>
          Effect.gen(function*() {
            const now = yield* current(task)
            const { accountId } = task
            const checked = yield* check
            if ("outcome" in checked) return yield* Effect.as(record(now, call, checked.outcome), checked.outcome)
            if ((yield* waits.counts).waiting >= Limits.tasksWaiting) {
              return yield* Effect.as(record(now, call, tooMany), tooMany)
            }
            const missed = yield* waits.begin(accountId, checked.wait, now.happenedNo)
            if (missed !== null) {
              const outcome = { isFailure: false, result: wokenBy(missed.event) }
              yield* waits.end(accountId, task.id)
              yield* record({ ...now, happenedNo: missed.no }, call, outcome)
              return outcome
            }
            yield* transcripts.saveCall(now, { ...call, state: "asking" })
            yield* changes.change({ ...now, steps: now.steps + 1 }, "waits", { parts: [{ text: checked.wait.text }] })
            yield* steps.enqueue({ accountId, taskId: task.id }, checked.wait.untilTime)
            return null
          }))
      )

      /** Ends a task of which nothing has changed since it was read, in few statements. Null when it is not like that. */
      const finishedUnchanged = Effect.fnUntraced(function*(run: TaskRun, said: TaskOutput, tokens: number) {
        const { recorded, task, wait } = run
        const isPlain = wait === null && recorded.webhooks === 0 && recorded.statusMessage === null
        if (!isPlain || (yield* waits.counts).waiting > 0) return null
        const before = { ...task, steps: task.steps + 1, tokens: task.tokens + tokens }
        const after = yield* changes.change(before, "completed", said, (ended) => repo.saveUnchanged(recorded, ended))
        if (after !== null) yield* insertUnrecorded(run, recorded)
        return after
      })

      const finished: TaskRuns["Service"]["finished"] = Effect.fn("TaskRuns.finished")((run, said, tokens) =>
        transaction.share(run.task.accountId, () =>
          Effect.gen(function*() {
            if ((yield* finishedUnchanged(run, said, tokens)) !== null) return true
            const found = yield* current(run.task)
            // A message has come since the brain was asked.
            if (found.entries !== run.recorded.entries) return false
            const task = yield* insertUnrecorded(run, found)
            const now = { ...task, steps: task.steps + 1, tokens: task.tokens + tokens }
            const { accountId, id } = now
            const wait = yield* waits.find(accountId, id)
            if (wait === null) return (yield* changes.change(now, "completed", said)) !== null
            if (wait.woken !== null) {
              yield* happenedTo(now, wait.woken)
              return false
            }
            const entry = { no: now.entries, role: "assistant" as const, content: saidTexts(said) }
            yield* transcripts.insertEntry(now, entry)
            yield* changes.change({ ...now, entries: now.entries + 1 }, "waits", {
              parts: said.parts ?? [{ text: wait.text }]
            })
            yield* steps.enqueue({ accountId, taskId: id }, wait.untilTime)
            return true
          }))
      )

      const failed: TaskRuns["Service"]["failed"] = Effect.fn("TaskRuns.failed")((accountId, taskId, because) =>
        transaction.share(accountId, () =>
          Effect.gen(function*() {
            const task = yield* repo.find(accountId, taskId)
            if (task !== null) yield* changes.change(task, "failed", reply(because))
          }))
      )

      const endWait: TaskRuns["Service"]["endWait"] = Effect.fn("TaskRuns.endWait")((accountId, taskId, result) =>
        transaction.share(accountId, () =>
          Effect.gen(function*() {
            const task = yield* repo.find(accountId, taskId)
            if (task === null || TaskState.hasEnded(task.phase)) return false
            yield* endOf(task, result, yield* waits.now(accountId))
            return true
          }))
      )

      return TaskRuns.of({
        begin,
        endWait,
        extendWait: (accountId, taskId, untilTime) =>
          transaction.share(accountId, () => waits.extend(accountId, taskId, untilTime)),
        answered,
        asking,
        carryOut,
        called,
        wait,
        finished,
        failed,
        read,
        isCurrent: (task) => Effect.match(current(task), { onFailure: () => false, onSuccess: () => true })
      })
    })
  )
}

/** The tool whose calls are answered when something has happened. */
export const waitTool = "wait_for"

/** The result of a wait that goes on while other messages are answered. */
export const stillWaiting = {
  waiting: true,
  note: "Nothing has happened yet. The wait goes on unless you call end_wait."
}

/** What a call that waited is answered with. */
const wokenBy = ({ ended, ...event }: Happened["event"]) => ({ woken: true, reason: ended ?? "happened", event })

class Undone extends Data.TaggedError("Undone")<{ readonly refused: ToolResult }> {}

const tooMany: ToolResult = {
  isFailure: true,
  result: {
    error: `${Limits.tasksWaiting} tasks of this account wait already, and no more may. Stop one of them first.`,
    code: "too_many_waits"
  }
}

const saidTexts = ({ parts = [] }: TaskOutput) =>
  parts.flatMap((part) => "text" in part ? [{ type: "text", text: part.text }] : [])
