/** Stored bytes: what is made, needed and to be removed, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { ObjectsLayer } from "./ObjectsLayer.ts"
import { orphanSweepJob } from "./OrphanSweep.ts"
import { objectRemovalJob } from "./PendingDeletions.ts"

const tables = ["pending_deletions"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const ObjectsFeature = {
  name: "objects",
  layer: ObjectsLayer,
  tables,
  jobs: [objectRemovalJob, orphanSweepJob]
} as const satisfies Feature
