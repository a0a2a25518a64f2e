/** All services of the feature. */
import { Layer } from "effect"
import { CredentialEnds } from "../accounts/CredentialEnds.ts"
import { OwnerTokens } from "../accounts/OwnerTokens.ts"
import * as EndedCredentials from "./EndedCredentials.ts"
import { OwnedTasks } from "./OwnedTasks.ts"
import { TaskFollowers } from "./TaskFollowers.ts"
import { TaskRuns } from "./TaskRuns.ts"
import { Tasks } from "./Tasks.ts"
import { TasksRepo } from "./TasksRepo.ts"
import { TranscriptsRepo } from "./TranscriptsRepo.ts"
import { Webhooks } from "./Webhooks.ts"

export const TasksLayer = Layer.mergeAll(TaskRuns.layerNoDeps, OwnedTasks.layerNoDeps, EndedCredentials.layerNoDeps)
  .pipe(
    Layer.provideMerge(Tasks.layerNoDeps),
    Layer.provide([OwnerTokens.layer, CredentialEnds.layer]),
    Layer.provide(Webhooks.layer),
    Layer.provide([TasksRepo.layer, TranscriptsRepo.layer, TaskFollowers.layer])
  )
