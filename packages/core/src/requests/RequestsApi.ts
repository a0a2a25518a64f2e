/** The HTTP contract of file requests, for their owners. Declarations only; no handler code. Spec: "File requests". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import { FolderId, RequestId } from "../shared/Ids.ts"
import { Time } from "../shared/Time.ts"
import * as Request from "./Request.ts"

const Folder = Schema.Struct({ id: Schema.NullOr(FolderId), path: Schema.String })

/** What a request says of itself from its beginning. */
const made = {
  id: RequestId,
  title: Schema.String,
  message: Schema.NullOr(Schema.String),
  expireTime: Schema.NullOr(Time),
  maxBytes: Schema.NullOr(Schema.Int),
  folder: Folder,
  hasPassword: Schema.Boolean
}

const { requestExample } = Examples

export class RequestsApi extends HttpApiGroup.make("requests")
  .add(
    HttpApiEndpoint.post("createFileRequest", "/create-file-request", {
      payload: Request.NewRequest,
      success: Schema.Struct(made),
      error: [ApiError.NotFound, ApiError.BadGateway]
    }).annotateMerge(operation({
      description:
        "Makes a file request: people without an account send files to you through its link, `{site_url}/requests/{id}`. Whoever has the link may " +
        "send, so its id is a secret. Arrivals land in `folder`, a path whose missing folders are made, or in the folder `folderId`; with " +
        "neither, in a folder at the top of the drive named for the request (a `/` in the title becomes `-`). `folder.id` is null for the top " +
        "of the drive. `maxBytes` bounds what all senders together may send; without it, your storage does. After `expireTime`, which " +
        "must be in the future, the request takes no files. With a `password` (1 to 200 characters) nobody opens the link without it.",
      permissions: ["share"],
      effect: "changes",
      isRepeatable: false,
      tool:
        "Makes a file request, a link through which people without an account send files to the user. `folder` is the path of the folder in which " +
        "their files land; it is made if it is missing.",
      example: {
        request: { title: requestExample.title, folder: requestExample.folder.path },
        answer: {
          id: requestExample.id,
          title: requestExample.title,
          message: null,
          expireTime: null,
          maxBytes: null,
          folder: requestExample.folder,
          hasPassword: false
        }
      }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({
    title: "File requests",
    description: "Links through which people without an account send you files."
  }))
{}
