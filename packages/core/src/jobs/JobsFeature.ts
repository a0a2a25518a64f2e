/** The queue; the host chooses its layer, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"

const tables = ["jobs"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const JobsFeature = {
  name: "jobs",
  tables
} as const satisfies Feature
