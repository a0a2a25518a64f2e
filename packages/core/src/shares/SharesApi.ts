/** The HTTP contract of sharing with people. Declarations only; no handler code. Contract: "Files". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FileRecord } from "../files/FileRecord.ts"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { AccountId, FileId } from "../shared/Ids.ts"
import { LineOfLength } from "../shared/Text.ts"
import { SharedFilesPage } from "./Share.ts"

const { filesPerShareCall, usersPerShareCall } = Limits

const FileIds = Schema.Array(FileId).check(Schema.isBetweenLength(filesPerShareCall.min, filesPerShareCall.max))
const UserIds = Schema.Array(AccountId).check(Schema.isBetweenLength(usersPerShareCall.min, usersPerShareCall.max))

const sharing = Schema.Struct({ fileIds: FileIds, userIds: UserIds })

const sharingExample = { fileIds: [Examples.photoId, Examples.trackId], userIds: [Examples.otherUserId] }

export class SharesApi extends HttpApiGroup.make("shares")
  .add(
    HttpApiEndpoint.post("shareFiles", "/share-files", {
      payload: Schema.Struct({
        fileIds: FileIds,
        userIds: Schema.optionalKey(UserIds),
        /** Of users, beside or instead of `userIds` (extension). */
        handles: Schema.optionalKey(
          Schema.Array(LineOfLength(1, 200)).check(
            Schema.isBetweenLength(usersPerShareCall.min, usersPerShareCall.max)
          )
        )
      }),
      success: Schema.Struct({
        /** Those of the files that are yours: every one of the users can see them now. */
        shared: Schema.Array(FileId),
        /** Those that are not. */
        skipped: Schema.Array(FileId),
        /** Pairs of a file and a user that are new. */
        added: Schema.Int
      }),
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Lets users see and download files of yours; they can't change them. `shared` are those of the files that are yours, `skipped` " +
        "the others, and `added` counts the pairs of a file and a user that are new. An id that is not a user's, or is your own, is " +
        "400 naming `userIds[i]`, and then nothing is shared. `handles` names users by their handles, beside `userIds` or instead of them; " +
        "one that nobody has is 400 naming `handles[i]`. When none of the files is yours it is 404. A file in trash stays shared but " +
        "can't be opened until it is restored.",
      permissions: ["share"],
      effect: "changes",
      isRepeatable: true,
      needsConsent: "share",
      tool:
        "Lets other users of this drive see and download files. `handles` are the names by which users of the drive are known, " +
        "`userIds` their ids; one of both is enough. To open a file to anyone by a link, use " +
        "toggle_file_access.",
      example: {
        request: sharingExample,
        answer: { shared: sharingExample.fileIds, skipped: [], added: 2 }
      }
    })),
    HttpApiEndpoint.post("unshareFiles", "/unshare-files", {
      payload: sharing,
      success: Schema.Struct({
        /** Those of the files that are yours: none of the users can see them any longer, unless they are public. */
        unshared: Schema.Array(FileId),
        skipped: Schema.Array(FileId),
        /** Pairs of a file and a user that were removed. */
        removed: Schema.Int
      }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      description:
        "Ends the sharing of files with users, at once: they no longer see the files and get no new links, unless a file is public. A link that was " +
        "given out before works to its end, six hours at most. `unshared` are those of the files that are yours, `skipped` the others, and " +
        "`removed` counts the pairs of a file and a user that were removed. When none of the files is yours it is 404.",
      permissions: ["share"],
      effect: "changes",
      isRepeatable: true,
      needsConsent: "unshare",
      tool:
        "Ends the sharing of files with users. `select_shares` lists these users. A public file stays open to anyone.",
      example: {
        request: sharingExample,
        answer: { unshared: sharingExample.fileIds, skipped: [], removed: 2 }
      }
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
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      isLong: true,
      description:
        "Returns the users that files of yours are shared with, for each file the first shared first. Files that are not yours are left out; " +
        "when none is, it is 404.",
      permissions: ["read"],
      effect: "reads",
      isRepeatable: true,
      tool: "Lists the users that the user's own files are shared with, with their ids for unshare_files.",
      example: {
        request: { fileIds: [Examples.photoId] },
        answer: {
          files: [{
            id: Examples.photoId,
            users: [{
              userId: Examples.otherUserId,
              handle: "grace",
              displayName: "Grace",
              insertTime: Examples.laterTime
            }]
          }]
        }
      }
    })),
    HttpApiEndpoint.post("selectSharedFiles", "/select-shared-files", {
      payload: [
        SharedFilesPage,
        Schema.Null
      ],
      success: Schema.Struct({ files: Schema.Array(FileRecord), nextCursor: Schema.NullOr(Schema.String) })
    }).annotateMerge(operation({
      description:
        "Returns other people's files that are shared with you, the last shared first; without their folders, tags and keys. `limit` is 1 to 200, by " +
        "default 50. To get the next page pass `nextCursor` back as `cursor`; it is null at the end.",
      permissions: ["read"],
      effect: "reads",
      isRepeatable: true,
      tool:
        "Lists other people's files that are shared with the user, the last shared first. search_files doesn't find these. For the next page, pass " +
        "`nextCursor` back as `cursor`.",
      example: {
        request: { limit: 20 },
        answer: {
          files: [{ ...Examples.photo, folder: null, tags: [], objectKey: null }],
          nextCursor: null
        }
      }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Sharing", description: "Who else may see your files." }))
{}
