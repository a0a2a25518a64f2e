/** Every service of this feature, each made once, from files, the database and the transaction. */
import { Layer } from "effect"
import { Collections } from "./Collections.ts"
import { FolderMoves } from "./FolderMoves.ts"
import { FolderRelocations } from "./FolderRelocations.ts"
import { FolderRemovals } from "./FolderRemovals.ts"
import { Folders } from "./Folders.ts"
import { FoldersRepo } from "./FoldersRepo.ts"
import { FolderTree } from "./FolderTree.ts"
import { ListContents } from "./ListContents.ts"
import { ListContentsRepo } from "./ListContentsRepo.ts"
import { ListCovers } from "./ListCovers.ts"
import { ListFiles } from "./ListFiles.ts"
import { ListItemsRepo } from "./ListItemsRepo.ts"
import { Lists } from "./Lists.ts"
import { ListsRepo } from "./ListsRepo.ts"
import { TagBatches } from "./TagBatches.ts"
import { Tags } from "./Tags.ts"

export const OrganizeLayer = Layer.mergeAll(
  Tags.layer,
  TagBatches.layer,
  Collections.layer,
  Layer.mergeAll(FolderMoves.layerNoDeps, FolderTree.layerNoDeps).pipe(
    Layer.provide(FolderRelocations.layerNoDeps),
    Layer.provideMerge(Layer.merge(Folders.layerNoDeps, FolderRemovals.layer)),
    Layer.provide(FoldersRepo.layer)
  ),
  Layer.mergeAll(Lists.layerNoDeps, ListContents.layerNoDeps, ListFiles.layerNoDeps).pipe(
    Layer.provide(Layer.mergeAll(ListsRepo.layer, ListItemsRepo.layer, ListContentsRepo.layer, ListCovers.layer))
  )
)
