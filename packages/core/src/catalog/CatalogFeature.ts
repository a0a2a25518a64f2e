/** What keeps counts and search data in step with the files, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { Catalog } from "./Catalog.ts"

export const CatalogFeature = {
  name: "catalog",
  layer: Catalog.layer
} as const satisfies Feature
