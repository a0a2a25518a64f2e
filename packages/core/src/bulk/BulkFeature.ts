/** Bringing in many files at once, by the code of a host, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { BulkImport } from "./BulkImport.ts"

export const BulkFeature = {
  name: "bulk",
  layer: BulkImport.layer
} as const satisfies Feature
