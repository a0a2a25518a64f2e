/** Bringing in files from links as one user does it, as plain async functions. */
import { Choice, type ImportItem, Imports } from "@filedrive/core"
import { Effect } from "effect"
import type { Perform } from "./Call.ts"

export interface RemoteImportsApi {
  readonly imports: {
    /**
     * `/import-from-url`; answers the import's id. It goes to the folder at the path `folder`, made when it is missing, or
     * to the one of `folderId`; to the top of the drive without either.
     */
    readonly start: (request: {
      readonly url: string
      readonly fileName?: string
      readonly description?: string
      readonly folder?: string
      readonly folderId?: string | null
    }) => Promise<string>
    /** `/select-imports` */
    readonly select: (ids: ReadonlyArray<string>) => Promise<ReadonlyArray<ImportItem>>
  }
}

export const remoteImportsApi = (perform: Perform): RemoteImportsApi => ({
  imports: {
    start: async (request) =>
      perform("importFromUrl", request, ({ folder, folderId, ...payload }) =>
        Effect.gen(function*() {
          yield* Choice.atMostOne({ folder, folderId }, "folder", "folderId")
          const to = folder !== undefined
            ? { path: folder, field: "folder" }
            : folderId === undefined
            ? undefined
            : { id: folderId }
          return (yield* (yield* Imports).start({ ...payload, to })).id
        })),
    select: async (ids) =>
      perform("selectImports", { ids }, (payload) => Effect.flatMap(Imports, (imports) => imports.select(payload.ids)))
  }
})
