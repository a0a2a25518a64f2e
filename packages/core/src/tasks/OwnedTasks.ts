/** All tasks of an account, for its owner. Contract: "The agent". */
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { mayManage } from "../accounts/ApiToken.ts"
import { CurrentCredential } from "../accounts/Credential.ts"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { OwnerTokens } from "../accounts/OwnerTokens.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Limits from "../limits/Limits.ts"
import { InvalidField, Refused, Unavailable } from "../shared/DriveError.ts"
import { type ApiTokenId, FileId, type TaskId, type WaitId } from "../shared/Ids.ts"
import type { WaitKind } from "../waits/Wait.ts"
import { Waits } from "../waits/Waits.ts"
import type { StoredMessage, StoredTask } from "./StoredTask.ts"
import type { TaskState } from "./Task.ts"
import { makeChanges } from "./TaskChanges.ts"
import * as TaskPageToken from "./TaskPageToken.ts"
import { Tasks } from "./Tasks.ts"
import { TasksRepo } from "./TasksRepo.ts"
import { hasEnded, stateOf } from "./TaskState.ts"

interface Named {
  readonly id: ApiTokenId
  readonly name: string
}

/** A task that waits for something. */
export interface WaitingTask {
  readonly taskId: TaskId
  readonly contextId: string
  readonly waitId: WaitId
  readonly kind: WaitKind
  /** What it waits for. A folder, which may not exist yet, has its path as `id`. */
  readonly target: { readonly id: string; readonly name: string } | null
  readonly text: string
  readonly sinceTime: DateTime.Utc
  readonly untilTime: DateTime.Utc
  readonly credential: Named
}

/** A task of any of the account's credentials. */
export interface OwnedTask {
  readonly id: TaskId
  readonly contextId: string
  readonly state: TaskState
  readonly waits: boolean
  /** What was asked for, as far as it is text: the first 10,000 characters. */
  readonly text: string
  /** What the agent said last. */
  readonly reply: string | null
  /** That it made, changed or found. */
  readonly files: ReadonlyArray<{ readonly id: FileId; readonly fileName: string }>
  readonly statusTime: DateTime.Utc
  readonly insertTime: DateTime.Utc
  readonly credential: Named
}

/** Tasks take seconds each, and 10,000 of them wait. */
const retryAfterSeconds = 60

const isFileId = Schema.is(FileId)

/** Artifacts of files have their ids. */
const filesOf = ({ artifacts }: StoredTask) =>
  artifacts.flatMap(({ artifactId, name }) => isFileId(artifactId) ? [{ id: artifactId, fileName: name }] : [])

const textOf = (message: StoredMessage | null | undefined) =>
  (message?.parts ?? []).flatMap((part) => "text" in part ? [part.text] : []).join("\n")

/** An app may ask for something at ten times the length that the owner may. Of all that are listed it is a lot, again and again. */
const shortened = (text: string): string =>
  text.length <= Limits.agentTaskText.max ? text : `${text.slice(0, Limits.agentTaskText.max).toWellFormed()}…`

export class OwnedTasks extends Context.Service<OwnedTasks, {
  /** The caller's tasks that wait, of all credentials, oldest first. Fails with `Refused` (`token_limit`) for a limited caller, as all do. */
  readonly waiting: Effect.Effect<ReadonlyArray<WaitingTask>, Refused, CurrentAccount>
  /** Cancels a task of the caller's that waits. False when there is none. */
  readonly stop: (id: TaskId) => Effect.Effect<boolean, Refused, CurrentAccount>
  /** Cancels a task of the caller's, whatever it does. False when no unfinished one has that id. */
  readonly cancel: (id: TaskId) => Effect.Effect<boolean, Refused, CurrentAccount>
  /**
   * Gives the agent a task as the owner, who needs no token for it: see {@link OwnerTokens}. The same `messageId` again is the same task. Fails
   * with `Unavailable` while 10,000 tasks of the account wait for their turn.
   */
  readonly start: (task: {
    readonly messageId: string
    readonly text: string
    readonly contextId?: string
  }) => Effect.Effect<Pick<OwnedTask, "id" | "contextId">, InvalidField | Refused | Unavailable, CurrentAccount>
  /** Newest first. Fails with `InvalidField` naming `cursor`. */
  readonly list: (page: { readonly limit?: number; readonly cursor?: string }) => Effect.Effect<
    { readonly tasks: ReadonlyArray<OwnedTask>; readonly nextCursor: string | null },
    InvalidField | Refused,
    CurrentAccount
  >
}>()("@filedrive/core/tasks/OwnedTasks") {
  static readonly layerNoDeps = Layer.effect(
    OwnedTasks,
    Effect.gen(function*() {
      const repo = yield* TasksRepo
      const waits = yield* Waits
      const transaction = yield* AccountTransaction
      const changes = yield* makeChanges
      const tasks = yield* Tasks
      const ownerTokens = yield* OwnerTokens

      const waiting = Effect.gen(function*() {
        const { id: accountId } = yield* owner
        const all = yield* waits.list(accountId)
        const tasks = new Map(
          (yield* repo.byIds(accountId, all.map(({ taskId }) => taskId))).map((task) => [task.id, task])
        )
        return all.flatMap((wait): ReadonlyArray<WaitingTask> => {
          const task = tasks.get(wait.taskId)
          const id = wait.targetId ?? wait.folderPath
          return task === undefined ? [] : [{
            taskId: task.id,
            contextId: task.contextId,
            waitId: wait.id,
            kind: wait.kind,
            target: id === null ? null : { id, name: wait.targetName ?? id },
            text: wait.text,
            sinceTime: wait.sinceTime,
            untilTime: wait.untilTime,
            credential: credentialOf(task)
          }]
        })
      }).pipe(Effect.withSpan("OwnedTasks.waiting"))

      const stop: OwnedTasks["Service"]["stop"] = Effect.fn("OwnedTasks.stop")(function*(id) {
        const { id: accountId } = yield* owner
        return yield* transaction.share(accountId, () =>
          Effect.gen(function*() {
            const task = yield* repo.find(accountId, id)
            if (task === null || (yield* waits.find(accountId, id)) === null) return false
            return (yield* changes.cancel(task)) !== null
          })).pipe(WritePurpose.freeing)
      })

      const cancel: OwnedTasks["Service"]["cancel"] = Effect.fn("OwnedTasks.cancel")(function*(id) {
        const { id: accountId } = yield* owner
        return yield* transaction.share(accountId, () =>
          Effect.gen(function*() {
            const task = yield* repo.find(accountId, id)
            if (task === null || hasEnded(task.phase)) return false
            return (yield* changes.cancel(task)) !== null
          })).pipe(WritePurpose.freeing)
      })

      const start: OwnedTasks["Service"]["start"] = Effect.fn("OwnedTasks.start")(
        function*({ text, ...message }) {
          const { id: accountId } = yield* owner
          const credential = yield* ownerTokens.of(accountId)
          const { contextId, id } = yield* tasks.send({ ...message, parts: [{ text }] }, { historyLength: 0 }).pipe(
            Effect.provideService(CurrentCredential, credential),
            Effect.catchTags({
              TooManyTasks: (cause) =>
                new Unavailable({ code: "unavailable", cause, because: cause.message, retryAfterSeconds }),
              // It names none.
              TaskNotFound: Effect.die,
              TaskEnded: Effect.die
            })
          )
          return { id, contextId }
        }
      )

      const list: OwnedTasks["Service"]["list"] = Effect.fn("OwnedTasks.list")(
        function*({ cursor, limit = Limits.agentTasksPage.byDefault }) {
          const { id: accountId } = yield* owner
          const from = cursor === undefined ? null : TaskPageToken.parse(cursor)
          if (from === undefined) {
            return yield* new InvalidField({
              code: "invalid_field",
              field: "cursor",
              because: "must be a nextCursor as it was answered"
            })
          }
          const found = yield* repo.listAll(accountId, from, limit + 1)
          const tasks = found.slice(0, limit)
          const messages = yield* repo.firstMessages(accountId, tasks.map(({ id }) => id))
          const last = found.length > limit ? tasks.at(-1) : undefined
          return {
            tasks: tasks.map((task): OwnedTask => ({
              id: task.id,
              contextId: task.contextId,
              state: stateOf(task.phase),
              waits: task.phase === "waiting",
              text: shortened(textOf(messages.get(task.id))),
              reply: task.statusMessage === null ? null : textOf(task.statusMessage),
              files: filesOf(task),
              statusTime: DateTime.fromDateUnsafe(task.statusTime),
              insertTime: DateTime.fromDateUnsafe(task.insertTime),
              credential: credentialOf(task)
            })),
            nextCursor: last === undefined ? null : TaskPageToken.format({ time: last.insertTime, id: last.id })
          }
        }
      )

      return OwnedTasks.of({ waiting, stop, cancel, start, list })
    })
  )
}

const owner = Effect.filterOrFail(
  CurrentAccount,
  ({ limits }) => mayManage(limits),
  () => new Refused({ code: "token_limit", because: "A limited token may not see the tasks of others." })
)

const credentialOf = ({ credentialId, credentialName }: StoredTask): Named => ({
  id: credentialId,
  name: credentialName
})
