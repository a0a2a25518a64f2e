/** What is printed when the server is ready: some lines for people, one for programs. */
import type { Drive } from "@filedrive/adapter-node"
import type { StartAccount } from "./accounts.ts"
import type { Settings } from "./Environment.ts"
import { decidedBy } from "./EnvironmentAgent.ts"
import { drawnBy } from "./EnvironmentImages.ts"

type Urls = Drive["urls"]

const storageOf = ({ s3 }: Settings) =>
  s3 === null ? "the data directory" : `S3, buckets ${s3.privateBucket} and ${s3.publicBucket}`

/** Tokens are shown on purpose: this is where their owner gets them. */
export const banner = (
  urls: Urls,
  settings: Settings,
  accounts: ReadonlyArray<StartAccount>,
  /** Or why no link could be made. */
  signInLink: string | Error
): string => {
  const [first] = accounts
  const call = `-H "Authorization: Bearer $SESSION" -H "X-Service-App: ${settings.appId}"`
  return `
  filedrive is up at ${urls.site}

  API        ${urls.api}  (read about it at ${urls.api}/docs)
  Agent      ${urls.a2a}  (${decidedBy(settings.agent)})
  Tools      ${urls.mcp}  (for MCP clients)
  Database   ${settings.databaseUrl === null ? "embedded" : "PostgreSQL"}, files in ${storageOf(settings)}
  Images     ${drawnBy(settings.images)}
${accounts.map(({ apiToken, handle }) => `  Account    ${handle}, API token ${apiToken}`).join("\n")}

  Sign in    ${
    typeof signInLink === "string"
      ? `${signInLink}  (${first?.handle}, once, within 15 minutes)`
      : `${urls.site}/sign-in  (by an API token; a link could not be made: ${signInLink.message})`
  }

  Try it:
    TOKEN=${first?.apiToken}
    SESSION=$(curl -sX POST ${urls.auth}/exchange-token -H "Authorization: Bearer $TOKEN" | sed 's/.*"gelToken":"\\([^"]*\\)".*/\\1/')
    curl -sX POST ${urls.api}/get-user-storage-usage ${call}
`
}

export const readyLine = ({ a2a, api, auth, mcp, site }: Urls, accounts: ReadonlyArray<StartAccount>): string =>
  `filedrive ready ${
    JSON.stringify({ baseUrl: api, authUrl: auth, siteUrl: site, a2aUrl: a2a, mcpUrl: mcp, accounts })
  }`
