/** Files: their records, names, trash, buckets and bytes, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { FilesApi } from "./FilesApi.ts"
import { FilesHandlers } from "./FilesHandlers.ts"
import { FilesLayer } from "./FilesLayer.ts"

const tables = ["files", "file_media", "bucket_transfers", "usage_counts", "scrubs", "lost_files"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const FilesFeature = {
  name: "files",
  layer: FilesLayer,
  api: [FilesApi],
  handlers: FilesHandlers,
  tables
} as const satisfies Feature
