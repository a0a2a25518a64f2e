/** The HTTP contract of tags. Declarations only; no handler code. Spec: "Metadata", "Organize". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Acknowledgement } from "../http/Acknowledgement.ts"
import * as ApiError from "../http/ApiError.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { FileId, TagId } from "../shared/Ids.ts"

const { filesPerOrganizeCall, tagsPerCall } = Limits

const FileIds = Schema.Array(FileId).check(Schema.isBetweenLength(filesPerOrganizeCall.min, filesPerOrganizeCall.max))

const action = Schema.Literals(["add", "remove"])

export class TagsApi extends HttpApiGroup.make("tags")
  .add(
    HttpApiEndpoint.post("tagFiles", "/tag-files", {
      payload: Schema.Struct({
        fileIds: FileIds,
        tags: Schema.Array(Schema.String).check(Schema.isBetweenLength(tagsPerCall.min, tagsPerCall.max)),
        action: Schema.optionalKey(action)
      }),
      success: Schema.Struct({
        updated: Schema.Array(FileId),
        tags: Schema.Array(Schema.Struct({ id: TagId, text: Schema.String }))
      }),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description:
        "Puts tags on files (`action` `add`, the default) or takes them off (`remove`). Adding makes tags you " +
        "lack; two spellings that differ only in case are one tag, kept as first written. A tag has 1 to 100 characters, " +
        "blanks at its ends left out. `updated` are those of the files that are yours, `tags` the tags named, those there " +
        "are; a token limited to a folder is not told of tags outside it."
    })),
    HttpApiEndpoint.post("updateFileTags", "/update-file-tags", {
      payload: Schema.Struct({ fileIds: FileIds, tagId: TagId, action }),
      success: Acknowledgement,
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({ description: "Puts one of your tags on files, or takes it off." })),
    HttpApiEndpoint.post("renameTag", "/rename-tag", {
      payload: Schema.Struct({ tagId: TagId, text: Schema.String }),
      success: Schema.Struct({ id: TagId, text: Schema.String, fileCount: Schema.Int }),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description:
        "Gives a tag another text, or another spelling of it. The text of another tag of yours is 400. A token limited to " +
        "a folder that takes the text of a tag outside it puts that tag on its files instead, and is answered that tag."
    })),
    HttpApiEndpoint.post("deleteTag", "/delete-tag", {
      payload: Schema.Struct({ tagId: TagId }),
      success: Acknowledgement,
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({ description: "Takes a tag off all its files and deletes it." }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Tags", description: "Words of your own on files." }))
{}
