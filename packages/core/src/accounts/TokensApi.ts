/** The HTTP contract of API tokens. Declarations only; no handler code. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import { OnlyReads } from "../http/OnlyReads.ts"
import { Session } from "../http/Session.ts"
import { ApiTokenId, FolderId } from "../shared/Ids.ts"
import { Time } from "../shared/Time.ts"
import { misplaced, otherExpireTimes, otherPermissions, Permissions, TokenName } from "./AccountInput.ts"
import { permissions } from "./CurrentAccount.ts"

const Permitted = Schema.Array(Schema.Literals(permissions))

/** Limits under other names, none of which is taken. */
const notTaken = {
  limits: misplaced("must be sent as the fields permissions and folder themselves"),
  folderId: misplaced("must be sent as folder, the id of one"),
  folderPath: misplaced("must be sent as folder, the id of one"),
  folder_id: misplaced("must be sent as folder, the id of one"),
  Folder: misplaced("must be sent as folder, the id of one"),
  ...otherPermissions,
  ...otherExpireTimes
}

const described = {
  id: ApiTokenId,
  name: Schema.String,
  /** What its sessions may do, or null for everything. */
  permissions: Schema.NullOr(Permitted),
  /** The one folder its sessions see, or null for the whole drive. */
  folder: Schema.NullOr(FolderId),
  insertTime: Time,
  /** After this no session can be had for it, or null when it does not expire. */
  expireTime: Schema.NullOr(Time)
}

/** A token as it is listed: never with its secret. */
export const TokenItem = Schema.Struct({
  ...described,
  /** When a session was last had for it. */
  lastUsedTime: Schema.NullOr(Time)
})

/** A new token. `token` is shown this once. */
export const CreatedToken = Schema.Struct({ ...described, token: Schema.String })

export class TokensApi extends HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.post("createApiToken", "/create-api-token", {
      payload: Schema.Struct({
        name: TokenName,
        permissions: Schema.optionalKey(Schema.NullOr(Permissions)),
        folder: Schema.optionalKey(Schema.NullOr(FolderId)),
        expireTime: Schema.optionalKey(Schema.NullOr(Time)),
        ...notTaken
      }),
      success: CreatedToken,
      error: ApiError.NotFound
    }),
    HttpApiEndpoint.post("selectApiTokens", "/select-api-tokens", { success: Schema.Array(TokenItem) }).annotate(
      OnlyReads,
      true
    ),
    HttpApiEndpoint.post("revokeApiToken", "/revoke-api-token", {
      payload: Schema.Struct({ id: ApiTokenId }),
      success: Schema.Struct({ revoked: Schema.Boolean }),
      error: ApiError.NotFound
    })
  )
  .middleware(Session)
  .annotateMerge(
    OpenApi.annotations({ title: "API tokens", description: "Tokens that programs exchange for sessions." })
  )
{}
