/** The HTTP contract of playlists. Declarations only; no handler code. Spec: "Organize". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Acknowledgement } from "../http/Acknowledgement.ts"
import * as ApiError from "../http/ApiError.ts"
import { OnlyReads } from "../http/OnlyReads.ts"
import { OptionalSession, Session } from "../http/Session.ts"
import { ListId } from "../shared/Ids.ts"
import * as Fields from "./ListFields.ts"

const { item } = Fields

export class PlaylistsApi extends HttpApiGroup.make("playlists")
  .add(
    HttpApiEndpoint.post("createPlaylist", "/create-playlist", {
      payload: Schema.Struct({
        title: Schema.String,
        fileIds: Schema.optionalKey(Fields.NewFileIds),
        isPublic: Schema.optionalKey(Schema.Boolean)
      }),
      success: Schema.Struct({ ...item, ...Fields.additions }),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description:
        "Makes a playlist of audio and video, in the order given. A private one takes every such file you can " +
        "see (yours, public, or shared with you), a public one only yours. Others are named in `skipped`; so are files " +
        "in trash."
    })),
    HttpApiEndpoint.post("addToPlaylist", "/add-to-playlist", {
      payload: Schema.Struct({ playlistId: ListId, fileIds: Fields.SomeFileIds }),
      success: Schema.Struct({ ...item, ...Fields.additions }),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description:
        "Appends files, in the order given, as `/create-playlist` takes them. Files that are in it keep their " +
        "places, and are neither in `added` nor in `skipped`."
    })),
    HttpApiEndpoint.post("reorderPlaylist", "/reorder-playlist", {
      payload: Schema.Struct({ playlistId: ListId, fileIds: Fields.OrderedFileIds }),
      success: Schema.Struct(item),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description:
        "Puts the named files first, in that order. What else it holds follows as it was; unknown ids are ignored."
    })),
    HttpApiEndpoint.post("removeFromPlaylist", "/remove-from-playlist", {
      payload: Schema.Struct({ playlistId: ListId, fileIds: Fields.SomeFileIds }),
      success: Schema.Struct({ ...item, ...Fields.removals }),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({ description: "Takes files out of a playlist; they stay in the drive." })),
    HttpApiEndpoint.post("renamePlaylist", "/rename-playlist", {
      payload: Schema.Struct({ playlistId: ListId, title: Schema.String }),
      success: Schema.Struct(item),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({ description: "Gives a playlist another title, of 1 to 200 characters." })),
    HttpApiEndpoint.post("setPlaylistPublic", "/set-playlist-public", {
      payload: Schema.Struct({ playlistId: ListId, isPublic: Schema.Boolean }),
      success: Schema.Struct({ ...item, ...Fields.removals }),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description: "Makes a playlist public or private. One that becomes public loses the files that aren't yours; " +
        "`removed` names them. The files themselves stay as public or private as they are."
    })),
    HttpApiEndpoint.post("deletePlaylist", "/delete-playlist", {
      payload: Schema.Struct({ playlistId: ListId }),
      success: Acknowledgement,
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({ description: "Deletes a playlist; its files stay in the drive." }))
  )
  .middleware(Session)
  .add(
    HttpApiEndpoint.post("selectPlaylist", "/select-playlist", {
      payload: Schema.Struct({ playlistId: ListId, ...Fields.page }),
      success: Schema.Struct({ ...item, ...Fields.cover, ...Fields.pageAnswer }),
      error: [ApiError.NotFound, ApiError.Forbidden]
    }).annotate(OnlyReads, true)
      .middleware(OptionalSession)
      .annotateMerge(OpenApi.annotations({
        description: "A playlist and a page of its files, in order, without those in trash. A public one is read by " +
          "anyone, without a session too, who is shown the files that are public or shared with them.",
        transform: (operation) => ({ ...operation, security: [{ bearer: [] }, {}] })
      }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Playlists", description: "Audio and video in an order of your own." }))
{}
