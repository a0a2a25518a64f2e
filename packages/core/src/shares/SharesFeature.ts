/** Files shared with other users, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { Shares } from "./Shares.ts"
import { SharesApi } from "./SharesApi.ts"
import { SharesHandlers } from "./SharesHandlers.ts"

const tables = ["shares"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const SharesFeature = {
  name: "shares",
  layer: Shares.layer,
  api: [SharesApi],
  handlers: SharesHandlers,
  tables
} as const satisfies Feature
