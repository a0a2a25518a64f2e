/** Files: their records, names, trash, buckets and bytes, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { bucketTransferJob } from "./BucketTransfers.ts"
import { FilesApi } from "./FilesApi.ts"
import { FilesHandlers } from "./FilesHandlers.ts"
import { FilesLayer } from "./FilesLayer.ts"
import { FilesLiveKeys } from "./FilesLiveKeys.ts"
import { lastingLinksJob } from "./LastingLinks.ts"
import { metadataJob } from "./MetadataJob.ts"
import { publicHeadersJob } from "./PublicHeaders.ts"
import { scrubJob, scrubTurnJob } from "./Scrub.ts"

const tables = ["files", "file_media", "bucket_transfers", "usage_counts", "scrubs", "lost_files"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const FilesFeature = {
  name: "files",
  layer: FilesLayer,
  api: [FilesApi],
  handlers: FilesHandlers,
  tables,
  liveKeys: FilesLiveKeys,
  jobs: [bucketTransferJob, lastingLinksJob, publicHeadersJob, metadataJob, scrubJob, scrubTurnJob]
} as const satisfies Feature
