/** Folders, tags, playlists and galleries as one user has them, as plain async functions. */
import {
  Collections,
  type CollectionsOf,
  CurrentAccount,
  type Destination,
  type FilesGo,
  type FolderItem,
  FolderMoves,
  FolderTree,
  ListContents,
  type ListItem,
  type ListKind,
  type ListPage,
  Lists,
  type MovedFiles,
  type PageOf,
  type Tag,
  type TagAction,
  type TagItem,
  Tags
} from "@filedrive/core"
import { Effect, Option } from "effect"
import { type Call, fileId, folderId, listId, tagId } from "./Call.ts"

/** A folder's path, whose missing folders are made, or the id of one; null is the top of the drive. */
export type FolderChoice = { readonly folder: string } | { readonly folderId: string | null }

export interface FileList extends ListItem {
  /** Files that are in it now, in the order asked; those that were there before are neither here nor in `skipped`. */
  readonly added: ReadonlyArray<string>
  /** Files that may not be in it. */
  readonly skipped: ReadonlyArray<string>
}

export interface ReducedFileList extends ListItem {
  readonly removed: ReadonlyArray<string>
}

export interface NewFileList {
  readonly title: string
  readonly description?: string | null
  readonly isPublic?: boolean
  readonly fileIds?: ReadonlyArray<string>
  /** Which of the files go up front, in a gallery. */
  readonly featuredIds?: ReadonlyArray<string>
}

/** Playlists, or galleries: the routes of both do the same. */
export interface FileLists {
  /** `/create-playlist`, `/create-gallery` */
  readonly create: (list: NewFileList) => Promise<FileList>
  /** `/add-to-playlist`, `/add-to-gallery` */
  readonly add: (
    id: string,
    fileIds: ReadonlyArray<string>,
    featuredIds?: ReadonlyArray<string>
  ) => Promise<FileList>
  /** `/reorder-playlist`, `/reorder-gallery`; without `featuredIds` featured files stay as they are. */
  readonly reorder: (
    id: string,
    fileIds: ReadonlyArray<string>,
    featuredIds?: ReadonlyArray<string>
  ) => Promise<ListItem>
  /** `/remove-from-playlist`, `/remove-from-gallery` */
  readonly remove: (id: string, fileIds: ReadonlyArray<string>) => Promise<ReducedFileList>
  /** `/rename-playlist`, `/rename-gallery` */
  readonly rename: (id: string, title: string) => Promise<ListItem>
  /** `/update-gallery-description`; an empty text clears it. */
  readonly describe: (id: string, description: string) => Promise<ListItem>
  /** `/set-playlist-public`, `/set-gallery-public` */
  readonly setPublic: (id: string, isPublic: boolean) => Promise<ReducedFileList>
  /** `/delete-playlist`, `/delete-gallery` */
  readonly delete: (id: string) => Promise<void>
  /** `/select-playlist`, `/select-gallery`: the user's own or a public one. */
  readonly page: (id: string, page?: PageOf) => Promise<ListPage>
}

export interface OrganizeApi {
  /** `/select-collections` */
  readonly collections: () => Promise<CollectionsOf>
  readonly folders: {
    /** `/move-files` by ids */
    readonly moveFiles: (fileIds: ReadonlyArray<string>, to: FolderChoice) => Promise<MovedFiles>
    /** `/move-files` of everything that is in a folder */
    readonly moveFilesFrom: (fromFolderId: string, to: FolderChoice) => Promise<MovedFiles>
    /** `/create-folder` */
    readonly create: (path: string) => Promise<FolderItem>
    /** `/rename-folder` */
    readonly rename: (id: string, name: string) => Promise<FolderItem>
    /** `/move-folder` */
    readonly move: (id: string, to: FolderChoice) => Promise<FolderItem>
    /** `/delete-folder` */
    readonly delete: (
      id: string,
      files: FilesGo
    ) => Promise<{ readonly folders: number; readonly files: number }>
  }
  readonly tags: {
    /** `/tag-files`; adds them unless told otherwise. */
    readonly change: (
      fileIds: ReadonlyArray<string>,
      texts: ReadonlyArray<string>,
      action?: TagAction
    ) => Promise<{ readonly updated: ReadonlyArray<string>; readonly tags: ReadonlyArray<Tag> }>
    /** `/update-file-tags` */
    readonly changeOne: (fileIds: ReadonlyArray<string>, tagId: string, action: TagAction) => Promise<void>
    /** `/rename-tag` */
    readonly rename: (id: string, text: string) => Promise<TagItem>
    /** `/delete-tag` */
    readonly delete: (id: string) => Promise<void>
  }
  readonly playlists: FileLists
  readonly galleries: FileLists
}

const destination = (to: FolderChoice): Destination =>
  "folder" in to
    ? { path: to.folder, field: "folder" }
    : { id: to.folderId === null ? null : folderId(to.folderId) }

const fileLists = (call: Call, kind: ListKind): FileLists => ({
  create: async ({ featuredIds = [], fileIds = [], ...list }) => {
    const made = { ...list, fileIds: fileIds.map(fileId), featuredIds: featuredIds.map(fileId) }
    const { added, list: item, skipped } = await call(Effect.flatMap(Lists, (lists) => lists.create(kind, made)))
    return { ...item, added, skipped }
  },
  add: async (id, fileIds, featuredIds = []) => {
    const { added, list, skipped } = await call(
      Effect.flatMap(
        Lists,
        (lists) => lists.add(kind, listId(id), fileIds.map(fileId), featuredIds.map(fileId))
      )
    )
    return { ...list, added, skipped }
  },
  reorder: async (id, fileIds, featuredIds) =>
    call(
      Effect.flatMap(Lists, (lists) =>
        lists.reorder(kind, listId(id), fileIds.map(fileId), featuredIds?.map(fileId) ?? null))
    ),
  remove: async (id, fileIds) => {
    const { list, removed } = await call(
      Effect.flatMap(Lists, (lists) => lists.remove(kind, listId(id), fileIds.map(fileId)))
    )
    return { ...list, removed }
  },
  rename: async (id, title) => call(Effect.flatMap(Lists, (lists) => lists.rename(kind, listId(id), title))),
  describe: async (id, text) => call(Effect.flatMap(Lists, (lists) => lists.describe(kind, listId(id), text))),
  setPublic: async (id, isPublic) => {
    const { list, removed } = await call(Effect.flatMap(Lists, (lists) => lists.setPublic(kind, listId(id), isPublic)))
    return { ...list, removed }
  },
  delete: async (id) => call(Effect.flatMap(Lists, (lists) => lists.delete(kind, listId(id)))),
  page: async (id, page = {}) =>
    call(
      Effect.gen(function*() {
        const contents = yield* ListContents
        return yield* contents.page(kind, listId(id), page, Option.some(yield* CurrentAccount.CurrentAccount))
      })
    )
})

export const organizeApi = (call: Call): OrganizeApi => ({
  collections: () => call(Effect.flatMap(Collections, (collections) => collections.select)),
  folders: {
    moveFiles: async (ids, to) =>
      call(Effect.flatMap(FolderMoves, (moves) => moves.files(ids.map(fileId), destination(to)))),
    moveFilesFrom: async (from, to) =>
      call(Effect.flatMap(FolderMoves, (moves) => moves.fromFolder(folderId(from), destination(to)))),
    create: (path) => call(Effect.flatMap(FolderTree, (tree) => tree.create(path))),
    rename: async (id, name) => call(Effect.flatMap(FolderTree, (tree) => tree.rename(folderId(id), name))),
    move: async (id, to) =>
      call(
        Effect.flatMap(
          FolderTree,
          (tree) => tree.move(folderId(id), destination(to), "folder" in to ? "folder" : "folderId")
        )
      ),
    delete: async (id, files) => call(Effect.flatMap(FolderTree, (tree) => tree.delete(folderId(id), files)))
  },
  tags: {
    change: async (ids, texts, action = "add") =>
      call(Effect.flatMap(Tags, (tags) => tags.change(ids.map(fileId), texts, action))),
    changeOne: async (ids, id, action) =>
      call(Effect.flatMap(Tags, (tags) => tags.changeOne(ids.map(fileId), tagId(id), action))),
    rename: async (id, text) => call(Effect.flatMap(Tags, (tags) => tags.rename(tagId(id), text))),
    delete: async (id) => call(Effect.flatMap(Tags, (tags) => tags.delete(tagId(id))))
  },
  playlists: fileLists(call, "playlist"),
  galleries: fileLists(call, "gallery")
})
