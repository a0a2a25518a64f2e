/** The HTTP contract of similar tracks (extension). Declarations only; no handler code. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FileRecord } from "../files/FileRecord.ts"
import * as ApiError from "../http/ApiError.ts"
import { OnlyReads } from "../http/OnlyReads.ts"
import { Session } from "../http/Session.ts"
import { similarTracks } from "../limits/Limits.ts"
import { FileId } from "../shared/Ids.ts"

export class SoundprintsApi extends HttpApiGroup.make("soundprints")
  .add(
    HttpApiEndpoint.post("selectSimilarTracks", "/select-similar-tracks", {
      payload: Schema.Struct({
        fileId: FileId,
        limit: Schema.optionalKey(
          Schema.Int.check(Schema.isBetween({ minimum: similarTracks.min, maximum: similarTracks.max }))
        )
      }),
      success: Schema.Struct({
        /** The track was not listened to yet: ask again. */
        pending: Schema.Boolean,
        /** Best first. `similarity` is 1 for the same sound bit by bit, and near 0 for any two tracks. */
        tracks: Schema.Array(Schema.Struct({ similarity: Schema.Finite, file: FileRecord }))
      }),
      error: ApiError.NotFound
    }).annotate(OnlyReads, true).annotateMerge(OpenApi.annotations({
      description: "Your other tracks with the same recording as a track you can open, by how they sound: other " +
        "encodings, bitrates and cuts of it. A track that was not listened to yet is answered `pending`, with none."
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Similar tracks", description: "Tracks that are the same recording." }))
{}
