/** File requests, as one value of the list in `Features.ts`. */
import { Layer } from "effect"
import { ActiveAccounts } from "../accounts/ActiveAccounts.ts"
import type { Feature } from "../Feature.ts"
import fileRequests from "./0033_file_requests.ts"
import drops from "./0034_drops.ts"
import { DropEnds, dropSweepJob, requestExpiryJob } from "./DropEnds.ts"
import { DropRemovals } from "./DropRemovals.ts"
import { DropRules } from "./DropRules.ts"
import { Drops } from "./Drops.ts"
import { DropsApi } from "./DropsApi.ts"
import { DropsHandlers } from "./DropsHandlers.ts"
import { DropsRepo } from "./DropsRepo.ts"
import { FoundDrops } from "./FoundDrops.ts"
import { PublicRequests } from "./PublicRequests.ts"
import { PublicRequestsApi } from "./PublicRequestsApi.ts"
import { RequestLists } from "./RequestLists.ts"
import { Requests } from "./Requests.ts"
import { RequestsApi } from "./RequestsApi.ts"
import { RequestsHandlers } from "./RequestsHandlers.ts"
import { RequestsRepo } from "./RequestsRepo.ts"
import { SentDrops } from "./SentDrops.ts"
import { SentDropsRepo } from "./SentDropsRepo.ts"

const tables = ["file_requests", "drops", "drop_files"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const RequestsFeature = {
  name: "requests",
  layer: Layer.mergeAll(
    Requests.layerNoDeps,
    RequestLists.layerNoDeps,
    PublicRequests.layerNoDeps,
    Drops.layerNoDeps
  ).pipe(
    Layer.provideMerge(Layer.merge(DropEnds.layerNoDeps, SentDrops.layerNoDeps)),
    Layer.provide([DropRemovals.layerNoDeps, DropRules.layerNoDeps, FoundDrops.layerNoDeps]),
    Layer.provide([ActiveAccounts.layer, DropsRepo.layer, RequestsRepo.layer, SentDropsRepo.layer])
  ),
  api: [RequestsApi, PublicRequestsApi, DropsApi],
  handlers: Layer.merge(RequestsHandlers, DropsHandlers),
  tables,
  migrations: { "0033_file_requests": fileRequests, "0034_drops": drops },
  jobs: [requestExpiryJob, dropSweepJob]
} as const satisfies Feature
