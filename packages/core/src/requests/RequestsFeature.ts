/** File requests, as one value of the list in `Features.ts`. */
import { Layer } from "effect"
import type { Feature } from "../Feature.ts"
import fileRequests from "./0033_file_requests.ts"
import drops from "./0034_drops.ts"
import { dropSweepJob, requestExpiryJob } from "./DropEnds.ts"
import { DropsApi } from "./DropsApi.ts"
import { DropsHandlers } from "./DropsHandlers.ts"
import { PublicRequestsApi } from "./PublicRequestsApi.ts"
import { RequestsApi } from "./RequestsApi.ts"
import { RequestsHandlers } from "./RequestsHandlers.ts"
import { RequestsLayer } from "./RequestsLayer.ts"

const tables = ["file_requests", "drops", "drop_files"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const RequestsFeature = {
  name: "requests",
  layer: RequestsLayer,
  api: [RequestsApi, PublicRequestsApi, DropsApi],
  handlers: Layer.merge(RequestsHandlers, DropsHandlers),
  tables,
  migrations: { "0033_file_requests": fileRequests, "0034_drops": drops },
  jobs: [requestExpiryJob, dropSweepJob]
} as const satisfies Feature
