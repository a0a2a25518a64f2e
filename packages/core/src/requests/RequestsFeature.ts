/** File requests, as one value of the list in `Features.ts`. */
import { Layer } from "effect"
import type { Feature } from "../Feature.ts"
import fileRequests from "./0033_file_requests.ts"
import { PublicRequests } from "./PublicRequests.ts"
import { PublicRequestsApi } from "./PublicRequestsApi.ts"
import { Requests } from "./Requests.ts"
import { RequestsApi } from "./RequestsApi.ts"
import { RequestsHandlers } from "./RequestsHandlers.ts"
import { RequestsRepo } from "./RequestsRepo.ts"

const tables = ["file_requests"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const RequestsFeature = {
  name: "requests",
  layer: Layer.merge(Requests.layerNoDeps, PublicRequests.layerNoDeps).pipe(Layer.provide(RequestsRepo.layer)),
  api: [RequestsApi, PublicRequestsApi],
  handlers: RequestsHandlers,
  tables,
  migrations: { "0033_file_requests": fileRequests }
} as const satisfies Feature
