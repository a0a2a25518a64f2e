/** The HTTP contract of file requests, for people without an account. Declarations only. Contract: "File requests and reviews: the public side". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { PublicLink } from "../http/PublicLink.ts"
import { SentPassword } from "../links/Link.ts"
import { RequestId } from "../shared/Ids.ts"
import { Time } from "../shared/Time.ts"

const { requestExample } = Examples

export class PublicRequestsApi extends HttpApiGroup.make("publicRequests")
  .add(
    HttpApiEndpoint.post("openFileRequest", "/open-file-request", {
      payload: Schema.Struct({ requestId: Schema.String, password: Schema.optionalKey(SentPassword) }),
      success: Schema.Struct({
        id: RequestId,
        title: Schema.String,
        message: Schema.NullOr(Schema.String),
        owner: Schema.Struct({ displayName: Schema.NullOr(Schema.String) }),
        takesFiles: Schema.Boolean,
        closedBecause: Schema.NullOr(Schema.Literals(["closed", "expired", "full"])),
        expireTime: Schema.NullOr(Time),
        remainingBytes: Schema.NullOr(Schema.Int),
        accessToken: Schema.optionalKey(Schema.String)
      }),
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Shows a file request to somebody who has its link, without an account. `takesFiles` is false when its owner has closed it, when it has " +
        "expired, or when it is full (`closedBecause`). `remainingBytes` is what it still takes, null when it has no limit of its own. A link " +
        "with a password is 403 `password_needed` without it. With it the answer has an `accessToken`, good for a day: send that in the header " +
        "`X-Link-Access` of later calls. A link that does not exist and a wrong password are the same 404; after ten wrong passwords within a " +
        "minute the link answers 429.",
      permissions: [],
      effect: "reads",
      isRepeatable: true,
      tool: null,
      example: {
        request: { requestId: requestExample.id },
        answer: {
          id: requestExample.id,
          title: requestExample.title,
          message: null,
          owner: { displayName: "Ada" },
          takesFiles: true,
          closedBecause: null,
          expireTime: null,
          remainingBytes: null
        }
      }
    }))
  )
  .middleware(PublicLink)
  .annotateMerge(OpenApi.annotations({
    title: "Sending files",
    description: "What people without an account do with the link of a file request."
  }))
{}
