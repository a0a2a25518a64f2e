/** The HTTP contract of collections as a whole. Declarations only; no handler code. Spec: `/select-collections`. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OnlyReads } from "../http/OnlyReads.ts"
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
    }).annotate(OnlyReads, true).annotateMerge(OpenApi.annotations({
      description:
        "Your folders, playlists, galleries and tags, with how many files of each you can see: those in trash " +
        "don't count. A token that is limited to a folder is told of what holds a file of that folder, and counts those."
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Collections", description: "What your files are organized by." }))
{}
