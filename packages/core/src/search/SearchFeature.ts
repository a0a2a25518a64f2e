/** The index of words, names and facts, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { DocIndex } from "./DocIndex.ts"

const tables = ["search_indexes", "search_docs", "search_segments", "search_pages"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const SearchFeature = {
  name: "search",
  layer: DocIndex.layer,
  tables
} as const satisfies Feature
