/** The HTTP contract of the search. Declarations only; no handler code. Spec: "Library". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FileRecord } from "../files/FileRecord.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import { SearchQuery } from "./SearchQuery.ts"

export class SearchApi extends HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.post("searchFiles", "/search-files", {
      payload: [SearchQuery, Schema.Null],
      success: Schema.Struct({ files: Schema.Array(FileRecord), nextOffset: Schema.NullOr(Schema.Int) })
    }).annotateMerge(operation({
      description:
        "Finds your files outside trash that pass every filter given; without a body, all of them. Each word of `text` must begin some word " +
        "of the file's name, description, tags, title, artists, album or genre. A file must be of one of `types` and carry all `tags`. " +
        "`folder` is a path, and includes the folders inside it. `…After`, `min…` and `max…` include their value, `…Before` does not. `taken…` is " +
        "when a photo was taken or a video recorded, durations are seconds, sizes bytes, tempos beats a minute, `key` is a musical key " +
        "like `Am`. `within` is a box in degrees; one with its `west` past its `east` crosses the antimeridian. " +
        "To get the next page, pass `nextOffset` back as `offset`, as it is: the next page begins where this page ends, although files arrive meanwhile.",
      permissions: ["read"],
      effect: "reads",
      isRepeatable: true,
      tool:
        "Finds files by words and filters, newest first unless `sort` says otherwise; use it first whenever you need a file's id. `text` matches the " +
        "beginnings of words in names, descriptions, tags, titles, artists and albums; `folder` is a path and includes the folders inside it. " +
        "For the next page, pass `nextOffset` back as `offset`.",
      example: {
        request: { text: "tram", types: ["Image"], takenAfter: "2026-09-01T00:00:00.000Z", limit: 20 },
        answer: { files: [Examples.photo], nextOffset: null }
      }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Search", description: "Finding files by words and by what they are." }))
{}
