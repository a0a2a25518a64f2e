/** The drive, as a host serves it. */
import { createDrive, serve } from "@filedrive/adapter-node"
import { randomUUID } from "node:crypto"
import type { DriveAccount, DriveServerOptions } from "../DriveServerOptions.ts"
import { options, ready } from "./parent.ts"

const { accounts = 1, databaseUrl, dataDirectory, s3Endpoint, userId } = options<DriveServerOptions>()
const drive = createDrive({
  dataDirectory,
  // Counted as for everybody, but a measurement calls more often than anybody.
  rateLimits: {
    account: { calls: 1_000_000_000, perSeconds: 60 },
    address: { calls: 1_000_000_000, perSeconds: 60 },
    anonymous: { calls: 1_000_000_000, perSeconds: 60 },
    link: { calls: 1_000_000_000, perSeconds: 60 }
  },
  ...(databaseUrl !== undefined && { database: { url: databaseUrl } }),
  ...(s3Endpoint !== undefined && {
    storage: {
      s3: {
        endpoint: s3Endpoint,
        region: "eu-central-1",
        privateBucket: "private",
        publicBucket: "public",
        forcePathStyle: true,
        credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret" }
      }
    }
  })
})
const { origin } = await serve(drive, { port: 0 })
const open = async (userId: string): Promise<DriveAccount> => {
  await drive.accounts.create({ userId })
  const { token: session } = await drive.sessions.open(userId)
  const { token } = await drive.tokens.create(userId, { name: "bench" })
  return { userId, session, token }
}
const opened: Array<DriveAccount> = []
for (let at = 0; at < accounts; at++) opened.push(await open(at === 0 ? userId : randomUUID()))
ready({ origin, session: opened[0]!.session, accounts: opened })
