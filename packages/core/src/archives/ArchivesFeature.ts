/** Many files as one ZIP, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import credentialsOfArchives from "./0049_credentials_of_archives.ts"
import { archiveBuildJob } from "./ArchiveBuilds.ts"
import { archiveSweepJob } from "./ArchiveEnds.ts"
import { ArchivesApi } from "./ArchivesApi.ts"
import { ArchivesHandlers } from "./ArchivesHandlers.ts"
import { ArchivesLayer } from "./ArchivesLayer.ts"
import { ArchivesLiveKeys } from "./ArchivesLiveKeys.ts"

const tables = ["archives", "archive_entries", "archive_parts"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const ArchivesFeature = {
  name: "archives",
  layer: ArchivesLayer,
  api: [ArchivesApi],
  handlers: ArchivesHandlers,
  tables,
  liveKeys: ArchivesLiveKeys,
  migrations: { "0049_credentials_of_archives": credentialsOfArchives },
  jobs: [archiveBuildJob, archiveSweepJob]
} as const satisfies Feature
