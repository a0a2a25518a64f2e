/** The HTTP contract of playlists. Declarations only; no handler code. Spec: "Organize". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Acknowledgement } from "../http/Acknowledgement.ts"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { OptionalSession, Session } from "../http/Session.ts"
import { ListId } from "../shared/Ids.ts"
import { ListTitle } from "./List.ts"
import * as Fields from "./ListFields.ts"

const { item } = Fields

/** What the operations on playlists have in common. */
const organizing = { permissions: ["organize"], isRepeatable: true } as const

const { playlistId, trackId } = Examples
const playlist = { id: playlistId, title: "Fado", isPublic: false, fileCount: 1 }

export class PlaylistsApi extends HttpApiGroup.make("playlists")
  .add(
    HttpApiEndpoint.post("createPlaylist", "/create-playlist", {
      payload: Schema.Struct({
        title: ListTitle,
        fileIds: Schema.optionalKey(Fields.NewFileIds),
        isPublic: Schema.optionalKey(Schema.Boolean)
      }),
      success: Schema.Struct({ ...item, ...Fields.additions }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Makes a playlist of up to 500 tracks and videos, in the order given. Its title has 1 to 200 characters. A private one, the default, takes " +
        "every such file you can see (yours, public, or shared with you), a public one only yours. Other files, and those in trash, are named in " +
        "`skipped`. To make a public one a limited token needs the permission `share` as well.",
      effect: "changes",
      isRepeatable: false,
      needsConsent: { kind: "publish", where: { isPublic: true } },
      tool:
        "Makes a playlist of tracks and videos, in the order of `fileIds`. Each call makes another one; to fill one that exists use add_to_playlist.",
      example: {
        request: { title: "Fado", fileIds: [trackId] },
        answer: { ...playlist, added: [trackId], skipped: [] }
      }
    })),
    HttpApiEndpoint.post("addToPlaylist", "/add-to-playlist", {
      payload: Schema.Struct({ playlistId: ListId, fileIds: Fields.SomeFileIds }),
      success: Schema.Struct({ ...item, ...Fields.additions }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Appends 1 to 500 tracks and videos to a playlist of yours, in the order given. It accepts the same files as `/create-playlist`. Files that are in it " +
        "already keep their positions, and are neither in `added` nor in `skipped`.",
      effect: "changes",
      tool:
        "Appends tracks and videos to a playlist, in the order of `fileIds`. Those that are in it already stay where they are.",
      example: {
        request: { playlistId, fileIds: [trackId] },
        answer: { ...playlist, added: [trackId], skipped: [] }
      }
    })),
    HttpApiEndpoint.post("reorderPlaylist", "/reorder-playlist", {
      payload: Schema.Struct({ playlistId: ListId, fileIds: Fields.OrderedFileIds }),
      success: Schema.Struct(item),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Puts the named files of a playlist first, in that order. The other files follow in their former order; ids that are not in it are ignored.",
      effect: "changes",
      tool: "Puts files of a playlist first, in the order of `fileIds`; the others follow in their former order.",
      example: { request: { playlistId, fileIds: [trackId] }, answer: playlist }
    })),
    HttpApiEndpoint.post("removeFromPlaylist", "/remove-from-playlist", {
      payload: Schema.Struct({ playlistId: ListId, fileIds: Fields.SomeFileIds }),
      success: Schema.Struct({ ...item, ...Fields.removals }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Removes 1 to 500 files from a playlist; they stay in the drive. `removed` are those that were in it.",
      effect: "changes",
      tool: "Removes files from a playlist; they stay in the drive.",
      example: {
        request: { playlistId, fileIds: [trackId] },
        answer: { ...playlist, fileCount: 0, removed: [trackId] }
      }
    })),
    HttpApiEndpoint.post("renamePlaylist", "/rename-playlist", {
      payload: Schema.Struct({ playlistId: ListId, title: ListTitle }),
      success: Schema.Struct(item),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description: "Renames a playlist, to a title of 1 to 200 characters.",
      effect: "changes",
      tool: "Renames a playlist.",
      example: { request: { playlistId, title: "Fado, live" }, answer: { ...playlist, title: "Fado, live" } }
    })),
    HttpApiEndpoint.post("setPlaylistPublic", "/set-playlist-public", {
      payload: Schema.Struct({ playlistId: ListId, isPublic: Schema.Boolean }),
      success: Schema.Struct({ ...item, ...Fields.removals }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Makes a playlist public or private. One that becomes public loses the files that aren't yours; `removed` names them. The files themselves " +
        "stay as public or private as they are. To make one public a limited token needs the permission `share` as well.",
      effect: "changes",
      needsConsent: "publish",
      tool:
        "Makes a playlist public, so that anyone can read it, or private. The files in it stay as they are: others see only those that are public or " +
        "shared with them.",
      example: { request: { playlistId, isPublic: false }, answer: { ...playlist, removed: [] } }
    })),
    HttpApiEndpoint.post("deletePlaylist", "/delete-playlist", {
      payload: Schema.Struct({ playlistId: ListId }),
      success: Acknowledgement,
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description: "Deletes a playlist; its files stay in the drive. One that is deleted already is 404.",
      effect: "deletes",
      needsConsent: "remove",
      tool: "Deletes a playlist; its files stay in the drive. This can't be undone.",
      example: { request: { playlistId }, answer: {} }
    }))
  )
  .middleware(Session)
  .add(
    HttpApiEndpoint.post("selectPlaylist", "/select-playlist", {
      payload: Schema.Struct({ playlistId: ListId, ...Fields.page }),
      success: Schema.Struct({ ...item, ...Fields.cover, ...Fields.pageAnswer }),
      error: [ApiError.NotFound, ApiError.Forbidden]
    })
      .middleware(OptionalSession)
      .annotateMerge(operation({
        description:
          "Returns a playlist and a page of its files, in order, without those in trash. A public one can be read by anyone, without a session too, and shows " +
          "them the files that are public or shared with them. `limit` is 1 to 200, by default 50; to get the next page, pass `nextOffset` back as " +
          "`offset`. A private one of somebody else's is 404.",
        permissions: ["read"],
        effect: "reads",
        isRepeatable: true,
        tool: "Shows a playlist and the files in it, a page at a time: pass `nextOffset` back as `offset`.",
        example: {
          request: { playlistId, limit: 20 },
          answer: { ...playlist, coverId: null, coverUrl: null, files: [Examples.track], nextOffset: null }
        }
      }))
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Playlists",
      description: `Ordered lists of tracks and videos. ${Fields.limitedTokens}`
    })
  )
{}
