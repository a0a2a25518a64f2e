/** Files fetched from links, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { Imports } from "./Imports.ts"
import { ImportsApi } from "./ImportsApi.ts"
import { ImportsHandlers } from "./ImportsHandlers.ts"

const tables = ["imports"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const ImportsFeature = {
  name: "imports",
  layer: Imports.layer,
  api: [ImportsApi],
  handlers: ImportsHandlers,
  tables
} as const satisfies Feature
