/** ZIP archives of one user's files, as plain async functions. */
import { type ArchiveItem, Archives } from "@filedrive/core"
import { Effect } from "effect"
import type { Perform } from "./Call.ts"

/** Which files to put in: one of `fileIds`, `galleryId` and `playlistId`. */
export interface NewArchive {
  readonly fileIds?: ReadonlyArray<string>
  readonly galleryId?: string
  readonly playlistId?: string
  /** Default `Archive`. */
  readonly title?: string
}

export interface ArchivesApi {
  readonly archives: {
    /** `/create-archive-request`; it is built in the background. */
    readonly create: (archive: NewArchive) => Promise<ArchiveItem>
    /** `/select-archives`: how far they are, and a link to each that is done. */
    readonly list: (ids: ReadonlyArray<string>) => Promise<ReadonlyArray<ArchiveItem>>
    /** `/delete-archive`, one that is being built too; false when there is none. */
    readonly delete: (id: string) => Promise<boolean>
  }
}

export const archivesApi = (perform: Perform): ArchivesApi => ({
  archives: {
    create: async (archive) =>
      perform(
        "createArchiveRequest",
        archive,
        (payload) => Effect.flatMap(Archives, (archives) => archives.create(payload))
      ),
    list: async (ids) =>
      perform("selectArchives", { ids }, ({ ids }) => Effect.flatMap(Archives, (archives) => archives.select(ids))),
    delete: async (id) =>
      perform(
        "deleteArchive",
        { id },
        ({ id }) => Effect.flatMap(Archives, (archives) => archives.delete(id))
      )
  }
})
