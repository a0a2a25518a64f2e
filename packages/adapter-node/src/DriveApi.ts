/**
 * The drive's operations as plain async functions, for a host's own code.
 *
 * They do what the routes do, with the same checks. Each rejects with the
 * drive's own error, whose `code` is the one of the contract.
 */
import {
  ActiveAccounts,
  CurrentAccount,
  DatabaseFault,
  Disposal,
  Downloads,
  FileAccess,
  FileDetails,
  type FileInput,
  type FileInsert,
  type FileRecord,
  Forms,
  Inserts,
  Library,
  type StorageUsage,
  Uploads
} from "@filedrive/core"
import { DateTime, Effect, Stream } from "effect"
import { type ArchivesApi, archivesApi } from "./api/Archives.ts"
import { accountId, type Call, limitsOf, performing, refs } from "./api/Call.ts"
import { type FeedApi, feedApi } from "./api/Feed.ts"
import { type ImportApi, importApi } from "./api/Import.ts"
import { type MediaApi, mediaApi } from "./api/Media.ts"
import { type OrganizeApi, organizeApi } from "./api/Organize.ts"
import { type RemoteImportsApi, remoteImportsApi } from "./api/RemoteImports.ts"
import { type SearchApi, searchApi } from "./api/Search.ts"
import { type SharesApi, sharesApi } from "./api/Shares.ts"
import type { DriveServices } from "./DriveLayer.ts"

/** Runs an effect with the drive's services; rejects with what it fails with. */
export type Run = <A, E>(effect: Effect.Effect<A, E, DriveServices>) => Promise<A>

/** What a call made for a user may do, as an API token's limits. Default: everything. */
export interface CallLimits {
  readonly permissions?: ReadonlyArray<CurrentAccount.Permission> | null
  readonly folderId?: string | null
}

export interface SignedPart {
  readonly partNumber: number
  readonly url: string
  /** Bytes the part must have. */
  readonly size: number
}

export interface OpenedUpload {
  readonly token: string
  readonly uploadId: string
  readonly resumed: boolean
  readonly partSize: number
  readonly partCount: number
  readonly parts: ReadonlyArray<{ readonly partNumber: number; readonly size: number }>
  readonly signedParts: ReadonlyArray<SignedPart>
  readonly expiresAt: Date
}

/** The drive as one user sees it. */
export interface UserDrive extends OrganizeApi, SharesApi, RemoteImportsApi, ArchivesApi, MediaApi, FeedApi {
  readonly uploads: {
    /** `/generate-file-urls` */
    readonly createForm: (file: FileInput) => Promise<{
      readonly uploadUrl: string
      readonly uploadForm: Readonly<Record<string, string>>
    }>
    /** `/cancel-file-urls`; whether a form of this key was open. */
    readonly cancelForm: (objectKey: string) => Promise<boolean>
    /** `/insert-file`; answers the file's id. */
    readonly insert: (file: FileInsert) => Promise<string>
    /** `/create-multipart-upload` */
    readonly open: (file: FileInput) => Promise<OpenedUpload>
    /** `/sign-upload-parts` */
    readonly signParts: (
      token: string,
      partNumbers: ReadonlyArray<number>
    ) => Promise<{ readonly parts: ReadonlyArray<SignedPart>; readonly expiresAt: Date }>
    /** `/complete-multipart-upload` */
    readonly complete: (token: string) => Promise<{ readonly objectKey: string; readonly fileSize: number }>
    /** `/abort-multipart-upload` */
    readonly abort: (token: string) => Promise<boolean>
  }
  readonly files: ImportApi & SearchApi & {
    /** `/select-user-files`, one after the other: a library of any size takes little memory. */
    readonly list: () => AsyncIterable<FileRecord>
    /** `/select-trashed-files` */
    readonly listTrash: () => AsyncIterable<FileRecord>
    /** `/generate-download-url` */
    readonly link: (id: string) => Promise<FileRecord>
    /** `/toggle-file-access` */
    readonly toggleAccess: (id: string) => Promise<FileRecord>
    /** `/rename-file` */
    readonly rename: (id: string, fileName: string) => Promise<FileRecord>
    /** `/update-file-description` */
    readonly describe: (id: string, description: string) => Promise<void>
    /** `/trash-files`; answers the ids that are the user's. So do the next two. */
    readonly trash: (ids: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>
    readonly restore: (ids: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>
    readonly delete: (ids: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>
    /** `/purge-trashed-files` */
    readonly purgeTrash: () => Promise<void>
    /** `/get-user-storage-usage` */
    readonly usage: () => Promise<StorageUsage>
  }
}

export interface DriveApi {
  /**
   * The drive as this user, a UUID of the host's. The host vouches for who it is. Of a user who is suspended or unknown
   * every call rejects with `not_allowed`, and feeds end within 5 seconds: to delete such a user's files, do it first.
   */
  readonly as: (userId: string, limits?: CallLimits) => UserDrive
}

const signedPart = ({ partNumber, sizeBytes, url }: { partNumber: number; sizeBytes: number; url: string }) => ({
  partNumber,
  url,
  size: sizeBytes
})

export const makeApi = (run: Run): DriveApi => ({
  as: (userId, limits = {}) => {
    const caller = CurrentAccount.CurrentAccount.of({
      id: accountId(userId),
      tokenId: null,
      limits: limitsOf(limits)
    })
    const call: Call = (effect) =>
      run(
        ActiveAccounts.use(({ check }) => check(caller.id)).pipe(
          Effect.andThen(Effect.provideService(effect, CurrentAccount.CurrentAccount, caller))
        )
      )
    const perform = performing(call)

    async function* list(shelf: "files" | "trash"): AsyncIterable<FileRecord> {
      const pages = await call(Effect.flatMap(Library, (library) => library.list(shelf)))
      for await (const page of Stream.toAsyncIterable(DatabaseFault.toldByStream(pages))) yield* page
    }

    return {
      ...organizeApi(call, perform),
      ...sharesApi(call, perform),
      ...remoteImportsApi(perform),
      ...archivesApi(perform),
      ...mediaApi(perform),
      ...feedApi(call, perform),
      uploads: {
        createForm: async (file) => {
          const { fields, url } = await perform(
            "generateFileUrls",
            file,
            (payload) => Forms.use((forms) => forms.create(payload))
          )
          return { uploadUrl: url, uploadForm: fields }
        },
        insert: async (file) => perform("insertFile", file, (payload) => Inserts.use(({ insert }) => insert(payload))),
        cancelForm: async (objectKey) =>
          perform("cancelFileUrls", { objectKey }, (payload) => Forms.use(({ cancel }) => cancel(payload.objectKey))),
        open: async (file) => {
          const opened = await perform(
            "createMultipartUpload",
            file,
            (payload) => Uploads.use((uploads) => uploads.open(payload))
          )
          return {
            token: opened.token,
            uploadId: opened.id,
            resumed: opened.resumed,
            partSize: opened.plan.partSizeBytes,
            partCount: opened.plan.partCount,
            parts: opened.stored.map(({ partNumber, sizeBytes }) => ({ partNumber, size: sizeBytes })),
            signedParts: opened.signed.map(signedPart),
            expiresAt: DateTime.toDateUtc(opened.expireTime)
          }
        },
        signParts: async (token, partNumbers) => {
          const signed = await perform(
            "signUploadParts",
            { token, partNumbers },
            (payload) => Uploads.use((uploads) => uploads.signParts(payload.token, payload.partNumbers))
          )
          return { parts: signed.parts.map(signedPart), expiresAt: DateTime.toDateUtc(signed.expireTime) }
        },
        complete: async (token) => {
          const { objectKey, sizeBytes } = await perform(
            "completeMultipartUpload",
            { token },
            (payload) => Uploads.use((uploads) => uploads.complete(payload.token))
          )
          return { objectKey, fileSize: sizeBytes }
        },
        abort: async (token) =>
          perform("abortMultipartUpload", { token }, (payload) => Uploads.use(({ abort }) => abort(payload.token)))
      },
      files: {
        ...importApi(call),
        ...searchApi(perform),
        list: () => list("files"),
        listTrash: () => list("trash"),
        link: async (id) =>
          perform("generateDownloadUrl", { id }, (file) => Downloads.use(({ link }) => link(file.id))),
        toggleAccess: async (id) =>
          perform("toggleFileAccess", { id }, (file) => FileAccess.use((access) => access.toggle(file.id))),
        rename: async (fileId, fileName) =>
          perform(
            "renameFile",
            { fileId, fileName },
            (to) => FileDetails.use((details) => details.rename(to.fileId, to.fileName))
          ),
        describe: async (fileId, description) =>
          perform(
            "updateFileDescription",
            { fileId, description },
            (to) => FileDetails.use((details) => details.describe(to.fileId, to.description))
          ),
        trash: async (ids) =>
          perform("trashFiles", refs(ids), (files) => Disposal.use(({ trash }) => trash(files.map(({ id }) => id)))),
        restore: async (ids) =>
          perform(
            "restoreFiles",
            refs(ids),
            (files) => Disposal.use(({ restore }) => restore(files.map(({ id }) => id)))
          ),
        delete: async (ids) =>
          perform(
            "deleteFiles",
            refs(ids),
            (files) => Disposal.use((disposal) => disposal.delete(files.map(({ id }) => id)))
          ),
        purgeTrash: () => call(Effect.flatMap(Disposal, (disposal) => disposal.purge)),
        usage: () => call(Effect.flatMap(Library, (library) => library.usage))
      }
    }
  }
})
