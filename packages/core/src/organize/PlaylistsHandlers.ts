/** Binds {@link PlaylistsApi} to {@link Lists} and {@link ListContents}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { OptionalAccount } from "../http/Session.ts"
import type { Additions, ListItem, Removals } from "./List.ts"
import { ListContents } from "./ListContents.ts"
import { Lists } from "./Lists.ts"
import { PlaylistsApi } from "./PlaylistsApi.ts"

const item = ({ fileCount, id, isPublic, title }: ListItem) => ({ id, title, isPublic, fileCount })
const additions = ({ added, list, skipped }: Additions) => ({ ...item(list), added, skipped })
const removals = ({ list, removed }: Removals) => ({ ...item(list), removed })

export const PlaylistsHandlers = Handlers.group(
  PlaylistsApi,
  Effect.gen(function*() {
    const lists = yield* Lists
    const contents = yield* ListContents

    return {
      createPlaylist: ({ payload }) =>
        lists.create("playlist", payload).pipe(Effect.mapBoth({ onSuccess: additions, onFailure: fromDriveError })),
      addToPlaylist: ({ payload: { fileIds, playlistId } }) =>
        lists.add("playlist", playlistId, fileIds).pipe(
          Effect.mapBoth({ onSuccess: additions, onFailure: fromDriveError })
        ),
      reorderPlaylist: ({ payload: { fileIds, playlistId } }) =>
        lists.reorder("playlist", playlistId, fileIds, null).pipe(
          Effect.mapBoth({ onSuccess: item, onFailure: fromDriveError })
        ),
      removeFromPlaylist: ({ payload: { fileIds, playlistId } }) =>
        lists.remove("playlist", playlistId, fileIds).pipe(
          Effect.mapBoth({ onSuccess: removals, onFailure: fromDriveError })
        ),
      renamePlaylist: ({ payload: { playlistId, title } }) =>
        lists.rename("playlist", playlistId, title).pipe(
          Effect.mapBoth({ onSuccess: item, onFailure: fromDriveError })
        ),
      setPlaylistPublic: ({ payload: { isPublic, playlistId } }) =>
        lists.setPublic("playlist", playlistId, isPublic).pipe(
          Effect.mapBoth({ onSuccess: removals, onFailure: fromDriveError })
        ),
      deletePlaylist: ({ payload: { playlistId } }) =>
        lists.delete("playlist", playlistId).pipe(Effect.as({}), Effect.mapError(fromDriveError)),
      selectPlaylist: ({ payload: { playlistId, ...page } }) =>
        OptionalAccount.pipe(
          Effect.flatMap((account) => contents.page("playlist", playlistId, page, account)),
          Effect.mapBoth({
            onSuccess: ({ coverId = null, coverUrl = null, files, nextOffset, ...list }) =>
              Handlers.plain({ ...item(list), coverId, coverUrl, files, nextOffset }),
            onFailure: fromDriveError
          })
        )
    }
  })
)
