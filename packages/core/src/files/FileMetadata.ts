/** The metadata status of files: pending, extracted, or failed. */
import { Context, Effect, Layer, Option } from "effect"
import { unlimited } from "../accounts/CurrentAccount.ts"
import type { FactValues } from "../facts/MediaFact.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { FilesRepo } from "./FilesRepo.ts"
import { MediaFacts } from "./MediaFacts.ts"
import * as MetadataJob from "./MetadataJob.ts"
import { PublicHeaders } from "./PublicHeaders.ts"
import type { StoredFile } from "./StoredFile.ts"

/** The result of extracting a file's metadata. */
export interface ExtractionResult {
  readonly status: "done" | "failed"
  /** A media type that says more than the one the file was recorded with, or null. The file's type follows. */
  readonly mimeType: string | null
  /** The facts found; null: the file could not be read. */
  readonly media: FactValues | null
}

export class FileMetadata extends Context.Service<FileMetadata, {
  /** The account's file, in trash or not, while its extraction is pending. */
  readonly pending: (accountId: AccountId, id: FileId) => Effect.Effect<Option.Option<StoredFile>>

  /**
   * Records the result of a file's extraction; its type, the search and the headers of a public object follow. False, and nothing
   * is changed, when no extraction of the file is pending any longer.
   *
   * Only inside `AccountTransaction.run`.
   */
  readonly settle: (file: StoredFile, result: ExtractionResult) => Effect.Effect<boolean>

  /**
   * Queues files of the account for re-extraction; their present facts stay until
   * then. Returns how many were queued: others' files, and kinds without metadata, are skipped.
   *
   * Only inside `AccountTransaction.run`.
   */
  readonly request: (accountId: AccountId, ids: ReadonlyArray<FileId>) => Effect.Effect<number>
}>()("@filedrive/core/files/FileMetadata") {
  static readonly layerNoDeps = Layer.effect(
    FileMetadata,
    Effect.gen(function*() {
      const repo = yield* FilesRepo
      const facts = yield* MediaFacts
      const headers = yield* PublicHeaders
      const extractions = yield* MetadataJob.metadataJob.queue

      const pending = (accountId: AccountId, id: FileId) =>
        Effect.map(
          repo.find(accountId, unlimited, id),
          Option.filter(({ metadataStatus }) => metadataStatus === "pending")
        )

      const settle = Effect.fn("FileMetadata.settle")(function*(file: StoredFile, result: ExtractionResult) {
        const kind = MetadataJob.finerKind(file, result.mimeType)
        const settled = yield* repo.settleMetadata(file, { ...kind, status: result.status })
        if (Option.isNone(settled)) return false
        if (result.media !== null) {
          yield* facts.replace(file.accountId, [{ ...result.media, fileId: file.id }])
        }
        const { isPublic, storeKey } = settled.value
        if (isPublic && kind.mimeType !== file.mimeType) yield* headers.enqueue(storeKey)
        return true
      })

      const request = Effect.fn("FileMetadata.request")(function*(accountId: AccountId, ids: ReadonlyArray<FileId>) {
        const asked = yield* repo.requestMetadata(accountId, ids)
        yield* extractions.enqueueAll(asked.map((id) => ({ accountId, fileId: id })))
        return asked.length
      })

      return FileMetadata.of({ pending, settle, request })
    })
  )
}
