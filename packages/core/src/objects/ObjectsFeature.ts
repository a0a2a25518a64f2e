/** Stored bytes: what is made, needed and to be removed, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import storageMarks from "./0045_storage_marks.ts"
import { movedBytesJob, objectRemovalJob, storageMarkJob } from "./ObjectJobs.ts"
import { ObjectsLayer } from "./ObjectsLayer.ts"
import { orphanSweepJob } from "./OrphanSweep.ts"
import { strayLinksJob } from "./StrayLinks.ts"

const tables = ["pending_deletions", "storage_marks", "storage_gaps"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const ObjectsFeature = {
  name: "objects",
  layer: ObjectsLayer,
  tables,
  migrations: { "0045_storage_marks": storageMarks },
  jobs: [objectRemovalJob, orphanSweepJob, storageMarkJob, movedBytesJob, strayLinksJob]
} as const satisfies Feature
