/** Tokens, sessions and the profiles of users, as one value of the list in `Features.ts`. */
import { Layer } from "effect"
import type { Feature } from "../Feature.ts"
import hostUsers from "./0031_host_users.ts"
import unlimitedImages from "./0039_unlimited_images.ts"
import tokenEnds from "./0050_token_ends.ts"
import { ApiTokens, apiTokenSweepJob } from "./ApiTokens.ts"
import { GrantTokens } from "./GrantTokens.ts"
import { Sessions, sessionSweepJob } from "./Sessions.ts"
import { apiTokenExpiryJob } from "./TokenLifetimes.ts"
import { TokensApi } from "./TokensApi.ts"
import { TokensHandlers } from "./TokensHandlers.ts"
import { UserApi } from "./UserApi.ts"
import { UserHandlers } from "./UserHandlers.ts"

const tables = ["accounts", "profiles", "api_tokens", "sessions", "host_users"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const AccountsFeature = {
  name: "accounts",
  layer: Layer.mergeAll(ApiTokens.layer, GrantTokens.layer, Sessions.layer),
  api: [TokensApi, UserApi],
  handlers: Layer.mergeAll(TokensHandlers, UserHandlers),
  tables,
  migrations: { "0031_host_users": hostUsers, "0039_unlimited_images": unlimitedImages, "0050_token_ends": tokenEnds },
  jobs: [apiTokenExpiryJob, apiTokenSweepJob, sessionSweepJob]
} as const satisfies Feature
