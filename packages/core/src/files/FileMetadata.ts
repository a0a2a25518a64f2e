/** How far the drive is with what is inside each file: asked for, found, or not to be read. */
import { Context, Effect, Layer, Option } from "effect"
import { unlimited } from "../accounts/CurrentAccount.ts"
import type { FactValues } from "../facts/MediaFact.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { FilesRepo } from "./FilesRepo.ts"
import { MediaFacts } from "./MediaFacts.ts"
import * as MetadataJob from "./MetadataJob.ts"
import { PublicHeaders } from "./PublicHeaders.ts"
import type { StoredFile } from "./StoredFile.ts"

/** What looking into a file came to. */
export interface ProbeResult {
  readonly status: "done" | "failed"
  /** A media type that says more than the one the file was recorded with, or null. The file's type follows. */
  readonly mimeType: string | null
  /** What was found; null: nothing could be read. */
  readonly media: FactValues | null
}

export class FileMetadata extends Context.Service<FileMetadata, {
  /** The account's file, in trash or not, while it is still to be looked into. */
  readonly pending: (accountId: AccountId, id: FileId) => Effect.Effect<Option.Option<StoredFile>>

  /**
   * Says what was found in a file; its type and search follow, and what a public object is served with. False, and nothing
   * is changed, when the file is no longer to be looked into.
   *
   * Only inside `AccountTransaction.run`.
   */
  readonly settle: (file: StoredFile, findings: ProbeResult) => Effect.Effect<boolean>

  /**
   * Has files of the account looked into again, of whatever drive's version they are; what is known of them stays until
   * then. Answers how many that were: others' files, and kinds there is nothing to find in, are left alone.
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

      const settle = Effect.fn("FileMetadata.settle")(function*(file: StoredFile, findings: ProbeResult) {
        const kind = MetadataJob.finerKind(file, findings.mimeType)
        const settled = yield* repo.settleMetadata(file, { ...kind, status: findings.status })
        if (Option.isNone(settled)) return false
        if (findings.media !== null) {
          yield* facts.replace(file.accountId, [{ ...findings.media, fileId: file.id }])
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
