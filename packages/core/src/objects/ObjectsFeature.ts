/** Objects in storage that are to be removed, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { PendingDeletions } from "./PendingDeletions.ts"

const tables = ["pending_deletions"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const ObjectsFeature = {
  name: "objects",
  layer: PendingDeletions.layer,
  tables
} as const satisfies Feature
