/** The HTTP contract of views. Declarations only; no handler code. Spec: "Library". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import { FileId } from "../shared/Ids.ts"
import { ViewsQuery } from "./ViewsQuery.ts"

const day = Schema.String.annotate({ format: "date" })

export class ViewsApi extends HttpApiGroup.make("views")
  .add(
    HttpApiEndpoint.post("selectFileViews", "/select-file-views", {
      payload: [
        ViewsQuery,
        Schema.Null
      ],
      success: Schema.Struct({
        since: day,
        files: Schema.Array(Schema.Struct({
          id: FileId,
          fileName: Schema.String,
          isPublic: Schema.Boolean,
          views: Schema.Int,
          allViews: Schema.Int,
          lastViewTime: Schema.NullOr(Schema.String.annotate({ format: "date-time" })),
          viewers: Schema.Array(Schema.Struct({
            handle: Schema.NullOr(Schema.String),
            displayName: Schema.NullOr(Schema.String),
            lastDay: day,
            views: Schema.Int
          }))
        }))
      }),
      error: ApiError.ofStorage
    }).annotateMerge(operation({
      description:
        "Returns how often your files were opened by anyone but you, the most opened first. With `fileIds` it returns the files you name, opened " +
        "or not; without, those outside trash that were opened since `since` (default: 30 days ago). `views` counts since then, " +
        "`allViews` from the beginning. Days are of UTC. People a file is shared with are named in `viewers`, " +
        "the last one first, unless they turned that off; everyone else is only counted.",
      permissions: ["read"],
      effect: "reads",
      isRepeatable: true,
      tool:
        "Returns how often files were opened by others, and by whom where they may be named. Without `fileIds` it returns the most opened files since " +
        "`since`, a date like 2026-09-01 (default: 30 days ago).",
      example: {
        request: { since: "2026-09-01", limit: 10 },
        answer: {
          since: "2026-09-01",
          files: [{
            id: Examples.photoId,
            fileName: Examples.photo.fileName,
            isPublic: false,
            views: 3,
            allViews: 5,
            lastViewTime: Examples.laterTime,
            viewers: [{ handle: "grace", displayName: "Grace", lastDay: "2026-09-28", views: 2 }]
          }]
        }
      }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Views", description: "Who opens your files." }))
{}
