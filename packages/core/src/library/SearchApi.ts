/** The HTTP contract of the search. Declarations only; no handler code. Spec: "Library". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FileRecord } from "../files/FileRecord.ts"
import { OnlyReads } from "../http/OnlyReads.ts"
import { Session } from "../http/Session.ts"
import { SearchQuery } from "./SearchQuery.ts"

export class SearchApi extends HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.post("searchFiles", "/search-files", {
      payload: [SearchQuery, Schema.Null],
      success: Schema.Struct({ files: Schema.Array(FileRecord), nextOffset: Schema.NullOr(Schema.Int) })
    }).annotate(OnlyReads, true).annotateMerge(OpenApi.annotations({
      description: "The files that pass all given filters. Words of `text` are the beginnings of words in a file's " +
        "name, description, tags, title, artists, album or genre. Pass `nextOffset` back as `offset`, as it is, to " +
        "go on where this page ends, although files arrive meanwhile."
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Search", description: "Finding files by words and by what they are." }))
{}
