/** The handlers of every group of this feature. */
import { Layer } from "effect"
import { CollectionsHandlers } from "./CollectionsHandlers.ts"
import { FoldersHandlers } from "./FoldersHandlers.ts"
import { GalleriesHandlers } from "./GalleriesHandlers.ts"
import { PlaylistsHandlers } from "./PlaylistsHandlers.ts"
import { TagsHandlers } from "./TagsHandlers.ts"

export const OrganizeHandlers = Layer.mergeAll(
  CollectionsHandlers,
  FoldersHandlers,
  TagsHandlers,
  PlaylistsHandlers,
  GalleriesHandlers
)
