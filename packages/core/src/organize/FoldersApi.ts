/** The HTTP contract of folders and of what is in them. Declarations only; no handler code. Spec: "Organize". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { FileId, FolderId } from "../shared/Ids.ts"

const { filesPerOrganizeCall } = Limits

const folder = { id: FolderId, path: Schema.String }

/** `fileCount`: files in view that are in it, not inside other folders of it. */
const FolderItem = Schema.Struct({ ...folder, fileCount: Schema.Int }).annotate({ identifier: "Folder" })

export class FoldersApi extends HttpApiGroup.make("folders")
  .add(
    HttpApiEndpoint.post("moveFiles", "/move-files", {
      payload: Schema.Struct({
        fileIds: Schema.optionalKey(
          Schema.Array(FileId).check(Schema.isBetweenLength(filesPerOrganizeCall.min, filesPerOrganizeCall.max))
        ),
        fromFolderId: Schema.optionalKey(FolderId),
        folder: Schema.optionalKey(Schema.String),
        folderId: Schema.optionalKey(Schema.NullOr(FolderId))
      }),
      success: Schema.Struct({ moved: Schema.Array(FileId), folder: Schema.NullOr(Schema.Struct(folder)) }),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description:
        "Moves files: `fileIds`, or every file that is in `fromFolderId` (in trash too, but not in folders " +
        "inside it); to the `folder` path, whose missing folders are made, or to `folderId`, null for the top of the " +
        "drive. One of each two. Moving never changes who can see a file."
    })),
    HttpApiEndpoint.post("createFolder", "/create-folder", {
      payload: Schema.Struct({ path: Schema.String }),
      success: FolderItem,
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description:
        "Makes the folder at a path like `/A/B`, with its missing parents. One that is there is answered as it is."
    })),
    HttpApiEndpoint.post("renameFolder", "/rename-folder", {
      payload: Schema.Struct({ folderId: FolderId, name: Schema.String }),
      success: FolderItem,
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description:
        "Gives a folder another name, or another spelling of it. A name that another folder there has is 400. " +
        "Of more than 500 folders inside it, the paths follow some at a time until the call ends; each is found by both."
    })),
    HttpApiEndpoint.post("moveFolder", "/move-folder", {
      payload: Schema.Struct({
        folderId: FolderId,
        parentId: Schema.optionalKey(Schema.NullOr(FolderId)),
        folder: Schema.optionalKey(Schema.String)
      }),
      success: FolderItem,
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description:
        "Puts a folder, with all that is in it, into another: the one of `parentId` (null for the top of the " +
        "drive) or the one at the `folder` path, whose missing folders are made. Not into itself, not below 32 deep. " +
        "More than 500 folders follow as with `/rename-folder`."
    })),
    HttpApiEndpoint.post("deleteFolder", "/delete-folder", {
      payload: Schema.Struct({ folderId: FolderId, files: Schema.Literals(["parent", "trash"]) }),
      success: Schema.Struct({
        /** Folders that were deleted: this one and those inside it. */
        folders: Schema.Int,
        /** Files that were in them, those in trash too. */
        files: Schema.Int
      }),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description:
        "Deletes a folder and those inside it, and API tokens that are limited to one of them. Its files go " +
        "to the folder above it (`parent`), or to trash, from where they are restored to there (`trash`)."
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Folders", description: "Where files sit." }))
{}
