/** Every service of stored bytes, from the database, the transaction, the jobs and storage. */
import { Layer } from "effect"
import { LiveKeys } from "./LiveKeys.ts"
import { MovedObjects } from "./MovedObjects.ts"
import { NewObjects } from "./NewObjects.ts"
import { OrphanSweep } from "./OrphanSweep.ts"
import { PendingDeletions } from "./PendingDeletions.ts"
import { PendingDeletionsRepo } from "./PendingDeletionsRepo.ts"
import { PublicOrphans } from "./PublicOrphans.ts"
import { StorageMarks } from "./StorageMarks.ts"
import { StrayLinks } from "./StrayLinks.ts"

export const ObjectsLayer = Layer.mergeAll(
  NewObjects.layerNoDeps,
  OrphanSweep.layerNoDeps,
  StrayLinks.layerNoDeps.pipe(Layer.provide(PublicOrphans.layerNoDeps.pipe(Layer.provide(PendingDeletionsRepo.layer))))
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(PendingDeletions.layerNoDeps.pipe(Layer.provide(PendingDeletionsRepo.layer)), LiveKeys.layer)
  ),
  Layer.provideMerge(Layer.mergeAll(StorageMarks.layer, MovedObjects.layer))
)
