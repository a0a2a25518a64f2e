/** Binds {@link TasksApi} to {@link OwnedTasks}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { OwnedTasks } from "./OwnedTasks.ts"
import { TasksApi } from "./TasksApi.ts"

export const TasksHandlers = Handlers.group(
  TasksApi,
  Effect.gen(function*() {
    const tasks = yield* OwnedTasks

    return {
      selectWaitingTasks: () => Effect.mapError(tasks.waiting, fromDriveError),
      stopWaitingTask: ({ payload: { taskId } }) =>
        tasks.stop(taskId).pipe(Effect.mapBoth({ onSuccess: (stopped) => ({ stopped }), onFailure: fromDriveError })),
      selectAgentTasks: ({ payload }) => Effect.mapError(tasks.list(payload ?? {}), fromDriveError),
      startAgentTask: ({ payload }) =>
        tasks.start(payload).pipe(
          Effect.mapBoth({
            onSuccess: ({ contextId, id }) => ({ taskId: id, contextId }),
            onFailure: fromDriveError
          })
        ),
      cancelAgentTask: ({ payload: { taskId } }) =>
        tasks.cancel(taskId).pipe(
          Effect.mapBoth({ onSuccess: (canceled) => ({ canceled }), onFailure: fromDriveError })
        )
    }
  })
)
