/** The HTTP contract of sharing with people. Declarations only; no handler code. Contract: "Files". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FileRecord } from "../files/FileRecord.ts"
import * as ApiError from "../http/ApiError.ts"
import { OnlyReads } from "../http/OnlyReads.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { AccountId, FileId } from "../shared/Ids.ts"

const { filesPerShareCall, sharedFilesPage, usersPerShareCall } = Limits

const FileIds = Schema.Array(FileId).check(Schema.isBetweenLength(filesPerShareCall.min, filesPerShareCall.max))
const UserIds = Schema.Array(AccountId).check(Schema.isBetweenLength(usersPerShareCall.min, usersPerShareCall.max))

const sharing = Schema.Struct({ fileIds: FileIds, userIds: UserIds })

export class SharesApi extends HttpApiGroup.make("shares")
  .add(
    HttpApiEndpoint.post("shareFiles", "/share-files", {
      payload: sharing,
      success: Schema.Struct({
        /** Those of the files that are yours: every one of the users can see them now. */
        shared: Schema.Array(FileId),
        /** Those that are not. */
        skipped: Schema.Array(FileId),
        /** Pairs of a file and a user that are new. */
        added: Schema.Int
      }),
      error: [ApiError.NotFound, ApiError.BadGateway]
    }).annotateMerge(OpenApi.annotations({
      description:
        "Lets users see and download files of yours. Somebody who is no user, or you yourself, is 400 naming " +
        "`userIds[i]`, and then nothing is shared. A file in trash stays shared but can't be opened until it is restored."
    })),
    HttpApiEndpoint.post("unshareFiles", "/unshare-files", {
      payload: sharing,
      success: Schema.Struct({
        /** Those of the files that are yours: none of the users can see them any more, unless they are public. */
        unshared: Schema.Array(FileId),
        skipped: Schema.Array(FileId),
        /** Pairs of a file and a user that are no more. */
        removed: Schema.Int
      }),
      error: ApiError.NotFound
    }).annotateMerge(OpenApi.annotations({
      description: "Takes sharing back, at once: no new link is given out. A link given out before works to its end."
    })),
    HttpApiEndpoint.post("selectShares", "/select-shares", {
      payload: Schema.Struct({ fileIds: FileIds }),
      success: Schema.Struct({
        files: Schema.Array(Schema.Struct({
          id: FileId,
          users: Schema.Array(Schema.Struct({
            userId: AccountId,
            handle: Schema.NullOr(Schema.String),
            displayName: Schema.NullOr(Schema.String),
            insertTime: Schema.String.annotate({ format: "date-time" })
          }))
        }))
      }),
      error: [ApiError.NotFound, ApiError.BadGateway]
    }).annotate(OnlyReads, true).annotateMerge(
      OpenApi.annotations({ description: "Whom files of yours are shared with." })
    ),
    HttpApiEndpoint.post("selectSharedFiles", "/select-shared-files", {
      payload: [
        Schema.Struct({
          limit: Schema.optionalKey(
            Schema.Int.check(Schema.isBetween({ minimum: sharedFilesPage.min, maximum: sharedFilesPage.max }))
          ),
          cursor: Schema.optionalKey(Schema.String)
        }),
        Schema.Null
      ],
      success: Schema.Struct({ files: Schema.Array(FileRecord), nextCursor: Schema.NullOr(Schema.String) })
    }).annotate(OnlyReads, true).annotateMerge(OpenApi.annotations({
      description:
        "Other people's files that are shared with you, last shared first. Pass `nextCursor` back as `cursor`."
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Sharing", description: "Who else may see your files." }))
{}
