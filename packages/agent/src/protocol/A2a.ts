/**
 * The methods of A2A, carried out by the drive's tasks for a credential.
 *
 * Spec: "Agent interface". Contract: "The agent".
 */
import { type CurrentCredential, Events, Task, TaskJson, Tasks } from "@filedrive/core"
import { Context, DateTime, Duration, Effect, Layer, type Scope } from "effect"
import { bytesOf, type Message, type Part } from "./Message.ts"
import type { Call, ParamsOf } from "./Methods.ts"
import {
  internalError,
  invalidParams,
  type ProtocolError,
  taskNotCancelable,
  taskNotFound,
  unsupported
} from "./ProtocolError.ts"

/** How long `SendMessage` waits for its task: HTTP clients and proxies give up after a minute. */
export const blockingMax = Duration.seconds(55)

const defaultPageSize = 50

const partOf = ({ data, raw, text, url, ...details }: Part): Task.NewPart =>
  raw !== undefined
    ? { ...details, raw: bytesOf(raw) }
    : text !== undefined
    ? { ...details, text }
    : url !== undefined
    ? { ...details, url }
    : { ...details, data }

const messageOf = ({ contextId, messageId, metadata, parts, taskId }: Message): Task.NewMessage => ({
  messageId,
  parts: parts.map(partOf) as unknown as Task.NewMessage["parts"],
  ...contextId !== undefined && { contextId },
  ...taskId !== undefined && { taskId },
  ...metadata !== undefined && { metadata }
})

const stateOf = (status: string): Task.TaskState | undefined =>
  Task.taskStates.find((state) => TaskJson.states[state] === status)

const noTasks = (pageSize = defaultPageSize) => ({ tasks: [], nextPageToken: "", pageSize, totalSize: 0 })

type Failure = Effect.Error<ReturnType<Tasks["Service"]["send"]>> | Task.TaskNotFound | Task.TaskEnded

/** What the drive refuses, as an error of the protocol. `ended` is what a task that has ended is told. */
const refused = (ended: (error: Task.TaskEnded) => ProtocolError) => (error: Failure) => {
  switch (error._tag) {
    case "InvalidField":
      return Effect.fail(invalidParams(error.field, error.because))
    case "TaskNotFound":
      return Effect.fail(taskNotFound(error.resource, error.id))
    case "TaskEnded":
      return Effect.fail(ended(error))
    case "TooManyTasks":
      return Effect.fail(internalError(error.message, { code: "too_many_tasks", retryable: "true" }))
    case "Refused":
      return Effect.fail(unsupported(error.message, { code: error.code }))
    case "Unavailable":
      return Effect.fail(internalError(error.message, { code: error.code, retryable: "true" }))
  }
}

const canNotContinue = ({ message }: Task.TaskEnded) => unsupported(message)

export type Result = Effect.Effect<unknown, ProtocolError, CurrentCredential>

export class A2a extends Context.Service<A2a, {
  /**
   * Carries out a call, and answers with what there is still to wait for: its result, as JSON. What fails otherwise is a fault of ours. The
   * second needs nothing of the call, whose parts may be large; it is run in the same scope.
   */
  readonly run: (call: Call) => Effect.Effect<Result, ProtocolError, CurrentCredential | Scope.Scope>
}>()("@filedrive/agent/protocol/A2a") {
  static readonly layerNoDeps = Layer.effect(
    A2a,
    Effect.gen(function*() {
      const tasks = yield* Tasks
      const events = yield* Events

      const send = Effect.fnUntraced(function*({ configuration = {}, message }: ParamsOf<"SendMessage">) {
        const { historyLength, returnImmediately = false, taskPushNotificationConfig: webhook } = configuration
        const shown = historyLength === undefined ? {} : { historyLength }
        const options = { ...shown, ...webhook !== undefined && { webhook } }
        const stopped = yield* events.nextHangUp
        // What is kept is answered: a caller who disconnects meanwhile finds the task by its `messageId`.
        // A message for a task that is being done is answered at once.
        if (returnImmediately || message.taskId !== undefined) {
          const task = yield* Effect.uninterruptible(tasks.send(messageOf(message), options))
          return Effect.succeed({ task: TaskJson.taskOf(task, shown) })
        }
        const { settled, taken } = yield* Effect.uninterruptible(tasks.sendFollowed(messageOf(message), options))
        // A server that stops waits for its requests, so this one does not wait for its task.
        const waited = Effect.raceFirst(
          settled(blockingMax),
          Effect.andThen(stopped, Effect.suspend(() => tasks.get(taken.id, shown)))
        )
        return Effect.map(waited, (task) => ({ task: TaskJson.taskOf(task, shown) }))
      })

      const get = ({ historyLength, id }: ParamsOf<"GetTask">) => {
        const shown = historyLength === undefined ? {} : { historyLength }
        return Effect.map(tasks.get(id, shown), (task) => TaskJson.taskOf(task, shown))
      }

      const list = Effect.fnUntraced(function*(params: ParamsOf<"ListTasks">) {
        const { contextId, historyLength, includeArtifacts = false, pageSize, pageToken, status } = params
        const { statusTimestampAfter: after } = params
        const state = status === undefined ? undefined : stateOf(status)
        // A state of A2A's that tasks of a drive are never in.
        if (status !== undefined && state === undefined) return noTasks(pageSize)
        const page = yield* tasks.list({
          includeArtifacts,
          contextId,
          historyLength,
          pageSize,
          pageToken,
          state,
          statusTimeAfter: after === undefined ? undefined : DateTime.makeUnsafe(after)
        })
        return {
          ...page,
          tasks: page.tasks.map((task) => TaskJson.taskOf(task, { artifacts: includeArtifacts, historyLength }))
        }
      })

      const run = (
        call: Exclude<Call, { readonly method: "SendMessage" }>
      ): Effect.Effect<unknown, Failure, CurrentCredential> => {
        switch (call.method) {
          case "GetTask":
            return get(call.params)
          case "ListTasks":
            return list(call.params)
          case "CancelTask":
            return Effect.map(Effect.uninterruptible(tasks.cancel(call.params.id)), (task) => TaskJson.taskOf(task))
          case "CreateTaskPushNotificationConfig": {
            const { taskId, ...webhook } = call.params
            return Effect.map(Effect.uninterruptible(tasks.setWebhook(taskId, webhook)), TaskJson.webhookOf)
          }
          case "GetTaskPushNotificationConfig":
            return Effect.map(tasks.getWebhook(call.params.taskId, call.params.id), TaskJson.webhookOf)
          case "ListTaskPushNotificationConfigs":
            return Effect.map(tasks.listWebhooks(call.params.taskId), (webhooks) => ({
              configs: webhooks.map(TaskJson.webhookOf),
              nextPageToken: ""
            }))
          case "DeleteTaskPushNotificationConfig":
            return Effect.as(Effect.uninterruptible(tasks.deleteWebhook(call.params.taskId, call.params.id)), {})
        }
      }

      return A2a.of({
        run: (call) => {
          if (call.method !== "SendMessage") {
            const ended = call.method === "CancelTask"
              ? ({ id }: Task.TaskEnded) => taskNotCancelable(id)
              : canNotContinue
            return Effect.map(Effect.catch(run(call), refused(ended)), Effect.succeed)
          }
          const sent = Effect.catch(send(call.params), refused(canNotContinue))
          return Effect.map(sent, Effect.catch(refused(canNotContinue)))
        }
      })
    })
  )
}
