/** The files that come with a message: their bytes are saved as private files of the caller's. Contract: "The agent". */
import { Effect, Option, Schema, Stream } from "effect"
import { callerOf, type Credential } from "../accounts/Credential.ts"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { FileName, FileSize, MimeType } from "../files/FileDetail.ts"
import { ObjectKey } from "../files/ObjectKey.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { HostUploads } from "../uploads/HostUploads.ts"
import * as MessageInput from "./MessageInput.ts"
import type { NewPart, Part, SavedBytes } from "./Task.ts"

const unnamed = "application/octet-stream"

export const makePartFiles = Effect.map(HostUploads, (uploads) => {
  /** `key`: of the message, so that one which is sent again saves nothing twice. */
  const save = Effect.fnUntraced(function*(part: NewPart & { readonly raw: Uint8Array }, at: number, key: string) {
    const { id } = yield* CurrentAccount
    const fileName = MessageInput.fileNameOf(part, at)
    const mimeType = Option.getOrUndefined(Schema.decodeUnknownOption(MimeType)(part.mediaType))
    const bytes: Omit<SavedBytes, "fileId" | "because"> = {
      fileName,
      mimeType: mimeType ?? unnamed,
      sizeBytes: part.raw.length
    }
    return yield* uploads.put(
      {
        fileName: FileName.make(fileName),
        fileSize: FileSize.make(part.raw.length),
        ...mimeType !== undefined && { mimeType }
      },
      Stream.make(part.raw),
      undefined,
      ObjectKey.make(`users/${id}/agent/${key}/${at}`)
    ).pipe(
      Effect.map((fileId): SavedBytes => ({ ...bytes, fileId, because: null })),
      // What may work later fails the message; what won't is told in the task.
      Effect.catch((error) =>
        error instanceof Unavailable
          ? Effect.fail(error)
          : Effect.succeed<SavedBytes>({ ...bytes, fileId: null, because: error.message })
      )
    )
  })

  return (
    credential: Credential,
    parts: ReadonlyArray<NewPart>,
    key: string
  ): Effect.Effect<ReadonlyArray<Part>, Unavailable> =>
    Effect.forEach(
      parts,
      (part, at): Effect.Effect<Part, Unavailable, CurrentAccount> =>
        "raw" in part ? Effect.map(save(part, at, key), (raw) => ({ ...part, raw })) : Effect.succeed(part)
    ).pipe(Effect.provideService(CurrentAccount, callerOf(credential)))
})
