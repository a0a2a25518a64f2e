/** All tasks of an account, for its owner. Contract: "The agent". */
import { Context, DateTime, Effect, Layer } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { mayManage } from "../accounts/ApiToken.ts"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Limits from "../limits/Limits.ts"
import { InvalidField, Refused } from "../shared/DriveError.ts"
import type { ApiTokenId, TaskId, WaitId } from "../shared/Ids.ts"
import type { WaitKind } from "../waits/Wait.ts"
import { Waits } from "../waits/Waits.ts"
import type { StoredMessage, StoredTask } from "./StoredTask.ts"
import type { TaskState } from "./Task.ts"
import { makeChanges } from "./TaskChanges.ts"
import * as TaskPageToken from "./TaskPageToken.ts"
import { TasksRepo } from "./TasksRepo.ts"
import { stateOf } from "./TaskState.ts"

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
  /** What was asked for, as far as it is text. */
  readonly text: string
  /** What the agent said last. */
  readonly reply: string | null
  readonly statusTime: DateTime.Utc
  readonly insertTime: DateTime.Utc
  readonly credential: Named
}

const textOf = (message: StoredMessage | null | undefined) =>
  (message?.parts ?? []).flatMap((part) => "text" in part ? [part.text] : []).join("\n")

export class OwnedTasks extends Context.Service<OwnedTasks, {
  /** The caller's tasks that wait, of all credentials, oldest first. Fails with `Refused` (`token_limit`) for a limited caller, as all do. */
  readonly waiting: Effect.Effect<ReadonlyArray<WaitingTask>, Refused, CurrentAccount>
  /** Cancels a task of the caller's that waits. False when there is none. */
  readonly stop: (id: TaskId) => Effect.Effect<boolean, Refused, CurrentAccount>
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
          const messages = yield* repo.messages(accountId, tasks.map(({ id }) => id), null)
          const last = found.length > limit ? tasks.at(-1) : undefined
          return {
            tasks: tasks.map((task): OwnedTask => ({
              id: task.id,
              contextId: task.contextId,
              state: stateOf(task.phase),
              waits: task.phase === "waiting",
              text: textOf(messages.get(task.id)?.[0]?.message),
              reply: task.statusMessage === null ? null : textOf(task.statusMessage),
              statusTime: DateTime.fromDateUnsafe(task.statusTime),
              insertTime: DateTime.fromDateUnsafe(task.insertTime),
              credential: credentialOf(task)
            })),
            nextCursor: last === undefined ? null : TaskPageToken.format({ time: last.insertTime, id: last.id })
          }
        }
      )

      return OwnedTasks.of({ waiting, stop, list })
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
