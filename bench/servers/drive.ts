/** The drive, as a host serves it. */
import { createDrive, serve } from "@filedrive/adapter-node"
import type { DriveServerOptions } from "../DriveServerOptions.ts"
import { fill } from "./fill.ts"
import { options, ready } from "./parent.ts"

const { databaseUrl, dataDirectory, files, s3Endpoint } = options<DriveServerOptions>()
const filled = files === undefined ? undefined : await fill({ databaseUrl, dataDirectory, files })
const drive = createDrive({
  dataDirectory,
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
const account = await drive.accounts.create(filled ?? {})
const { token } = await drive.sessions.open(account!.userId)
ready({ origin, userId: account!.userId, session: token, fileId: filled?.fileId ?? null })
