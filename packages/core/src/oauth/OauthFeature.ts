/** Apps that people allow to use their drives, as one value of the list in `Features.ts`. */
import { Layer } from "effect"
import type { Feature } from "../Feature.ts"
import oauth from "./0043_oauth.ts"
import replacedTokens from "./0046_replaced_tokens.ts"
import { Bearers } from "./Bearers.ts"
import { Grants, oauthForgetJob, oauthSweepJob } from "./Grants.ts"
import { OauthClients, oauthClientSweepJob } from "./OauthClients.ts"

const tables = ["oauth_grants", "oauth_codes", "oauth_clients"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const OauthFeature = {
  name: "oauth",
  layer: Layer.mergeAll(Grants.layer, OauthClients.layer, Bearers.layer),
  tables,
  migrations: { "0043_oauth": oauth, "0046_replaced_tokens": replacedTokens },
  jobs: [oauthSweepJob, oauthForgetJob, oauthClientSweepJob]
} as const satisfies Feature
