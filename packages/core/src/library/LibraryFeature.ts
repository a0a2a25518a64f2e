/** Lists of all files, storage usage and the search, as one value of the list in `Features.ts`. */
import { Layer } from "effect"
import type { Feature } from "../Feature.ts"
import { Library } from "./Library.ts"
import { LibraryApi } from "./LibraryApi.ts"
import { LibraryHandlers } from "./LibraryHandlers.ts"
import { Search } from "./Search.ts"
import { SearchApi } from "./SearchApi.ts"
import { SearchHandlers } from "./SearchHandlers.ts"

export const LibraryFeature = {
  name: "library",
  layer: Layer.mergeAll(Library.layer, Search.layer),
  api: [LibraryApi, SearchApi],
  handlers: Layer.mergeAll(LibraryHandlers, SearchHandlers)
} as const satisfies Feature
