/** Tasks of the agent's: taken, shown, cancelled. What does them is `agent/`. Spec: "Agent interface". Contract: "The agent". */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { CurrentCredential } from "../accounts/Credential.ts"
import * as Pipeline from "../database/Pipeline.ts"
import { Events } from "../events/Events.ts"
import * as Limits from "../limits/Limits.ts"
import type { InvalidField, Refused, Unavailable } from "../shared/DriveError.ts"
import { TaskId } from "../shared/Ids.ts"
import { taskStepJob } from "../waits/Wait.ts"
import { Waits } from "../waits/Waits.ts"
import * as MessageInput from "./MessageInput.ts"
import { makePartFiles } from "./PartFiles.ts"
import { entryOf } from "./PromptParts.ts"
import { type StoredMessage, type StoredTask, viewOf } from "./StoredTask.ts"
import {
  type NewMessage,
  type NewWebhook,
  type Part,
  TaskEnded,
  type TaskListing,
  TaskNotFound,
  type TaskPage,
  type TaskView,
  type Webhook
} from "./Task.ts"
import { badLength, caller, invalid, isCount, isTaskId, open } from "./TaskAccess.ts"
import { makeChanges } from "./TaskChanges.ts"
import * as TaskPageToken from "./TaskPageToken.ts"
import { TasksRepo } from "./TasksRepo.ts"
import * as TaskState from "./TaskState.ts"
import { TranscriptsRepo } from "./TranscriptsRepo.ts"
import { Webhooks } from "./Webhooks.ts"

/** How much of a task is shown. */
export interface Shown {
  /** How many messages of its history, the last ones; default all. */
  readonly historyLength?: number | undefined
}

export class Tasks extends Context.Service<Tasks, {
  /**
   * Takes a message: makes a task of it, or adds it to the unfinished task that it names. Answers as soon as it is kept; what the
   * message asks for is done afterwards. A message with the `messageId` of an earlier one of the credential is that one where
   * task, context and parts are the same: then nothing is made, and its task is answered as it is now.
   *
   * The bytes of `raw` parts are saved as private files when the credential may add, before it answers.
   *
   * Fails with `InvalidField` naming `message.…` or `configuration.taskPushNotificationConfig.…`, with `TaskNotFound`, with
   * `TaskEnded`, with `Refused` (`token_limit`) without the permission `agent`. Nothing is kept then.
   */
  readonly send: (
    message: NewMessage,
    options?: Shown & { readonly webhook?: NewWebhook | undefined }
  ) => Effect.Effect<TaskView, InvalidField | TaskNotFound | TaskEnded | Refused | Unavailable, CurrentCredential>

  readonly get: (
    id: string,
    options?: Shown
  ) => Effect.Effect<TaskView, InvalidField | TaskNotFound | Refused, CurrentCredential>

  /**
   * The credential's tasks by the time of their status, newest first. Who follows `nextPageToken` sees every task that does not
   * change meanwhile exactly once. Fails with `InvalidField` naming `pageSize`, `pageToken`, `historyLength` or `contextId`.
   */
  readonly list: (listing: TaskListing) => Effect.Effect<TaskPage, InvalidField | Refused, CurrentCredential>

  /** Ends a task. What it has done stays, and the status message says what that was. Fails with `TaskEnded` when it has ended. */
  readonly cancel: (id: string) => Effect.Effect<TaskView, TaskNotFound | TaskEnded | Refused, CurrentCredential>

  /** Answers when the task has ended or waits for something, at the latest after `timeout`. */
  readonly untilSettled: (
    id: string,
    timeout: Duration.Duration,
    options?: Shown
  ) => Effect.Effect<TaskView, InvalidField | TaskNotFound | Refused, CurrentCredential>

  /**
   * Adds a webhook to a task, or replaces the one with the same id. Fails with `InvalidField` naming `url` and the like, or `id`
   * when there would be more than 5.
   */
  readonly setWebhook: (
    taskId: string,
    webhook: NewWebhook
  ) => Effect.Effect<Webhook, InvalidField | TaskNotFound | Refused, CurrentCredential>

  readonly getWebhook: (taskId: string, id: string) => Effect.Effect<Webhook, TaskNotFound | Refused, CurrentCredential>

  /** By their ids. */
  readonly listWebhooks: (
    taskId: string
  ) => Effect.Effect<ReadonlyArray<Webhook>, TaskNotFound | Refused, CurrentCredential>

  /** Repeating is safe: a webhook that is not there is no failure, a task is. */
  readonly deleteWebhook: (taskId: string, id: string) => Effect.Effect<void, TaskNotFound | Refused, CurrentCredential>
}>()("@filedrive/core/tasks/Tasks") {
  static readonly layerNoDeps = Layer.effect(
    Tasks,
    Effect.gen(function*() {
      const repo = yield* TasksRepo
      const transcripts = yield* TranscriptsRepo
      const transaction = yield* AccountTransaction
      const waits = yield* Waits
      const webhooks = yield* Webhooks
      const events = yield* Events
      const changes = yield* makeChanges
      const saveParts = yield* makePartFiles
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom
      const steps = yield* taskStepJob.queue

      const own = Effect.fnUntraced(function*(id: string) {
        const { accountId, id: credentialId } = yield* caller
        const task = isTaskId(id) ? yield* repo.find(accountId, id) : null
        return task === null || task.credentialId !== credentialId
          ? yield* new TaskNotFound({ resource: "task", id })
          : task
      })

      /** Runs `work` with a task of the caller's, under its account's lock. */
      const withTask = <A, E, R>(id: string, work: (task: StoredTask) => Effect.Effect<A, E, R>) =>
        Effect.flatMap(caller, ({ accountId }) => transaction.share(accountId, () => Effect.flatMap(own(id), work)))

      const shown = Effect.fnUntraced(function*(task: StoredTask, { historyLength }: Shown = {}) {
        if (historyLength !== undefined && !isCount(historyLength)) return yield* badLength
        const messages = historyLength === 0
          ? new Map()
          : yield* repo.messages(task.accountId, [task.id], historyLength ?? null)
        return viewOf(task, (messages.get(task.id) ?? []).map(({ message }: { message: StoredMessage }) => message))
      })

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

      const begin = Effect.fnUntraced(
        function*(message: NewMessage, parts: ReadonlyArray<Part>, fingerprint: Uint8Array) {
          const { accountId, id: credentialId, name } = yield* CurrentCredential
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const task = {
            id: TaskId.make(yield* random.uuidV7()),
            accountId,
            credentialId,
            credentialName: name,
            contextId: message.contextId ?? (yield* random.uuidV7()),
            phase: "queued" as const,
            statusTime: now,
            statusMessage: null,
            artifacts: [],
            metadata: message.metadata ?? null,
            queueTime: now,
            insertTime: now,
            run: 0,
            steps: 0,
            tokens: 0,
            messages: 1,
            entries: 1,
            reports: 0,
            webhooks: 0
          }
          const first = yield* stored(message, parts)
          yield* repo.insert(task, first, fingerprint)
          yield* transcripts.insertEntry(task, { no: 0, role: "user", content: entryOf(parts) })
          yield* waits.countActive(1)
          yield* Pipeline.unawaited(steps.enqueue({ accountId, taskId: task.id }))
          return { task, history: [first] }
        }
      )

      const join = Effect.fnUntraced(
        function*(taskId: string, message: NewMessage, parts: ReadonlyArray<Part>, fingerprint: Uint8Array) {
          const task = yield* own(taskId)
          if (TaskState.hasEnded(task.phase)) {
            return yield* new TaskEnded({ id: taskId, state: TaskState.stateOf(task.phase) })
          }
          if (message.contextId !== undefined && message.contextId !== task.contextId) {
            return yield* invalid("message.contextId", "must be that of the task")
          }
          if (task.messages >= Limits.messagesPerTask) {
            return yield* invalid(
              "message.taskId",
              `must be of a task with fewer than ${Limits.messagesPerTask} messages`
            )
          }
          const joined = yield* changes.add(task, yield* stored(message, parts), fingerprint)
          yield* transcripts.insertEntry(joined, { no: joined.entries, role: "user", content: entryOf(parts) })
          const read = { ...joined, entries: joined.entries + 1 }
          const woken = read.phase === "waiting" ? yield* changes.change(read, "woken") : null
          if (woken !== null) return woken
          yield* repo.save(read)
          return read
        }
      )

      /** The task of a message that was sent before. */
      const known = Effect.fnUntraced(function*(fingerprint: Uint8Array) {
        const { accountId, id } = yield* CurrentCredential
        const taskId = yield* repo.ofMessage(accountId, id, fingerprint)
        return taskId === null ? null : yield* repo.find(accountId, taskId)
      })

      const setOn = Effect.fnUntraced(
        function*({ accountId, id }: Pick<StoredTask, "accountId" | "id">, webhook: NewWebhook) {
          const { count } = yield* webhooks.set(accountId, id, webhook, webhookPrefix)
          const task = yield* repo.find(accountId, id)
          yield* repo.save({ ...task!, webhooks: count })
        }
      )

      const send: Tasks["Service"]["send"] = Effect.fn("Tasks.send")(function*(message, options = {}) {
        const credential = yield* caller
        const flaw = MessageInput.flaw(message)
        if (flaw !== undefined) return yield* flaw
        if (options.historyLength !== undefined && !isCount(options.historyLength)) return yield* badLength
        if (options.webhook !== undefined) yield* webhooks.check(options.webhook, webhookPrefix)
        const fingerprint = yield* MessageInput.fingerprint(digest, message)
        // Before bytes are saved, or a task is asked for that may have ended.
        const isLooked = message.taskId !== undefined || message.parts.some((part) => "raw" in part)
        const before = isLooked ? yield* known(fingerprint) : null
        if (before !== null) return yield* shown(before, options)
        // Before anything is saved for it.
        if (message.taskId !== undefined) yield* Effect.flatMap(own(message.taskId), open)
        const parts = yield* saveParts(credential, message.parts, `${credential.id}-${Hex.encode(fingerprint)}`)
        const { history, task } = yield* transaction.share(credential.accountId, () =>
          Effect.gen(function*() {
            // Sent before, perhaps at the same time.
            const twin = yield* known(fingerprint)
            if (twin !== null) return { task: twin, history: null }
            const taken = message.taskId === undefined
              ? yield* begin(message, parts, fingerprint)
              : { task: yield* join(message.taskId, message, parts, fingerprint), history: null }
            if (options.webhook !== undefined) yield* setOn(taken.task, options.webhook)
            return taken
          }))
        if (message.taskId !== undefined) yield* events.announce(task.id)
        return history === null
          ? yield* shown(task as StoredTask, options)
          : viewOf(task, options.historyLength === 0 ? [] : history)
      })

      const get: Tasks["Service"]["get"] = Effect.fn("Tasks.get")(function*(id, options) {
        return yield* shown(yield* own(id), options)
      })

      const list: Tasks["Service"]["list"] = Effect.fn("Tasks.list")(function*(listing) {
        const { accountId, id: credentialId } = yield* caller
        const { historyLength, includeArtifacts = false, pageSize = Limits.tasksPage.byDefault, pageToken = "" } =
          listing
        const { max, min } = Limits.tasksPage
        if (!Number.isInteger(pageSize) || pageSize < min || pageSize > max) {
          return yield* invalid("pageSize", `must be a whole number from ${min} to ${max}`)
        }
        if (historyLength !== undefined && !isCount(historyLength)) return yield* badLength
        const from = pageToken === "" ? null : TaskPageToken.parse(pageToken)
        if (from === undefined) return yield* invalid("pageToken", "must be a nextPageToken as it was answered")
        const query = {
          accountId,
          credentialId,
          contextId: listing.contextId ?? null,
          phases: listing.state === undefined ? null : TaskState.phasesOf(listing.state),
          after: listing.statusTimeAfter === undefined ? null : DateTime.toDateUtc(listing.statusTimeAfter)
        }
        const found = yield* repo.list(query, from, pageSize + 1)
        const tasks = found.slice(0, pageSize)
        const messages = historyLength === 0 || tasks.length === 0
          ? new Map()
          : yield* repo.messages(accountId, tasks.map(({ id }) => id), historyLength ?? null)
        const last = found.length > pageSize ? tasks.at(-1) : undefined
        const page: TaskPage = {
          tasks: tasks.map((task) =>
            viewOf(
              includeArtifacts ? task : { ...task, artifacts: [] },
              (messages.get(task.id) ?? []).map(({ message }: { message: StoredMessage }) => message)
            )
          ),
          nextPageToken: last === undefined ? "" : TaskPageToken.format({ time: last.statusTime, id: last.id }),
          pageSize,
          totalSize: yield* repo.count(query, Limits.tasksCounted)
        }
        return page
      })

      const cancel: Tasks["Service"]["cancel"] = Effect.fn("Tasks.cancel")(function*(id) {
        const canceled = yield* withTask(id, (task) => Effect.andThen(open(task), changes.cancel(task)))
        return viewOf(canceled!, yield* historyOf(canceled!))
      })

      const historyOf = (task: StoredTask) =>
        Effect.map(
          repo.messages(task.accountId, [task.id], null),
          (all) => (all.get(task.id) ?? []).map(({ message }) => message)
        )

      const untilSettled: Tasks["Service"]["untilSettled"] = Effect.fn("Tasks.untilSettled")(
        function*(id, timeout, options) {
          const wait = Effect.gen(function*() {
            const next = isTaskId(id) ? yield* events.nextChange(id) : Effect.void
            let task = yield* own(id)
            while (!TaskState.isSettled(task.phase)) {
              yield* Effect.timeoutOption(next, pollInterval)
              task = yield* own(id)
            }
            return task
          })
          const settled = yield* Effect.timeoutOption(Effect.scoped(wait), timeout)
          return yield* shown(Option.isSome(settled) ? settled.value : yield* own(id), options)
        }
      )

      const setWebhook: Tasks["Service"]["setWebhook"] = Effect.fn("Tasks.setWebhook")(function*(taskId, webhook) {
        yield* own(taskId)
        yield* webhooks.check(webhook, "")
        return yield* withTask(taskId, (task) =>
          Effect.gen(function*() {
            const set = yield* webhooks.set(task.accountId, task.id, webhook, "")
            yield* repo.save({ ...task, webhooks: set.count })
            return set.webhook
          }))
      })

      const listWebhooks: Tasks["Service"]["listWebhooks"] = Effect.fn("Tasks.listWebhooks")(function*(taskId) {
        const task = yield* own(taskId)
        return yield* webhooks.list(task.accountId, task.id)
      })

      const getWebhook: Tasks["Service"]["getWebhook"] = Effect.fn("Tasks.getWebhook")(function*(taskId, id) {
        const found = (yield* listWebhooks(taskId)).find((webhook) => webhook.id === id)
        return found ?? (yield* new TaskNotFound({ resource: "webhook", id }))
      })

      const deleteWebhook: Tasks["Service"]["deleteWebhook"] = Effect.fn("Tasks.deleteWebhook")((taskId, id) =>
        withTask(taskId, (task) =>
          Effect.gen(function*() {
            if (!(yield* webhooks.remove(task.accountId, task.id, id))) return
            yield* repo.save({ ...task, webhooks: task.webhooks - 1 })
          }))
      )

      return Tasks.of({ send, get, list, cancel, untilSettled, setWebhook, getWebhook, listWebhooks, deleteWebhook })
    })
  )
}

const webhookPrefix = "configuration.taskPushNotificationConfig."

/** The announcement of another process may be lost. */
const pollInterval = Duration.seconds(2)
