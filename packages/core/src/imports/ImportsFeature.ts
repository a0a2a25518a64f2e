/** Files fetched from links, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { importForgetJob, importJob, Imports } from "./Imports.ts"
import { ImportsApi } from "./ImportsApi.ts"
import { ImportsHandlers } from "./ImportsHandlers.ts"
import { ImportsLiveKeys } from "./ImportsLiveKeys.ts"

const tables = ["imports"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const ImportsFeature = {
  name: "imports",
  layer: Imports.layer,
  api: [ImportsApi],
  handlers: ImportsHandlers,
  tables,
  liveKeys: ImportsLiveKeys,
  jobs: [importJob, importForgetJob]
} as const satisfies Feature
