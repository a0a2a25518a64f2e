/** Bringing in files from links as one user does it, as plain async functions. */
import { type ImportItem, Imports } from "@filedrive/core"
import { Effect } from "effect"
import { type Call, folderId, importId } from "./Call.ts"

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

export const remoteImportsApi = (call: Call): RemoteImportsApi => ({
  imports: {
    start: async ({ folder, folderId: id, ...request }) => {
      if (folder !== undefined && id !== undefined) {
        throw new TypeError("An import goes to folder or folderId, not to both.")
      }
      const to = folder !== undefined
        ? { path: folder, field: "folder" }
        : id === undefined
        ? undefined
        : { id: id === null ? null : folderId(id) }
      return (await call(Effect.flatMap(Imports, (imports) => imports.start({ ...request, to })))).id
    },
    select: async (ids) => call(Effect.flatMap(Imports, (imports) => imports.select(ids.map(importId))))
  }
})
