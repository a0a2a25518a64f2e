/**
 * What an app that embeds the core passes to its services, checked as the routes check their bodies: each argument by the
 * payload that the operation's route declares, so that no limit stands anywhere twice. Services that do so themselves
 * (uploads, inserts, details of files, users and tokens) are not listed.
 */
import { type Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { ApiTokens } from "../accounts/ApiTokens.ts"
import { Archives } from "../archives/Archives.ts"
import { Events } from "../events/Events.ts"
import { Downloads } from "../files/Downloads.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { Trash } from "../files/Trash.ts"
import { Imports } from "../imports/Imports.ts"
import { Library } from "../library/Library.ts"
import { Covers } from "../media/Covers.ts"
import { Extraction } from "../media/Extraction.ts"
import { Reading } from "../media/Reading.ts"
import { Soundprints } from "../media/Soundprints.ts"
import { FolderMoves } from "../organize/FolderMoves.ts"
import { FolderTree } from "../organize/FolderTree.ts"
import type { ListKind } from "../organize/List.ts"
import { ListContents } from "../organize/ListContents.ts"
import { Lists } from "../organize/Lists.ts"
import { Tags } from "../organize/Tags.ts"
import { Search } from "../search/Search.ts"
import { InvalidField } from "../shared/DriveError.ts"
import * as Given from "../shared/Given.ts"
import { Text } from "../shared/Text.ts"
import { Shares } from "../shares/Shares.ts"
import { Forms } from "../uploads/Forms.ts"
import { Uploads } from "../uploads/Uploads.ts"
import { Views } from "../views/Views.ts"
import * as Arguments from "./Arguments.ts"

/** By what arguments are checked: the payload of an operation, or a schema where it says nothing of them. */
type Check = readonly [
  by: Arguments.Operation | Schema.Codec<unknown, unknown>,
  given: unknown,
  ...others: ReadonlyArray<Other>
]

/** An argument that no route has, as it is a value of Effect's. */
interface Other {
  readonly field: string
  readonly isGood: boolean
  readonly because: string
}

// oxlint-disable-next-line no-explicit-any
type Method = (...args: any) => Effect.Effect<unknown, unknown, unknown>

/**
 * For methods of a service: their arguments as the payload of an operation. Whatever is passed, it only looks. Only methods
 * that say they fail with `InvalidField` can be checked.
 */
type Checks<Shape> = {
  readonly [Name in keyof Shape]?: Shape[Name] extends
    (...args: infer Args) => Effect.Effect<infer _A, infer E, infer _R>
    ? InvalidField extends E ? (...args: Args) => Check : never
    : never
}

/** The service with those methods checked: they fail with `InvalidField` naming the first field that is wrong. */
const checked = <Id, Shape extends object>(service: Context.Key<Id, Shape>, checks: Checks<Shape>) =>
  Layer.effect(
    service,
    Effect.map(service, (unchecked) => {
      const methods = Object.entries(checks as Readonly<Record<string, (...args: ReadonlyArray<unknown>) => Check>>)
      const wrapped = methods.map(([name, check]) => {
        const method = unchecked[name as keyof Shape] as Method
        const call = (...args: ReadonlyArray<unknown>) =>
          Effect.suspend(() => {
            const [by, given, ...others] = check(...args)
            const bad = others.find(({ isGood }) => !isGood)
            return Effect.andThen(
              typeof by === "string" ? Arguments.check(by, given) : Effect.asVoid(Given.checking(by)(given)),
              bad === undefined
                ? Effect.void
                : new InvalidField({ code: "invalid_field", field: bad.field, because: bad.because })
            )
          }).pipe(Effect.andThen(Effect.suspend(() => method(...args))))
        return [name, call]
      })
      return { ...unchecked, ...Object.fromEntries(wrapped) } as Shape
    })
  )

/** An argument that must be there, where the field of the route may be left out. */
const needed = <A>(given: A): A | null => given === undefined ? null : given

/** A destination as routes have it: the path `folder`, or an id. */
const into = (to: unknown, idField: string) => {
  const { id, path } = (to ?? {}) as { readonly id?: unknown; readonly path?: unknown }
  // Both, where both are there: the routes that take only one of them say so.
  return {
    ...path !== undefined && { folder: path },
    // Neither is refused as an id that is none.
    ...(path === undefined || id !== undefined) && { [idField]: id === undefined ? "" : id }
  }
}

const fields = (given: unknown): object => typeof given === "object" && given !== null ? given : {}

/** A list of files' ids as the routes have it that take nothing else. */
const refs = (ids: unknown) => Array.isArray(ids) ? ids.map((id) => ({ id })) : ids

const follower = (heartbeat: unknown, until: unknown): ReadonlyArray<Other> => [
  {
    field: "heartbeat",
    isGood: heartbeat === undefined || (Duration.isDuration(heartbeat) && Duration.isPositive(heartbeat)),
    because: "must be a Duration above zero"
  },
  { field: "until", isGood: until === undefined || Effect.isEffect(until), because: "must be an Effect" }
]

const Kind = Schema.Struct({ kind: Schema.Literals(["playlist", "gallery"]) })

/** An operation on a list, by what it is called for playlists and for galleries. */
const list = (
  kind: ListKind,
  [playlists, galleries]: readonly [Arguments.Operation, Arguments.Operation],
  id: unknown,
  payload: object
): Check =>
  kind === "playlist"
    ? [playlists, { ...payload, playlistId: id }]
    : kind === "gallery"
    ? [galleries, { ...payload, galleryId: id }]
    : [Kind, { kind }]

/** What only galleries have is checked as theirs, whatever the kind. */
const featured = (kind: ListKind, featuredIds: unknown): ListKind =>
  kind === "playlist" && featuredIds !== undefined && featuredIds !== null ? "gallery" : kind

const files = Layer.mergeAll(
  checked(Trash, {
    put: (ids) => ["trashFiles", refs(ids)],
    restore: (ids) => ["restoreFiles", refs(ids)],
    delete: (ids) => ["deleteFiles", refs(ids)]
  }),
  checked(Downloads, {
    link: (id) => ["generateDownloadUrl", { id }],
    publicLink: (id, caller) => [
      Schema.Struct({ id: Schema.String.check(Schema.isUUID()), address: Text, userAgent: Schema.String }),
      { ...fields(caller), id }
    ]
  }),
  checked(FileAccess, { toggle: (id) => ["toggleFileAccess", { id }] }),
  checked(Forms, { cancel: (objectKey) => ["cancelFileUrls", { objectKey }] }),
  checked(Uploads, {
    signParts: (token, partNumbers) => ["signUploadParts", { token, partNumbers }],
    complete: (token) => ["completeMultipartUpload", { token }],
    abort: (token) => ["abortMultipartUpload", { token }]
  }),
  checked(Imports, {
    start: (request) => {
      const { to, ...link } = fields(request) as { readonly to?: unknown }
      return ["importFromUrl", { ...link, ...to !== undefined && into(to, "folderId") }]
    },
    select: (ids) => ["selectImports", { ids }]
  }),
  checked(Archives, {
    create: (request) => ["createArchiveRequest", request],
    select: (ids) => ["selectArchives", { ids }],
    delete: (id) => ["deleteArchive", { id }]
  }),
  checked(ApiTokens, { revoke: (id) => ["revokeApiToken", { id }] })
)

const organizing = Layer.mergeAll(
  checked(FolderMoves, {
    files: (fileIds, to) => ["moveFiles", { fileIds: needed(fileIds), ...into(to, "folderId") }],
    fromFolder: (fromFolderId, to) => ["moveFiles", { fromFolderId: needed(fromFolderId), ...into(to, "folderId") }]
  }),
  checked(FolderTree, {
    create: (path) => ["createFolder", { path }],
    rename: (folderId, name) => ["renameFolder", { folderId, name }],
    move: (folderId, to) => ["moveFolder", { folderId, ...into(to, "parentId") }],
    delete: (folderId, files) => ["deleteFolder", { folderId, files }]
  }),
  checked(Tags, {
    change: (fileIds, tags, action) => ["tagFiles", { fileIds, tags, action: needed(action) }],
    changeOne: (fileIds, tagId, action) => ["updateFileTags", { fileIds, tagId, action }],
    rename: (tagId, text) => ["renameTag", { tagId, text }],
    delete: (tagId) => ["deleteTag", { tagId }]
  }),
  checked(Lists, {
    create: (kind, made) =>
      list(
        featured(kind, made?.featuredIds ?? made?.description),
        ["createPlaylist", "createGallery"],
        undefined,
        fields(made)
      ),
    add: (kind, id, fileIds, featuredIds) =>
      list(featured(kind, featuredIds), ["addToPlaylist", "addToGallery"], id, { fileIds, featuredIds }),
    reorder: (kind, id, fileIds, featuredIds) =>
      list(featured(kind, featuredIds), ["reorderPlaylist", "reorderGallery"], id, {
        fileIds,
        featuredIds: featuredIds ?? undefined
      }),
    remove: (kind, id, fileIds) => list(kind, ["removeFromPlaylist", "removeFromGallery"], id, { fileIds }),
    rename: (kind, id, title) => list(kind, ["renamePlaylist", "renameGallery"], id, { title }),
    describe: (kind, id, description) =>
      list(featured(kind, true), ["updateGalleryDescription", "updateGalleryDescription"], id, { description }),
    setPublic: (kind, id, isPublic) => list(kind, ["setPlaylistPublic", "setGalleryPublic"], id, { isPublic }),
    setCover: (playlistId, imageId) => ["setCover", { playlistId: needed(playlistId), imageId }],
    delete: (kind, id) => list(kind, ["deletePlaylist", "deleteGallery"], id, {})
  }),
  checked(ListContents, {
    page: (kind, id, page, reader) => [
      ...list(kind, ["selectPlaylist", "selectGallery"], id, fields(page)),
      { field: "reader", isGood: Option.isOption(reader), because: "must be an Option" }
    ]
  }),
  checked(Shares, {
    share: (fileIds, userIds) => ["shareFiles", { fileIds, userIds }],
    unshare: (fileIds, userIds) => ["unshareFiles", { fileIds, userIds }],
    select: (fileIds) => ["selectShares", { fileIds }],
    sharedWithMe: (page) => ["selectSharedFiles", page]
  })
)

const finding = Layer.mergeAll(
  checked(Library, { list: (scope) => [Schema.Struct({ scope: Schema.Literals(["files", "trash"]) }), { scope }] }),
  checked(Search, { search: (query) => ["searchFiles", query] }),
  checked(Views, { select: (query) => ["selectFileViews", query] }),
  checked(Events, {
    select: (query) => ["selectDriveEvents", query],
    follow: (query, heartbeat, until) => ["selectDriveEvents", query, ...follower(heartbeat, until)]
  }),
  checked(Reading, { read: (request) => ["readFile", request] }),
  checked(Covers, {
    set: (cover) => ["setCover", cover],
    setVideoThumbnail: (thumbnail) => ["setVideoThumbnail", thumbnail]
  }),
  checked(Extraction, { request: (fileIds) => ["restoreFiles", refs(fileIds)] }),
  checked(Soundprints, { similar: (fileId, limit) => ["selectSimilarTracks", { fileId, limit }] })
)

/** Each service over itself: provided with the services as their features make them, it gives them checked. */
export const layer = Layer.mergeAll(files, organizing, finding)
