/** The HTTP contract of folders and of what is in them. Declarations only; no handler code. Spec: "Organize". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { FileId, FolderId } from "../shared/Ids.ts"

const { filesPerOrganizeCall } = Limits

const folder = { id: FolderId, path: Schema.String }

/** `fileCount`: files in view that are in it, not inside other folders of it. */
const FolderItem = Schema.Struct({ ...folder, fileCount: Schema.Int }).annotate({ identifier: "Folder" })

/** What the operations on folders have in common. */
const organizing = { permissions: ["organize"], isRepeatable: true } as const

const { folder: folderExample, parentFolder } = Examples

export class FoldersApi extends HttpApiGroup.make("folders")
  .add(
    HttpApiEndpoint.post("moveFiles", "/move-files", {
      payload: Schema.Struct({
        fileIds: Schema.optionalKey(
          Schema.Array(FileId).check(Schema.isBetweenLength(filesPerOrganizeCall.min, filesPerOrganizeCall.max))
        ),
        fromFolderId: Schema.optionalKey(FolderId),
        folder: Schema.optionalKey(FolderPath.Path),
        folderId: Schema.optionalKey(Schema.NullOr(FolderId))
      }),
      success: Schema.Struct({ moved: Schema.Array(FileId), folder: Schema.NullOr(Schema.Struct(folder)) }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Moves files to a folder. The files are `fileIds`, or with `fromFolderId` every file in that folder (those in trash too, not those " +
        "in folders inside it). The destination is the `folder` path, whose missing folders are made, or `folderId`, null for the top of the " +
        "drive. Send one of each two. `moved` are those of the files that are yours; when none is, or the folder isn't, it is 404. Moving never " +
        "changes who can see a file.",
      effect: "changes",
      tool:
        "Moves files (`fileIds`, or all files of `fromFolderId`) into a folder: `folder` is a path like /Trips/Lisbon, whose missing folders are made, " +
        "or send `folderId` (null: the top of the drive).",
      example: {
        request: { fileIds: [Examples.photoId], folder: folderExample.path },
        answer: { moved: [Examples.photoId], folder: folderExample }
      }
    })),
    HttpApiEndpoint.post("createFolder", "/create-folder", {
      payload: Schema.Struct({ path: FolderPath.Path }),
      success: FolderItem,
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Makes the folder at a path like `/A/B`, with the folders above it that are missing. A folder that exists is returned as it is; names that " +
        "differ only in case are equal. A path begins with `/` and is at most 32 folders deep, of names of 1 to 255 characters.",
      effect: "changes",
      tool:
        "Makes a folder at a path like /Trips/Lisbon, with its missing parents. move_files makes missing folders by itself.",
      example: { request: { path: folderExample.path }, answer: { ...folderExample, fileCount: 0 } }
    })),
    HttpApiEndpoint.post("renameFolder", "/rename-folder", {
      payload: Schema.Struct({ folderId: FolderId, name: FolderPath.FolderName }),
      success: FolderItem,
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Renames a folder, or changes the spelling of its name, where it is; everything in it stays in it. The name of another folder beside it " +
        "is 400 naming `name`. With more than 500 folders inside it, their paths follow a part at a time until the call ends; until then " +
        "each is reached by its former path and by the new one.",
      effect: "changes",
      tool: "Renames a folder where it is. `name` is one name, not a path; to move it use move_folder.",
      example: {
        request: { folderId: folderExample.id, name: "Lisboa" },
        answer: { id: folderExample.id, path: "/Trips/Lisboa", fileCount: 1 }
      }
    })),
    HttpApiEndpoint.post("moveFolder", "/move-folder", {
      payload: Schema.Struct({
        folderId: FolderId,
        parentId: Schema.optionalKey(Schema.NullOr(FolderId)),
        folder: Schema.optionalKey(FolderPath.Path)
      }),
      success: FolderItem,
      error: ApiError.NotFound
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Moves a folder, with everything in it, into another: the one of `parentId` (null for the top of the " +
        "drive) or the one at the `folder` path, whose missing folders are made. Send one of the two. A folder can't be moved into itself, beside a " +
        "folder of its name, or where something in it would be more than 32 folders deep. With more than 500 folders inside, their paths follow as " +
        "of `/rename-folder`.",
      effect: "changes",
      tool:
        "Moves a folder with everything in it into another folder: `parentId` (null: the top of the drive), or `folder`, the path of the folder it is " +
        "to be in.",
      example: {
        request: { folderId: folderExample.id, parentId: parentFolder.id },
        answer: { ...folderExample, fileCount: 1 }
      }
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
    }).annotateMerge(operation({
      ...organizing,
      description:
        "Deletes a folder and those inside it, with the API tokens that are limited to one of them. No file is deleted: `files` says where they are " +
        "moved: `parent` to the folder above, or `trash`, from which they are restored to the folder above. With `trash` a limited token " +
        "needs the permission `delete` as well. A folder that is deleted already is 404.",
      effect: "deletes",
      needsConsent: "remove",
      tool:
        "Deletes a folder and the folders inside it; this can't be undone. Its files are kept: `files` is \"parent\" to put them in the folder above, or " +
        "\"trash\" to put them in trash.",
      example: { request: { folderId: folderExample.id, files: "parent" }, answer: { folders: 1, files: 1 } }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Folders", description: "Where files sit." }))
{}
