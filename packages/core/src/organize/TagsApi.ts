/** The HTTP contract of tags. Declarations only; no handler code. Spec: "Metadata", "Organize". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Acknowledgement } from "../http/Acknowledgement.ts"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { FileId, TagId } from "../shared/Ids.ts"
import { TagText } from "./Tag.ts"

const { filesPerOrganizeCall, tagsPerCall } = Limits

const FileIds = Schema.Array(FileId).check(Schema.isBetweenLength(filesPerOrganizeCall.min, filesPerOrganizeCall.max))

const action = Schema.Literals(["add", "remove"])

/** What the operations on tags have in common. */
const organizing = { permissions: ["organize"], isRepeatable: true } as const

export class TagsApi extends HttpApiGroup.make("tags")
  .add(
    HttpApiEndpoint.post("tagFiles", "/tag-files", {
      payload: Schema.Struct({
        fileIds: FileIds,
        tags: Schema.Array(TagText).check(Schema.isBetweenLength(tagsPerCall.min, tagsPerCall.max)),
        action: Schema.optionalKey(action)
      }),
      success: Schema.Struct({
        updated: Schema.Array(FileId),
        tags: Schema.Array(Schema.Struct({ id: TagId, text: Schema.String }))
      }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Adds 1 to 20 tags to 1 to 500 files (`action` `add`, the default) or removes them (`remove`). Adding makes the tags that don't " +
        "exist. Two spellings that differ only in case are one tag, kept as first written. A tag has 1 to 100 characters; blanks at " +
        "its ends are left out. A file has at most 100 tags: a call that would leave one with more is 400 and changes nothing. `updated` are " +
        "those of the files that are yours, `tags` those of the tags that exist; a token limited to a folder does not get tags " +
        "outside it. When none of the files is yours it is 404.",
      effect: "changes",
      tool:
        "Adds tags to files by their texts, and makes new tags, or removes them with `action` \"remove\". Upper and lower case make no " +
        "difference.",
      example: {
        request: { fileIds: [Examples.photoId], tags: [Examples.tag.text] },
        answer: { updated: [Examples.photoId], tags: [Examples.tag] }
      }
    })),
    HttpApiEndpoint.post("updateFileTags", "/update-file-tags", {
      payload: Schema.Struct({ fileIds: FileIds, tagId: TagId, action }),
      success: Acknowledgement,
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Adds one of your tags, by its id, to 1 to 500 files (`action` `add`) or removes it (`remove`). Files that are not yours are left " +
        "out. When the tag is not yours, or none of the files is, it is 404; for a token that is limited to a folder, a tag that no file there " +
        "has is none.",
      effect: "changes",
      tool: "Adds an existing tag, by its id, to files or removes it. tag_files does the same by the tag's text.",
      example: { request: { fileIds: [Examples.photoId], tagId: Examples.tag.id, action: "add" }, answer: {} }
    })),
    HttpApiEndpoint.post("renameTag", "/rename-tag", {
      payload: Schema.Struct({ tagId: TagId, text: TagText }),
      success: Schema.Struct({ id: TagId, text: Schema.String, fileCount: Schema.Int }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Renames a tag, or changes its spelling; its files keep it. The text of another tag of yours is 400 naming " +
        "`text`. A token that is limited to a folder may not rename a tag that is also on files outside it (403 `token_limit`), and one that no " +
        "file there has is 404; when it " +
        "takes the text of a tag outside it, that tag is put on its files instead and is the answer.",
      effect: "changes",
      tool: "Renames a tag on all its files. The new text must not be that of another tag.",
      example: {
        request: { tagId: Examples.tag.id, text: "Summer 2026" },
        answer: { id: Examples.tag.id, text: "Summer 2026", fileCount: 1 }
      }
    })),
    HttpApiEndpoint.post("deleteTag", "/delete-tag", {
      payload: Schema.Struct({ tagId: TagId }),
      success: Acknowledgement,
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Removes a tag from all its files and deletes it; the files stay. One that is deleted already is 404. A token that is limited to a folder " +
        "may not delete a tag that is also on files outside it (403 `token_limit`), and one that no file there has is 404.",
      effect: "deletes",
      needsConsent: "remove",
      tool:
        "Deletes a tag and removes it from every file; the files stay. This can't be undone: which files carried it is lost.",
      example: { request: { tagId: Examples.tag.id }, answer: {} }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Tags", description: "Words of your own on files." }))
{}
