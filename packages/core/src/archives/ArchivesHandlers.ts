/** Binds {@link ArchivesApi} to {@link Archives}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { type ArchiveItem, Archives } from "./Archives.ts"
import { ArchivesApi } from "./ArchivesApi.ts"

const created = ({ bytes, fileCount, id, skipped, status, title }: ArchiveItem) => ({
  id,
  title,
  status: status === "done" ? "done" as const : "working" as const,
  fileCount,
  bytes,
  skipped
})

const item = ({ expireTime, ...archive }: ArchiveItem) => ({
  ...archive,
  expireTime: expireTime && expireTime.toISOString()
})

export const ArchivesHandlers = Handlers.group(
  ArchivesApi,
  Effect.gen(function*() {
    const archives = yield* Archives
    return {
      createArchiveRequest: ({ payload }) =>
        archives.create(payload).pipe(Effect.mapBoth({ onSuccess: created, onFailure: fromDriveError })),
      selectArchives: ({ payload }) =>
        (payload?.ids === undefined ? archives.newest(payload?.limit) : archives.select(payload.ids)).pipe(
          Effect.mapBoth({ onSuccess: (found) => found.map(item), onFailure: fromDriveError })
        ),
      deleteArchive: ({ payload: { id } }) =>
        archives.delete(id).pipe(
          Effect.mapBoth({ onSuccess: (deleted) => ({ deleted }), onFailure: fromDriveError })
        )
    }
  })
)
