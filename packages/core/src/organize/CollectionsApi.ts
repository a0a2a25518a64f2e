/** The HTTP contract of collections as a whole. Declarations only; no handler code. Spec: `/select-collections`. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import { FolderId, ListId, TagId } from "../shared/Ids.ts"
import * as Fields from "./ListFields.ts"

const list = { id: ListId, title: Schema.String, isPublic: Schema.Boolean, fileCount: Schema.Int }

export class CollectionsApi extends HttpApiGroup.make("collections")
  .add(
    HttpApiEndpoint.post("selectCollections", "/select-collections", {
      success: Schema.Struct({
        /** By path. */
        folders: Schema.Array(Schema.Struct({ id: FolderId, path: Schema.String, fileCount: Schema.Int })),
        /** Newest first. */
        playlists: Schema.Array(Schema.Struct({ ...list, ...Fields.cover })),
        /** Newest first. */
        galleries: Schema.Array(
          Schema.Struct({ ...list, description: Schema.NullOr(Schema.String), featuredCount: Schema.Int })
        ),
        /** By text. */
        tags: Schema.Array(Schema.Struct({ id: TagId, text: Schema.String, fileCount: Schema.Int }))
      })
    }).annotateMerge(operation({
      isLong: true,
      description:
        "Returns all your folders by path, tags by text, and playlists and galleries, the newest first, with their ids and how many files " +
        "of each you can see: those in trash don't count, and a folder's count leaves out the folders inside it. A token that is limited to " +
        "a folder gets only what holds a file of that folder, and counts of those files.",
      permissions: ["read"],
      effect: "reads",
      isRepeatable: true,
      tool:
        "Lists all folders, tags, playlists and galleries with their ids and how many files they hold. Use it to find the ids that other tools take.",
      example: {
        answer: {
          folders: [{ ...Examples.parentFolder, fileCount: 0 }, { ...Examples.folder, fileCount: 1 }],
          playlists: [{
            id: Examples.playlistId,
            title: "Fado",
            isPublic: false,
            fileCount: 1,
            coverId: null,
            coverUrl: null
          }],
          galleries: [{
            id: Examples.galleryId,
            title: "Lisbon",
            description: null,
            isPublic: false,
            fileCount: 1,
            featuredCount: 1
          }],
          tags: [{ ...Examples.tag, fileCount: 1 }]
        }
      }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Collections", description: "Folders, tags, playlists and galleries." }))
{}
