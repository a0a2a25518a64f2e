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
import { reply, type Said } from "./Said.ts"
import type { StoredTask, TaskCall, TaskEntry } from "./StoredTask.ts"
import { makeChanges } from "./TaskChanges.ts"
import { TasksRepo } from "./TasksRepo.ts"
import * as TaskState from "./TaskState.ts"
import { TranscriptsRepo } from "./TranscriptsRepo.ts"

/** The task has ended, or another run of it has begun. */
export class Outdated extends Data.TaggedError("Outdated") {}

/** What a brain reads of a task. */
export interface Transcript {
  readonly task: StoredTask
  readonly entries: ReadonlyArray<TaskEntry>
  readonly calls: ReadonlyArray<TaskCall>
}

/** A task at work, with the conversation before it, oldest first. */
export interface TaskRun extends Transcript {
  readonly earlier: ReadonlyArray<Transcript>
  /** It goes on waiting for this, unless a message ends that. */
  readonly wait: Wait | null
}

/** What is to be done about a task now. */
export type Begun =
  | { readonly _tag: "Nothing" }
  /** It waits, and what it waits for may have ended in another way than it waits for. */
  | { readonly _tag: "Look"; readonly task: StoredTask; readonly wait: Wait }
  | { readonly _tag: "Run"; readonly run: TaskRun }

/** How a call of a tool ended: with the tool's answer, or with why it was refused. */
export interface Outcome {
  readonly isFailure: boolean
  readonly result: unknown
}

/** An answer of the brain's that calls tools. */
export interface Answer {
  /** Of the assistant's message, encoded. */
  readonly content: ReadonlyArray<unknown>
  readonly calls: ReadonlyArray<Pick<TaskCall, "callId" | "name" | "args"> & { readonly outcome?: Outcome }>
  readonly tokens: number
}

type Step<A> = Effect.Effect<A, Outdated>

export class TaskRuns extends Context.Service<TaskRuns, {
  /** Begins a run when it is the task's turn, or says what else there is to do. */
  readonly begin: (accountId: AccountId, taskId: TaskId) => Effect.Effect<Begun>
  /** The wait of a task is over: its call is answered with `result`. Returns false when it had ended before. */
  readonly endWait: (accountId: AccountId, taskId: TaskId, result: unknown) => Effect.Effect<boolean>
  /** The wait goes on until another time. */
  readonly extendWait: (accountId: AccountId, taskId: TaskId, untilTime: DateTime.Utc) => Effect.Effect<void>
  /** The brain has answered, and calls tools; those that only read may have been carried out already. Returns the transcript as it is then. */
  readonly answered: (before: Transcript, answer: Answer) => Step<Transcript>
  /** A call is about to be carried out, which may be lost without a trace. */
  readonly asking: (task: StoredTask, call: TaskCall, before: unknown) => Step<void>
  /** Carries out a call whose work is of the database alone, and records it with what it has changed. */
  readonly carryOut: (
    task: StoredTask,
    call: TaskCall,
    work: Effect.Effect<Outcome>
  ) => Step<Outcome>
  /** A call has been carried out. When the task was cancelled meanwhile, its message says so. */
  readonly called: (task: StoredTask, call: TaskCall, outcome: Outcome) => Step<void>
  /**
   * The task waits from now on. `check` is asked in the same transaction: what it finds ends the wait before it begins. Answers how the
   * call has ended then, or null when it waits.
   */
  readonly wait: (
    task: StoredTask,
    call: TaskCall,
    check: Effect.Effect<{ readonly wait: NewWait } | { readonly outcome: Outcome }>
  ) => Step<Outcome | null>
  /** The brain has ended. False when there is something new to read: then nothing changes. */
  readonly finished: (task: StoredTask, said: Said, tokens: number) => Step<boolean>
  readonly failed: (accountId: AccountId, taskId: TaskId, because: string) => Effect.Effect<void>
  /** The transcript as it is now. */
  readonly read: (task: StoredTask) => Step<Transcript>
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
        if (waiting !== undefined) {
          yield* transcripts.saveCall(task, { ...waiting, state: "done", isFailure: false, result })
        }
        yield* waits.end(task.accountId, task.id)
        const over = { ...task, happenedNo }
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
        | { readonly isLook: true; readonly task: StoredTask; readonly wait: Wait }
        | { readonly isLook: false; readonly task: StoredTask; readonly wait: Wait | null }

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
        if (task.phase === "waiting" && wait !== null) return { isLook: true, task, wait }
        const begun = { ...task, run: task.run + 1 }
        if (task.phase === "running") return { isLook: false, task: yield* Effect.as(repo.save(begun), begun), wait }
        const isOnly = (yield* waits.counts).active === 1
        const isNext = isOnly || (yield* repo.isStartable(task, Limits.tasksRunning))
        const started = isNext ? yield* changes.change(begun, "started") : null
        return started === null ? null : { isLook: false, task: started, wait }
      })

      const begin: TaskRuns["Service"]["begin"] = Effect.fn("TaskRuns.begin")(function*(accountId, taskId) {
        const found = yield* transaction.share(accountId, () => turn(accountId, taskId))
        if (found === null) return { _tag: "Nothing" } as const
        if (found.isLook) return { _tag: "Look", task: found.task, wait: found.wait } as const
        const earlier = yield* repo.earlier(found.task, Limits.transcript.earlierTasks)
        const all = yield* transcriptsOf([...earlier.toReversed(), found.task])
        return { _tag: "Run" as const, run: { ...all.at(-1)!, earlier: all.slice(0, -1), wait: found.wait } }
      })

      const current = Effect.fnUntraced(function*({ accountId, id, run }: StoredTask) {
        const task = yield* repo.find(accountId, id)
        return task === null || task.phase !== "running" || task.run !== run ? yield* new Outdated() : task
      })

      const step = <A, E>(task: StoredTask, work: (task: StoredTask) => Effect.Effect<A, E>) =>
        transaction.share(task.accountId, () => Effect.flatMap(current(task), work))

      const read = Effect.fnUntraced(function*(task: StoredTask) {
        return (yield* transcriptsOf([yield* current(task)]))[0]!
      })

      const answered: TaskRuns["Service"]["answered"] = Effect.fn("TaskRuns.answered")(
        function*(before, { calls, content, tokens }) {
          const known = yield* step(before.task, (now) =>
            Effect.gen(function*() {
              const entry = { no: now.entries, role: "assistant" as const, content }
              const made = calls.map(({ outcome, ...call }, no): TaskCall => {
                const pending: TaskCall = {
                  ...call,
                  entryNo: entry.no,
                  no,
                  state: "pending",
                  before: null,
                  isFailure: null,
                  result: null
                }
                return outcome === undefined ? pending : done(pending, outcome)
              })
              const steps = now.steps + 1 + made.filter(({ state }) => state === "done").length
              const task = { ...now, entries: entry.no + 1, steps, tokens: now.tokens + tokens }
              yield* transcripts.insertEntry(now, entry)
              yield* transcripts.insertCalls(now, made)
              yield* repo.save(task)
              // A message that has come since is not among those that were read.
              return now.entries === before.task.entries
                ? { task, entries: [...before.entries, entry], calls: [...before.calls, ...made] }
                : null
            }))
          return known ?? (yield* read(before.task))
        }
      )

      const done = (call: TaskCall, { isFailure, result }: Outcome): TaskCall => ({
        ...call,
        state: "done",
        isFailure,
        result
      })

      const record = Effect.fnUntraced(function*(now: StoredTask, call: TaskCall, outcome: Outcome) {
        yield* transcripts.saveCall(now, done(call, outcome))
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
            ).pipe(Effect.catchTag("Undone", ({ refused }) => Effect.succeed(refused)))
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

      const finished: TaskRuns["Service"]["finished"] = Effect.fn("TaskRuns.finished")((task, said, tokens) =>
        step(task, (found) =>
          Effect.gen(function*() {
            // A message has come since the brain was asked.
            if (found.entries !== task.entries) return false
            const now = { ...found, steps: found.steps + 1, tokens: found.tokens + tokens }
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

/** What a call that waited is answered with. */
const wokenBy = ({ ended, ...event }: Happened["event"]) => ({ woken: true, reason: ended ?? "happened", event })

class Undone extends Data.TaggedError("Undone")<{ readonly refused: Outcome }> {}

const tooMany: Outcome = {
  isFailure: true,
  result: {
    error: `${Limits.tasksWaiting} tasks of this account wait already, and no more may. Stop one of them first.`,
    code: "too_many_waits"
  }
}

const saidTexts = ({ parts = [] }: Said) =>
  parts.flatMap((part) => "text" in part ? [{ type: "text", text: part.text }] : [])
