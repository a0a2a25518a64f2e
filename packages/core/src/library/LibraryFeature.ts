/** Lists of all files, and storage usage, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { Library } from "./Library.ts"
import { LibraryApi } from "./LibraryApi.ts"
import { LibraryHandlers } from "./LibraryHandlers.ts"

export const LibraryFeature = {
  name: "library",
  layer: Library.layer,
  api: [LibraryApi],
  handlers: LibraryHandlers
} as const satisfies Feature
