/**
 * What this process remembers of tasks that somebody waits for: what the brain will read of those that wait for their turn, and who is
 * handed a task when it is settled, so that nobody reads again what was just written.
 */
import { Context, Deferred, Effect, Layer, type Scope } from "effect"
import type { TaskId } from "../shared/Ids.ts"
import type { StoredTask } from "./StoredTask.ts"
import type { ReadyRun } from "./TaskRun.ts"

export type KeptTranscript = NonNullable<ReadyRun["transcript"]>

export class TaskFollowers extends Context.Service<TaskFollowers, {
  /**
   * While the scope is open: an effect that waits until this process settles the task (it ends, or waits for something). What another
   * process does is not told here.
   */
  readonly follow: (id: TaskId) => Effect.Effect<Effect.Effect<StoredTask>, never, Scope.Scope>
  /** The task has been settled; to be called after the commit. */
  readonly tell: (task: StoredTask) => Effect.Effect<void>
  /** Remembers, while the scope is open, what the brain reads of a task that waits for its turn and continues no conversation. */
  readonly keepQueued: (id: TaskId, transcript: KeptTranscript) => Effect.Effect<void, never, Scope.Scope>
  /** What is remembered of a task that waits for its turn, or null. */
  readonly queued: (id: TaskId) => KeptTranscript | null
}>()("@filedrive/core/tasks/TaskFollowers") {
  static readonly layer = Layer.sync(TaskFollowers, () => {
    const followers = new Map<TaskId, Set<Deferred.Deferred<StoredTask>>>()

    const follow: TaskFollowers["Service"]["follow"] = (id) =>
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => {
            const mine = Deferred.makeUnsafe<StoredTask>()
            followers.set(id, (followers.get(id) ?? new Set()).add(mine))
            return mine
          }),
          (mine) =>
            Effect.sync(() => {
              const all = followers.get(id)
              all?.delete(mine)
              if (all?.size === 0) followers.delete(id)
            })
        ),
        Deferred.await
      )

    const transcripts = new Map<TaskId, KeptTranscript>()

    return TaskFollowers.of({
      follow,
      keepQueued: (id, transcript) =>
        Effect.asVoid(Effect.acquireRelease(
          Effect.sync(() => transcripts.set(id, transcript)),
          () => Effect.sync(() => transcripts.delete(id))
        )),
      queued: (id) => transcripts.get(id) ?? null,
      tell: (task) =>
        Effect.sync(() => {
          for (const follower of followers.get(task.id) ?? []) Deferred.doneUnsafe(follower, Effect.succeed(task))
        })
    })
  })
}
