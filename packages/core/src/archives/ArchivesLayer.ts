/** Every service of this feature, each made once, from files, organize, the ports, the database, the transaction and the jobs. */
import { Layer } from "effect"
import { ArchiveBuilds } from "./ArchiveBuilds.ts"
import { ArchiveBuildsRepo } from "./ArchiveBuildsRepo.ts"
import { ArchiveEnds } from "./ArchiveEnds.ts"
import { Archives } from "./Archives.ts"
import { ArchivesLiveKeys } from "./ArchivesLiveKeys.ts"
import { ArchivesRepo } from "./ArchivesRepo.ts"

export const ArchivesLayer = Archives.layerNoDeps.pipe(
  Layer.provideMerge(ArchiveBuilds.layerNoDeps),
  Layer.provideMerge(Layer.merge(ArchiveEnds.layerNoDeps, ArchivesLiveKeys)),
  Layer.provide([ArchivesRepo.layer, ArchiveBuildsRepo.layer])
)
