/** The HTTP contract of API tokens. Declarations only; no handler code. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import { ApiTokenId, FolderId } from "../shared/Ids.ts"
import { misplaced } from "../shared/Misplaced.ts"
import { Time } from "../shared/Time.ts"
import { otherExpireTimes, otherPermissions, Permissions, TokenName } from "./AccountInput.ts"
import { permissions } from "./CurrentAccount.ts"

const Permitted = Schema.Array(Schema.Literals(permissions))

/** Limits under other names, all of which are refused. */
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
  lastUsedTime: Schema.NullOr(Time),
  /** The id of the app that was allowed this by OAuth, `filedrive:owner` for your own tasks for the agent, or null for an API token. */
  clientId: Schema.NullOr(Schema.String)
})

/** A new token. `token` is shown this once. */
export const CreatedToken = Schema.Struct({ ...described, token: Schema.String })

const tokenExample = {
  id: Examples.tokenId,
  name: "Photo backup",
  permissions: ["read", "add"],
  folder: Examples.folder.id,
  insertTime: Examples.insertTime,
  expireTime: "2027-09-28T12:00:00.000Z"
}

/** What keeps limited tokens from making wider ones. */
const needsNoLimits = "Needs a session without limits: for a limited one it is 403 `token_limit`."

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
    }).annotateMerge(operation({
      description:
        "Makes an API token, which a program exchanges for sessions (`/exchange-token`). `permissions` says what the sessions " +
        "may do, `folder` (an id) names the one folder they see and touch, with all that is in it, and after `expireTime` the " +
        "token gives no more sessions. Each may be left out or null: then there is no such limit. The answer shows `token`, the " +
        "secret text, this once: the drive keeps only a hash of it. Limits under other names (`scopes`, `folderId`, " +
        `\`expiresAt\` and the like) are 400 naming the field, so that no token has more rights than was meant. ${needsNoLimits}`,
      permissions: [],
      effect: "changes",
      isRepeatable: false,
      tool: null,
      example: {
        request: {
          name: tokenExample.name,
          permissions: tokenExample.permissions,
          folder: tokenExample.folder,
          expireTime: tokenExample.expireTime
        },
        answer: { ...tokenExample, token: "fdt_pV3xQm9sLk2JtB7wYh5RzNc8GdUe1Fa4KiOq6TuXyZ0" }
      }
    })),
    HttpApiEndpoint.post("selectApiTokens", "/select-api-tokens", { success: Schema.Array(TokenItem) }).annotateMerge(
      operation({
        isLong: true,
        description:
          "Your API tokens and the apps that you allowed something by OAuth (`name` is the app's, `clientId` its id, which is null for API " +
          "tokens, and `filedrive:owner` for what you yourself ask the agent by `/start-agent-task`), newest first, without their secret texts. One that has expired is listed for 30 days more. `lastUsedTime` is when a session was last opened for the token, or the " +
          `app last used its own. ${needsNoLimits}`,
        permissions: [],
        effect: "reads",
        isRepeatable: true,
        tool: null,
        example: { answer: [{ ...tokenExample, lastUsedTime: Examples.laterTime, clientId: null }] }
      })
    ),
    HttpApiEndpoint.post("revokeApiToken", "/revoke-api-token", {
      payload: Schema.Struct({ id: ApiTokenId }),
      success: Schema.Struct({ revoked: Schema.Boolean }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      description:
        "Revokes one of your API tokens: every session that was opened for it ends at once, and no more can be opened. So does all that " +
        `an app was allowed, by its id in the list. A token that is revoked already is 404. ${needsNoLimits}`,
      permissions: [],
      effect: "deletes",
      isRepeatable: true,
      tool: null,
      example: { request: { id: Examples.tokenId }, answer: { revoked: true } }
    }))
  )
  .middleware(Session)
  .annotateMerge(
    OpenApi.annotations({ title: "API tokens", description: "Tokens that programs exchange for sessions." })
  )
{}
