/**
 * What every change of a task brings with it: its status, the history, the counts of its account, reports to webhooks, and whose turn is
 * next. Each only inside `AccountTransaction.run` of the account, with the task as it is there.
 */
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Database } from "../database/Database.ts"
import { Events } from "../events/Events.ts"
import * as Limits from "../limits/Limits.ts"
import type { AccountId } from "../shared/Ids.ts"
import { taskStepJob } from "../waits/Wait.ts"
import { Waits } from "../waits/Waits.ts"
import type { Startable, StoredMessage, StoredTask } from "./StoredTask.ts"
import type { Part } from "./Task.ts"
import { TaskFollowers } from "./TaskFollowers.ts"
import { canceledText, reply, type TaskOutput } from "./TaskOutput.ts"
import type { ReadyRun } from "./TaskRun.ts"
import { TasksRepo } from "./TasksRepo.ts"
import * as TaskState from "./TaskState.ts"
import { TranscriptsRepo } from "./TranscriptsRepo.ts"
import { Webhooks } from "./Webhooks.ts"

export const makeChanges = Effect.gen(function*() {
  const { sql } = yield* Database
  const repo = yield* TasksRepo
  const transcripts = yield* TranscriptsRepo
  const waits = yield* Waits
  const webhooks = yield* Webhooks
  const events = yield* Events
  const random = yield* SecureRandom.SecureRandom
  const followers = yield* TaskFollowers
  const steps = yield* taskStepJob.queue

  const announced = (task: StoredTask) =>
    sql.afterCommit(
      TaskState.isSettled(task.phase)
        ? Effect.andThen(followers.tell(task), events.announce(task.id))
        : events.announce(task.id)
    )

  /** Lets tasks begin that there is a place for. */
  const startNext = Effect.fnUntraced(function*(accountId: AccountId) {
    if ((yield* waits.counts).active === 0) return
    yield* startAll(accountId, yield* repo.startable(accountId, Limits.tasksRunning))
  })

  /** Lets these tasks begin: in this process where it has room. */
  const startAll = Effect.fnUntraced(function*(accountId: AccountId, found: ReadonlyArray<Startable>) {
    const [first] = found
    if (first === undefined) return
    const isHere = yield* steps.hasRoom({ accountId, taskId: first.id })
    const here = isHere ? found.filter(({ isPlain }) => isPlain) : []
    const others = found.filter((task) => !here.includes(task))
    yield* steps.enqueueAll(others.map(({ id: taskId }) => ({ accountId, taskId })))
    if (here.length === 0) return
    const ids = here.map(({ id }) => id)
    const begun = yield* repo.beginQueued(accountId, ids, DateTime.toDateUtc(yield* DateTime.now))
    yield* Effect.forEach(begun, (task) => {
      const kept = followers.queued(task.id)
      // A message may have come since.
      const ready: ReadyRun = { task, transcript: kept?.entries.length === task.entries ? kept : null }
      return steps.start({ accountId, taskId: task.id }, ready)
    }, { concurrency: "unbounded", discard: true })
  })

  /** A message of the agent's. */
  const saying = Effect.fnUntraced(function*(parts: ReadonlyArray<Part>) {
    const message: StoredMessage = {
      messageId: yield* random.uuidV7(),
      role: "agent",
      parts,
      metadata: null,
      time: DateTime.formatIso(yield* DateTime.now)
    }
    return message
  })

  /** Adds a message to the history. */
  const add = (task: StoredTask, message: StoredMessage, fingerprint: Uint8Array | null) =>
    Effect.as(repo.insertMessage(task, task.messages, message, fingerprint), { ...task, messages: task.messages + 1 })

  /** Saves a task whose status has changed, after its message has become history. Null when `save` refuses. */
  const tell = Effect.fnUntraced(function*(
    before: StoredTask,
    changed: StoredTask,
    { artifacts, parts }: TaskOutput,
    save: (task: StoredTask) => Effect.Effect<boolean>
  ) {
    const now = DateTime.toDateUtc(yield* DateTime.now)
    const kept = before.statusMessage === null ? changed : yield* add(changed, before.statusMessage, null)
    const told: StoredTask = {
      ...kept,
      // The clock of another server may have been ahead.
      statusTime: now < before.statusTime ? before.statusTime : now,
      statusMessage: parts === undefined ? null : yield* saying(parts),
      artifacts: artifacts ?? kept.artifacts,
      reports: kept.reports + 1
    }
    if (!(yield* save(told))) return null
    yield* webhooks.report(told)
    // Nobody waits for a task to be begun.
    if (told.phase !== "running") yield* announced(told)
    return told
  })

  const saved = (task: StoredTask) => Effect.as(repo.save(task), true)

  /**
   * Changes a task by an event. Null when its phase does not allow that, or `save` refuses it, because the task is no longer as it was
   * read; then nothing changes.
   */
  const changeWith = Effect.fn("TaskChanges.change")(
    function*(
      before: StoredTask,
      event: TaskState.TaskEvent,
      said: TaskOutput = {},
      save: (task: StoredTask) => Effect.Effect<boolean> = saved
    ) {
      const next = TaskState.next(before.phase, event)
      if ("refused" in next) return null
      const { phase } = next
      const isQueued = phase === "woken"
      const changed: StoredTask = {
        ...before,
        phase,
        queueTime: isQueued ? DateTime.toDateUtc(yield* DateTime.now) : before.queueTime
      }
      const after = TaskState.isTold(before.phase, phase)
        ? yield* tell(before, changed, said, save)
        : (yield* save(changed))
        ? changed
        : null
      if (after === null) return null
      const [was, is] = [TaskState.isActive(before.phase), TaskState.isActive(phase)]
      if (was !== is) yield* waits.countActive(is ? 1 : -1)
      if (TaskState.hasEnded(phase)) yield* waits.end(before.accountId, before.id)
      if (before.phase === "running" || isQueued || TaskState.hasEnded(phase)) yield* startNext(before.accountId)
      return after
    }
  )

  /** What was done of a task that was cancelled, for its message. */
  const doneOf = Effect.fnUntraced(function*(task: StoredTask) {
    const calls = yield* transcripts.calls(task.accountId, [task.id])
    return reply(canceledText(calls))
  })

  /** A call of a task that was cancelled has ended: the message says what it did. */
  const tellDone = Effect.fnUntraced(function*(task: StoredTask) {
    const { artifacts, parts } = yield* doneOf(task)
    if (task.statusMessage === null) return
    const told = { ...task, statusMessage: { ...task.statusMessage, parts }, artifacts }
    yield* repo.save(told)
    yield* announced(told)
  })

  const cancel = Effect.fnUntraced(function*(task: StoredTask) {
    return yield* changeWith(task, "canceled", yield* doneOf(task))
  })

  return { add, announced, cancel, change: changeWith, startNext, tellDone }
})
