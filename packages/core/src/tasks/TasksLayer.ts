/** All services of the feature. */
import { Layer } from "effect"
import { OwnedTasks } from "./OwnedTasks.ts"
import { TaskFollowers } from "./TaskFollowers.ts"
import { TaskRuns } from "./TaskRuns.ts"
import { Tasks } from "./Tasks.ts"
import { TasksRepo } from "./TasksRepo.ts"
import { TranscriptsRepo } from "./TranscriptsRepo.ts"
import { Webhooks } from "./Webhooks.ts"

export const TasksLayer = Layer.mergeAll(Tasks.layerNoDeps, TaskRuns.layerNoDeps, OwnedTasks.layerNoDeps).pipe(
  Layer.provide(Webhooks.layer),
  Layer.provide([TasksRepo.layer, TranscriptsRepo.layer, TaskFollowers.layer])
)
