/** Binds {@link FilesApi} to {@link Downloads}, {@link FileDetails} and {@link FileAccess}. */
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { fromDriveError } from "../http/ApiError.ts"
import * as ClientAddress from "../http/ClientAddress.ts"
import * as Handlers from "../http/Handlers.ts"
import { HttpConfig } from "../http/HttpConfig.ts"
import { OptionalAccount } from "../http/Session.ts"
import type { InvalidField, Refused, Unavailable } from "../shared/DriveError.ts"
import type { FileId } from "../shared/Ids.ts"
import { Downloads } from "./Downloads.ts"
import { FileAccess } from "./FileAccess.ts"
import { FileDetails } from "./FileDetails.ts"
import type { FileRecord } from "./FileRecord.ts"
import { FilesApi } from "./FilesApi.ts"

/** A record is JSON as it is; encoding it by its schema would only check it. */
const answer = (record: FileRecord) => Handlers.plain(record)

export const FilesHandlers = Handlers.group(
  FilesApi,
  Effect.gen(function*() {
    const downloads = yield* Downloads
    const details = yield* FileDetails
    const access = yield* FileAccess
    const { trustedProxies } = yield* HttpConfig

    const link = (
      id: FileId,
      account: OptionalAccount["Service"],
      request: HttpServerRequest.HttpServerRequest
    ): Effect.Effect<FileRecord, InvalidField | Refused | Unavailable> =>
      Option.isNone(account)
        ? downloads.publicLink(id, {
          address: ClientAddress.network(ClientAddress.of(request, trustedProxies)),
          userAgent: request.headers["user-agent"] ?? ""
        })
        : Effect.provideService(downloads.link(id), CurrentAccount, account.value)

    return {
      generateDownloadUrl: ({ payload, request }) =>
        OptionalAccount.pipe(
          Effect.flatMap((account) => link(payload.id, account, request)),
          Effect.mapBoth({ onSuccess: answer, onFailure: fromDriveError })
        ),
      renameFile: ({ payload }) =>
        details.rename(payload.fileId, payload.fileName).pipe(
          Effect.mapBoth({ onSuccess: answer, onFailure: fromDriveError })
        ),
      updateFileDescription: ({ payload }) =>
        details.describe(payload.fileId, payload.description).pipe(
          Effect.mapBoth({ onSuccess: () => ({}), onFailure: fromDriveError })
        ),
      toggleFileAccess: ({ payload }) =>
        access.toggle(payload.id).pipe(Effect.mapBoth({ onSuccess: answer, onFailure: fromDriveError }))
    }
  })
)
