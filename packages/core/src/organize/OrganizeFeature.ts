/** Folders, tags, playlists and galleries, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { CollectionsApi } from "./CollectionsApi.ts"
import { folderRelocationJob } from "./FolderRelocations.ts"
import { FoldersApi } from "./FoldersApi.ts"
import { folderDeletionJob } from "./FolderTree.ts"
import { GalleriesApi } from "./GalleriesApi.ts"
import { OrganizeHandlers } from "./OrganizeHandlers.ts"
import { OrganizeLayer } from "./OrganizeLayer.ts"
import { PlaylistsApi } from "./PlaylistsApi.ts"
import { tagMergeJob, tagRenameJob } from "./TagEdits.ts"
import { TagsApi } from "./TagsApi.ts"

const tables = ["folders", "tags", "file_tags", "lists", "list_items"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const OrganizeFeature = {
  name: "organize",
  layer: OrganizeLayer,
  api: [CollectionsApi, FoldersApi, TagsApi, PlaylistsApi, GalleriesApi],
  handlers: OrganizeHandlers,
  tables,
  jobs: [folderRelocationJob, folderDeletionJob, tagRenameJob, tagMergeJob]
} as const satisfies Feature
