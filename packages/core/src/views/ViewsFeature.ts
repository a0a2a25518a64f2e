/** Who opened which file, counted, as one value of the list in `Features.ts`. */
import { Layer } from "effect"
import type { Feature } from "../Feature.ts"
import { FileViews, viewSweepJob } from "./FileViews.ts"
import { Views } from "./Views.ts"
import { ViewsApi } from "./ViewsApi.ts"
import { ViewsHandlers } from "./ViewsHandlers.ts"

const tables = ["file_views", "file_view_days", "file_viewers", "view_salts"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const ViewsFeature = {
  name: "views",
  layer: Layer.mergeAll(Views.layer, FileViews.layer),
  api: [ViewsApi],
  handlers: ViewsHandlers,
  tables,
  jobs: [viewSweepJob]
} as const satisfies Feature
