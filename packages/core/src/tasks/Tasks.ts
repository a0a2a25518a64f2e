/** Tasks of the agent's: taken, shown, cancelled. What does them is `agent/`. Spec: "Agent interface". Contract: "The agent". */
import { Context, DateTime, Duration, Effect, Layer, Option, Scope } from "effect"
import { Digest } from "effect/crypto"
import { Hex } from "effect/encoding"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import type { CurrentCredential } from "../accounts/Credential.ts"
import { credentialEnded } from "../accounts/LiveCredential.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { Events } from "../events/Events.ts"
import * as Limits from "../limits/Limits.ts"
import type { InvalidField, Refused, Unavailable } from "../shared/DriveError.ts"
import type { TaskId } from "../shared/Ids.ts"
import * as MessageInput from "./MessageInput.ts"
import { makePartFiles } from "./PartFiles.ts"
import { type StoredMessage, type StoredTask, type TaskEntry, viewOf } from "./StoredTask.ts"
import { makeTakenMessages } from "./TakenMessages.ts"
import {
  type NewMessage,
  type NewWebhook,
  type TaskEnded,
  type TaskListing,
  TaskNotFound,
  type TaskPage,
  type TaskView,
  type TooManyTasks,
  type Webhook
} from "./Task.ts"
import { badLength, caller, invalid, isCount, isTaskId, open } from "./TaskAccess.ts"
import { makeChanges } from "./TaskChanges.ts"
import { TaskFollowers } from "./TaskFollowers.ts"
import * as TaskPageToken from "./TaskPageToken.ts"
import { TasksRepo } from "./TasksRepo.ts"
import * as TaskState from "./TaskState.ts"
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
   * `TaskEnded`, with `TooManyTasks`, with `Refused`: `token_limit` without the permission `agent`, `not_allowed` when the
   * credential has ended meanwhile. Nothing is kept then.
   */
  readonly send: (
    message: NewMessage,
    options?: Shown & { readonly webhook?: NewWebhook | undefined }
  ) => Effect.Effect<
    TaskView,
    InvalidField | TaskNotFound | TaskEnded | TooManyTasks | Refused | Unavailable,
    CurrentCredential
  >

  /**
   * The same for a caller who waits for the task: `settled` answers as {@link untilSettled} does. A new task begins in the
   * transaction that takes it, in this process, when there is a place for it.
   */
  readonly sendFollowed: (
    message: NewMessage,
    options?: Shown & { readonly webhook?: NewWebhook | undefined }
  ) => Effect.Effect<
    {
      readonly taken: TaskView
      readonly settled: (
        timeout: Duration.Duration
      ) => Effect.Effect<TaskView, InvalidField | TaskNotFound | Refused, CurrentCredential>
    },
    InvalidField | TaskNotFound | TaskEnded | TooManyTasks | Refused | Unavailable,
    CurrentCredential | Scope.Scope
  >

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
      const transaction = yield* AccountTransaction
      const webhooks = yield* Webhooks
      const events = yield* Events
      const changes = yield* makeChanges
      const saveParts = yield* makePartFiles
      const { begin, join, known, room } = yield* makeTakenMessages
      const digest = yield* Digest.Digest
      const followers = yield* TaskFollowers

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

      const setOn = Effect.fnUntraced(
        function*({ accountId, id }: Pick<StoredTask, "accountId" | "id">, webhook: NewWebhook) {
          const { count } = yield* webhooks.set(accountId, id, webhook, webhookPrefix)
          const task = yield* repo.find(accountId, id)
          yield* repo.save({ ...task!, webhooks: count })
        }
      )

      type Options = Parameters<Tasks["Service"]["send"]>[1]

      /** `noted` is told of the task before the commit, when the message makes one. */
      const take = Effect.fnUntraced(function*(
        message: NewMessage,
        options: Options = {},
        noted: ((id: TaskId, entry: TaskEntry) => Effect.Effect<void>) | null = null
      ) {
        const isFollowed = noted !== null
        const credential = yield* caller
        const flaw = MessageInput.flaw(message)
        if (flaw !== undefined) return yield* flaw
        if (options.historyLength !== undefined && !isCount(options.historyLength)) return yield* badLength
        if (options.webhook !== undefined) yield* webhooks.check(options.webhook, webhookPrefix)
        const fingerprint = yield* MessageInput.fingerprint(digest, message)
        // Before bytes are saved, or a task is asked for that may have ended.
        const isLooked = message.taskId !== undefined || message.parts.some((part) => "raw" in part)
        const before = isLooked ? yield* known(fingerprint) : null
        if (before !== null) return { view: yield* shown(before, options), history: null }
        // Before anything is saved for it.
        if (message.taskId !== undefined) yield* Effect.flatMap(own(message.taskId), open)
        else if (isLooked) yield* transaction.share(credential.accountId, () => room)
        const parts = yield* saveParts(credential, message.parts, `${credential.id}-${Hex.encode(fingerprint)}`)
        const { history, task } = yield* transaction.share(credential.accountId, () =>
          Effect.gen(function*() {
            // Sent before, perhaps at the same time.
            const twin = yield* known(fingerprint)
            if (twin !== null) return { task: twin, history: null }
            const taken = message.taskId === undefined
              ? yield* begin(message, parts, fingerprint, { isFollowed, hasWebhook: options.webhook !== undefined })
              : { task: yield* join(yield* own(message.taskId), message, parts, fingerprint), history: null }
            if (options.webhook !== undefined) yield* setOn(taken.task, options.webhook)
            if (noted !== null && "entry" in taken) yield* noted(taken.task.id, taken.entry)
            return taken
          }))
        if (message.taskId !== undefined) yield* events.announce(task.id)
        const view = history === null
          ? yield* shown(task as StoredTask, options)
          : viewOf(task, options.historyLength === 0 ? [] : history)
        return { view, history }
      })

      const send: Tasks["Service"]["send"] = Effect.fn("Tasks.send")((message, options) =>
        Effect.map(take(message, options), ({ view }) => view)
      )

      const sendFollowed: Tasks["Service"]["sendFollowed"] = Effect.fn("Tasks.sendFollowed")(
        function*(message, options) {
          const scope = yield* Effect.scope
          let here: Effect.Effect<StoredTask> = Effect.never
          const noted = Effect.fnUntraced(function*(id: TaskId, entry: TaskEntry) {
            here = yield* followers.follow(id)
            if (message.contextId === undefined) {
              yield* followers.keepQueued(id, { entries: [entry], calls: [], earlier: [] })
            }
          }, Effect.provideService(Scope.Scope, scope))
          const { history, view } = yield* take(message, options, noted)
          /** Without a message of its own that became history, the task's history is the caller's message. */
          const told = (task: StoredTask) =>
            history !== null && task.messages === history.length
              ? Effect.succeed(viewOf(task, options?.historyLength === 0 ? [] : history))
              : shown(task, options)
          return {
            taken: view,
            settled: (timeout: Duration.Duration) =>
              Effect.raceFirst(Effect.flatMap(here, told), untilSettled(view.id, timeout, options, history !== null))
          }
        }
      )

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
        const canceled = yield* WritePurpose.freeing(
          withTask(id, (task) => Effect.andThen(open(task), changes.cancel(task)))
        )
        return viewOf(canceled!, yield* historyOf(canceled!))
      })

      const historyOf = (task: StoredTask) =>
        Effect.map(
          repo.messages(task.accountId, [task.id], null),
          (all) => (all.get(task.id) ?? []).map(({ message }) => message)
        )

      /** `isNew`: the task was made a moment ago, and is not looked at before something is heard of it. */
      const untilSettled = Effect.fn("Tasks.untilSettled")(
        function*(id: string, timeout: Duration.Duration, options?: Shown, isNew = false) {
          const wait = Effect.gen(function*() {
            const next = isTaskId(id) ? yield* events.nextChange(id) : Effect.void
            if (isNew) yield* Effect.timeoutOption(next, pollInterval)
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
            const live = yield* repo.isLive(task.accountId, task.credentialId, yield* DateTime.now)
            if (!live) return yield* credentialEnded()
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
          })).pipe(WritePurpose.freeing)
      )

      return Tasks.of({
        send,
        sendFollowed,
        get,
        list,
        cancel,
        untilSettled: (id, timeout, options) => untilSettled(id, timeout, options),
        setWebhook,
        getWebhook,
        listWebhooks,
        deleteWebhook
      })
    })
  )
}

const webhookPrefix = "configuration.taskPushNotificationConfig."

/** The announcement of another process may be lost. */
const pollInterval = Duration.seconds(2)
