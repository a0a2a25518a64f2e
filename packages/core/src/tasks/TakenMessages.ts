/** What becomes of a message that is taken: a task, or one more message of a task. Each only inside `AccountTransaction.share`. */
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { bothAllow, CurrentCredential } from "../accounts/Credential.ts"
import { credentialEnded } from "../accounts/LiveCredential.ts"
import * as Pipeline from "../database/Pipeline.ts"
import * as Limits from "../limits/Limits.ts"
import { TaskId } from "../shared/Ids.ts"
import { taskStepJob } from "../waits/Wait.ts"
import { Waits } from "../waits/Waits.ts"
import { entryOf } from "./PromptParts.ts"
import type { StoredMessage, StoredTask } from "./StoredTask.ts"
import { type NewMessage, type Part, TooManyTasks } from "./Task.ts"
import { invalid, open } from "./TaskAccess.ts"
import { makeChanges } from "./TaskChanges.ts"
import type { ReadyRun } from "./TaskRun.ts"
import { TasksRepo } from "./TasksRepo.ts"
import { TranscriptsRepo } from "./TranscriptsRepo.ts"

interface Begins {
  /** Somebody waits for the task. */
  readonly isFollowed: boolean
  /** Its beginning is reported. */
  readonly hasWebhook: boolean
}

/** In memory, of a task that was just made: only a row's is compared. */
const unread = 0

export const makeTakenMessages = Effect.gen(function*() {
  const repo = yield* TasksRepo
  const transcripts = yield* TranscriptsRepo
  const waits = yield* Waits
  const changes = yield* makeChanges
  const random = yield* SecureRandom.SecureRandom
  const steps = yield* taskStepJob.queue

  const stored = Effect.fnUntraced(function*({ messageId, metadata }: NewMessage, parts: ReadonlyArray<Part>) {
    const message: StoredMessage = {
      messageId,
      role: "user",
      parts,
      metadata: metadata ?? null,
      time: DateTime.formatIso(yield* DateTime.now)
    }
    return message
  })

  /** Whether the account may have one more task. */
  const room = Effect.flatMap(
    waits.counts,
    ({ active }) => active < Limits.tasksOpen ? Effect.void : Effect.fail(new TooManyTasks())
  )

  const begin = Effect.fnUntraced(
    function*(
      message: NewMessage,
      parts: ReadonlyArray<Part>,
      fingerprint: Uint8Array,
      { hasWebhook, isFollowed }: Begins
    ) {
      yield* room
      const { accountId, id: credentialId, limits, name } = yield* CurrentCredential
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const id = TaskId.make(yield* random.uuidV7())
      const key = { accountId, taskId: id }
      // Of a conversation that is new, the first task.
      const isFree = message.contextId === undefined && (yield* waits.counts).active < Limits.tasksRunning
      const begins = isFollowed && !hasWebhook && isFree && (yield* steps.hasRoom(key))
      const task = {
        id,
        accountId,
        credentialId,
        credentialName: name,
        permissions: limits.permissions,
        contextId: message.contextId ?? (yield* random.uuidV7()),
        phase: begins ? "running" as const : "queued" as const,
        statusTime: now,
        statusMessage: null,
        artifacts: [],
        metadata: message.metadata ?? null,
        queueTime: now,
        insertTime: now,
        run: begins ? 1 : 0,
        steps: 0,
        tokens: 0,
        messages: 1,
        entries: 1,
        reports: 0,
        webhooks: 0
      }
      const first = yield* stored(message, parts)
      yield* repo.insert(task, first, fingerprint)
      const entry = { no: 0, role: "user" as const, content: entryOf(parts) }
      yield* transcripts.insertEntry(task, entry)
      yield* waits.countActive(1)
      if (begins) {
        const transcript = { entries: [entry], calls: [], earlier: [] }
        const ready: ReadyRun = { task: { ...task, happenedNo: unread }, transcript }
        yield* steps.start(key, ready)
      } else if (isFree || hasWebhook) yield* Pipeline.unawaited(steps.enqueue(key))
      // Otherwise whoever makes a place for it lets it begin.
      else if (yield* repo.isStartable(task, Limits.tasksRunning)) yield* changes.startNext(accountId)
      return { task, entry, history: [first] }
    }
  )

  const join = Effect.fnUntraced(
    function*(task: StoredTask, message: NewMessage, parts: ReadonlyArray<Part>, fingerprint: Uint8Array) {
      yield* open(task)
      if (message.contextId !== undefined && message.contextId !== task.contextId) {
        return yield* invalid("message.contextId", "must be that of the task")
      }
      if (task.messages >= Limits.messagesPerTask) {
        return yield* invalid(
          "message.taskId",
          `must be of a task with fewer than ${Limits.messagesPerTask} messages`
        )
      }
      const { limits } = yield* CurrentCredential
      const limited = { ...task, permissions: bothAllow(task.permissions, limits.permissions) }
      const joined = yield* changes.add(limited, yield* stored(message, parts), fingerprint)
      yield* transcripts.insertEntry(joined, { no: joined.entries, role: "user", content: entryOf(parts) })
      const read = { ...joined, entries: joined.entries + 1 }
      const woken = read.phase === "waiting" ? yield* changes.change(read, "woken") : null
      if (woken !== null) return woken
      yield* repo.save(read)
      return read
    }
  )

  /** The task of a message that was sent before; null when the message is new. Fails when the credential has ended, and begins nothing new. */
  const known = Effect.fnUntraced(function*(fingerprint: Uint8Array) {
    const { accountId, id } = yield* CurrentCredential
    const { isLive, taskId } = yield* repo.ofMessage(accountId, id, fingerprint, yield* DateTime.now)
    if (taskId !== null) return yield* repo.find(accountId, taskId)
    return isLive ? null : yield* credentialEnded()
  })

  return { begin, join, known, room }
})
