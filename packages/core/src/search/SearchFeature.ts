/** Finding files by words, names and facts, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { Search, searchPagesJob } from "./Search.ts"
import { SearchApi } from "./SearchApi.ts"
import { SearchHandlers } from "./SearchHandlers.ts"

const tables = ["search_pages"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const SearchFeature = {
  name: "search",
  layer: Search.layer,
  api: [SearchApi],
  handlers: SearchHandlers,
  tables,
  jobs: [searchPagesJob]
} as const satisfies Feature
