/** Binds {@link FoldersApi} to {@link FolderMoves} and {@link FolderTree}. */
import { Effect } from "effect"
import { fromDriveError } from "../http/ApiError.ts"
import * as Handlers from "../http/Handlers.ts"
import { oneOf } from "./Choice.ts"
import { FolderMoves } from "./FolderMoves.ts"
import { FoldersApi } from "./FoldersApi.ts"
import { FolderTree } from "./FolderTree.ts"

export const FoldersHandlers = Handlers.group(
  FoldersApi,
  Effect.gen(function*() {
    const moves = yield* FolderMoves
    const tree = yield* FolderTree

    return {
      moveFiles: ({ payload }) =>
        Effect.gen(function*() {
          yield* oneOf(payload, "fileIds", "fromFolderId")
          yield* oneOf(payload, "folder", "folderId")
          const { fileIds, folder, folderId = null, fromFolderId } = payload
          const to = folder === undefined ? { id: folderId } : { path: folder, field: "folder" }
          return fromFolderId === undefined
            ? yield* moves.files(fileIds ?? [], to)
            : yield* moves.fromFolder(fromFolderId, to)
        }).pipe(Effect.mapError(fromDriveError)),
      createFolder: ({ payload: { path } }) => Effect.mapError(tree.create(path), fromDriveError),
      renameFolder: ({ payload: { folderId, name } }) => Effect.mapError(tree.rename(folderId, name), fromDriveError),
      moveFolder: ({ payload }) =>
        Effect.gen(function*() {
          const field = yield* oneOf(payload, "parentId", "folder")
          const { folder, folderId, parentId = null } = payload
          return yield* tree.move(folderId, folder === undefined ? { id: parentId } : { path: folder, field }, field)
        }).pipe(Effect.mapError(fromDriveError)),
      deleteFolder: ({ payload: { files, folderId } }) => Effect.mapError(tree.delete(folderId, files), fromDriveError)
    }
  })
)
