/** The HTTP contract of similar tracks (extension). Declarations only; no handler code. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FileRecord } from "../files/FileRecord.ts"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import { FileId } from "../shared/Ids.ts"
import { SimilarLimit } from "./Soundprints.ts"

export class SoundprintsApi extends HttpApiGroup.make("soundprints")
  .add(
    HttpApiEndpoint.post("selectSimilarTracks", "/select-similar-tracks", {
      payload: Schema.Struct({
        fileId: FileId,
        limit: Schema.optionalKey(SimilarLimit)
      }),
      success: Schema.Struct({
        /** The track was not analysed yet: ask again. */
        pending: Schema.Boolean,
        /** Best first. `similarity` is 1 for the same sound bit by bit, and near 0 for any two tracks. */
        tracks: Schema.Array(Schema.Struct({ similarity: Schema.Finite, file: FileRecord }))
      }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      description:
        "Returns your other tracks with the same recording as a track you can open, found by their sound: other " +
        "encodings, bitrates and cuts of it. The best match comes first; `similarity` is 1 for the same sound, and near 0 for any two " +
        "tracks. While the drive has not analysed the track yet, `pending` is true and the list is empty: ask again later.",
      permissions: ["read"],
      effect: "reads",
      isRepeatable: true,
      tool:
        "Finds other copies of a track's recording in the drive by their sound, like another encoding or a cut; not tracks of the same " +
        "style. While `pending` is true, ask again later.",
      example: {
        request: { fileId: Examples.trackId, limit: 5 },
        answer: {
          pending: false,
          tracks: [{
            similarity: 0.97,
            file: { ...Examples.track, id: "01999a12-7e50-7a42-8e4f-5b8f0c6e7a99", fileName: "fado.mp3" }
          }]
        }
      }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Similar tracks", description: "Tracks that are the same recording." }))
{}
