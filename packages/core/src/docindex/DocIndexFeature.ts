/** The index of words, names and facts, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { compactionJob } from "./Compaction.ts"
import { DocIndex } from "./DocIndex.ts"

const tables = ["search_indexes", "search_docs", "search_segments"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const DocIndexFeature = {
  name: "docindex",
  layer: DocIndex.layer,
  tables,
  jobs: [compactionJob]
} as const satisfies Feature
