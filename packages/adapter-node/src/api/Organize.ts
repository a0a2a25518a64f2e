/** Folders, tags, playlists and galleries as one user has them, as plain async functions. */
import {
  type Additions,
  Choice,
  Collections,
  type CollectionsOf,
  CurrentAccount,
  type Destination,
  type FilesGo,
  type FolderItem,
  FolderMoves,
  FolderTree,
  type Ids,
  ListContents,
  type ListItem,
  type ListKind,
  type ListPage,
  Lists,
  type MovedFiles,
  type PageOf,
  type Removals,
  type Tag,
  type TagAction,
  type TagItem,
  Tags
} from "@filedrive/core"
import { Effect, Option } from "effect"
import type { Call, Perform } from "./Call.ts"

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

type To = { readonly id: Ids.FolderId | null | undefined } | { readonly path: string }

const destination = (to: To): Destination => "path" in to ? { path: to.path, field: "folder" } : { id: to.id ?? null }

/** The folder that `/move-files` or `/move-folder` takes things to. */
const moveTo = ({ folder, folderId }: { readonly folder?: string; readonly folderId?: Ids.FolderId | null }) =>
  Effect.as(
    Choice.oneOf({ folder, folderId }, "folder", "folderId"),
    destination(folder === undefined ? { id: folderId } : { path: folder })
  )

const playlists = (perform: Perform): FileLists => ({
  create: async (list) =>
    perform("createPlaylist", list, (made) => withAdditions(Lists.use((lists) => lists.create("playlist", made)))),
  add: async (playlistId, fileIds) =>
    perform(
      "addToPlaylist",
      { playlistId, fileIds },
      (to) => withAdditions(Lists.use((lists) => lists.add("playlist", to.playlistId, to.fileIds)))
    ),
  reorder: async (playlistId, fileIds) =>
    perform(
      "reorderPlaylist",
      { playlistId, fileIds },
      (to) => Lists.use((lists) => lists.reorder("playlist", to.playlistId, to.fileIds, null))
    ),
  remove: async (playlistId, fileIds) =>
    perform(
      "removeFromPlaylist",
      { playlistId, fileIds },
      (from) => withRemovals(Lists.use((lists) => lists.remove("playlist", from.playlistId, from.fileIds)))
    ),
  rename: async (playlistId, title) =>
    perform(
      "renamePlaylist",
      { playlistId, title },
      (to) => Lists.use((lists) => lists.rename("playlist", to.playlistId, to.title))
    ),
  // Playlists have no such route: the field is named as a gallery's.
  describe: async (galleryId, description) =>
    perform(
      "updateGalleryDescription",
      { galleryId, description },
      (to) => Lists.use((lists) => lists.describe("playlist", to.galleryId, to.description))
    ),
  setPublic: async (playlistId, isPublic) =>
    perform(
      "setPlaylistPublic",
      { playlistId, isPublic },
      (to) => withRemovals(Lists.use((lists) => lists.setPublic("playlist", to.playlistId, to.isPublic)))
    ),
  delete: async (playlistId) =>
    perform("deletePlaylist", { playlistId }, (at) => Lists.use((lists) => lists.delete("playlist", at.playlistId))),
  page: async (id, page = {}) =>
    perform(
      "selectPlaylist",
      { ...page, playlistId: id },
      ({ playlistId, ...at }) => contents("playlist", playlistId, at)
    )
})

const galleries = (perform: Perform): FileLists => ({
  create: async (list) =>
    perform("createGallery", list, (made) => withAdditions(Lists.use((lists) => lists.create("gallery", made)))),
  add: async (galleryId, fileIds, featuredIds) =>
    perform(
      "addToGallery",
      { galleryId, fileIds, featuredIds },
      (to) => withAdditions(Lists.use((lists) => lists.add("gallery", to.galleryId, to.fileIds, to.featuredIds)))
    ),
  reorder: async (galleryId, fileIds, featuredIds) =>
    perform(
      "reorderGallery",
      { galleryId, fileIds, featuredIds },
      (to) => Lists.use((lists) => lists.reorder("gallery", to.galleryId, to.fileIds, to.featuredIds ?? null))
    ),
  remove: async (galleryId, fileIds) =>
    perform(
      "removeFromGallery",
      { galleryId, fileIds },
      (from) => withRemovals(Lists.use((lists) => lists.remove("gallery", from.galleryId, from.fileIds)))
    ),
  rename: async (galleryId, title) =>
    perform(
      "renameGallery",
      { galleryId, title },
      (to) => Lists.use((lists) => lists.rename("gallery", to.galleryId, to.title))
    ),
  describe: async (galleryId, description) =>
    perform(
      "updateGalleryDescription",
      { galleryId, description },
      (to) => Lists.use((lists) => lists.describe("gallery", to.galleryId, to.description))
    ),
  setPublic: async (galleryId, isPublic) =>
    perform(
      "setGalleryPublic",
      { galleryId, isPublic },
      (to) => withRemovals(Lists.use((lists) => lists.setPublic("gallery", to.galleryId, to.isPublic)))
    ),
  delete: async (galleryId) =>
    perform("deleteGallery", { galleryId }, (at) => Lists.use((lists) => lists.delete("gallery", at.galleryId))),
  page: async (id, page = {}) =>
    perform("selectGallery", { ...page, galleryId: id }, ({ galleryId, ...at }) => contents("gallery", galleryId, at))
})

const withAdditions = <E, R>(made: Effect.Effect<Additions, E, R>) =>
  Effect.map(made, ({ added, list, skipped }): FileList => ({ ...list, added, skipped }))

const withRemovals = <E, R>(made: Effect.Effect<Removals, E, R>) =>
  Effect.map(made, ({ list, removed }): ReducedFileList => ({ ...list, removed }))

const contents = (kind: ListKind, id: Ids.ListId, page: PageOf) =>
  Effect.gen(function*() {
    const lists = yield* ListContents
    return yield* lists.page(kind, id, page, Option.some(yield* CurrentAccount.CurrentAccount))
  })

/** As `/move-folder` names it; what names no folder is left for the check to refuse. */
const intoFolder = (to: FolderChoice) => {
  const { folder, folderId } = (to ?? {}) as { readonly folder?: string; readonly folderId?: string | null }
  return folder === undefined ? { parentId: folderId } : { folder }
}

export const organizeApi = (call: Call, perform: Perform): OrganizeApi => ({
  collections: () => call(Effect.flatMap(Collections, (collections) => collections.select)),
  folders: {
    moveFiles: async (fileIds, to) =>
      perform(
        "moveFiles",
        { ...to, fileIds },
        (payload) =>
          Effect.flatMap(
            moveTo(payload),
            (at) => FolderMoves.use((moves) => moves.files(payload.fileIds ?? [], at))
          )
      ),
    moveFilesFrom: async (fromFolderId, to) =>
      perform("moveFiles", { ...to, fromFolderId }, (payload) =>
        Effect.gen(function*() {
          yield* Choice.oneOf(payload, "fileIds", "fromFolderId")
          const at = yield* moveTo(payload)
          return yield* (yield* FolderMoves).fromFolder(payload.fromFolderId!, at)
        })),
    create: async (path) => perform("createFolder", { path }, (to) => FolderTree.use((tree) => tree.create(to.path))),
    rename: async (folderId, name) =>
      perform("renameFolder", { folderId, name }, (to) => FolderTree.use((tree) => tree.rename(to.folderId, to.name))),
    move: async (folderId, to) =>
      perform(
        "moveFolder",
        { folderId, ...intoFolder(to) },
        (payload) =>
          Effect.gen(function*() {
            const { folder, parentId } = payload
            const field = yield* Choice.oneOf(payload, "parentId", "folder")
            const at = destination(folder === undefined ? { id: parentId } : { path: folder })
            return yield* (yield* FolderTree).move(payload.folderId, at, field)
          })
      ),
    delete: async (folderId, files) =>
      perform("deleteFolder", { folderId, files }, (at) => FolderTree.use((tree) => tree.delete(at.folderId, at.files)))
  },
  tags: {
    change: async (fileIds, tags, action) =>
      perform(
        "tagFiles",
        { fileIds, tags, action },
        (payload) => Tags.use((service) => service.change(payload.fileIds, payload.tags, payload.action ?? "add"))
      ),
    changeOne: async (fileIds, tagId, action) =>
      perform(
        "updateFileTags",
        { fileIds, tagId, action },
        (payload) => Tags.use((tags) => tags.changeOne(payload.fileIds, payload.tagId, payload.action))
      ),
    rename: async (tagId, text) =>
      perform("renameTag", { tagId, text }, (to) => Tags.use((tags) => tags.rename(to.tagId, to.text))),
    delete: async (tagId) => perform("deleteTag", { tagId }, (at) => Tags.use((tags) => tags.delete(at.tagId)))
  },
  playlists: playlists(perform),
  galleries: galleries(perform)
})
