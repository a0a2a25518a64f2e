/** The HTTP contract of what a session is told of itself. Declarations only; no handler code. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import { AccountId, FolderId } from "../shared/Ids.ts"
import { permissions } from "./CurrentAccount.ts"

export class UserApi extends HttpApiGroup.make("user")
  .add(
    HttpApiEndpoint.post("getUser", "/get-user", {
      success: Schema.Struct({
        userId: AccountId,
        permissions: Schema.NullOr(Schema.Array(Schema.Literals(permissions))),
        folder: Schema.NullOr(FolderId)
      })
    }).annotateMerge(operation({
      description:
        "Whose drive the session is for, for a program that was given a session and did not exchange it itself: object keys begin with " +
        "`users/{userId}/`. `permissions` is what the session may do and `folder` the id of the one folder that it sees; null: everything.",
      permissions,
      effect: "reads",
      isRepeatable: true,
      tool: null,
      example: { answer: { userId: Examples.userId, permissions: null, folder: null } }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "User", description: "Whom a session is for." }))
{}
