/** The drive as a server of its own, set up by the environment. */
import { createDrive, serve } from "@filedrive/adapter-node"
import { makeAccounts, type StartAccount } from "./accounts.ts"
import { banner, readyLine } from "./banner.ts"
import { driveOptions } from "./driveOptions.ts"
import { type Settings, settingsOf } from "./Environment.ts"
import { site } from "./site.ts"
import { whyNot } from "./whyNot.ts"

const start = async (settings: Settings) => {
  const drive = createDrive(driveOptions(settings))
  const { host, maxConnections, maxConnectionsPerAddress, port } = settings
  const otherwise = site(drive, settings)
  let accounts: ReadonlyArray<StartAccount> = []
  const server = await serve(drive, {
    port,
    host,
    maxConnections,
    maxConnectionsPerAddress,
    otherwise,
    // Runs before any call is answered: so a token of the configuration is valid from the first call on.
    prepare: async () => {
      accounts = await makeAccounts(drive, settings)
    }
  })
  console.log(banner(drive.urls, settings, accounts))
  console.log(readyLine(drive.urls, accounts))

  let stopping = false
  const stop = async () => {
    // A second signal means: don't wait.
    if (stopping) process.exit(1)
    stopping = true
    await server.stop()
    await drive.close()
    process.exit(0)
  }
  process.on("SIGTERM", stop).on("SIGINT", stop)
}

try {
  await start(settingsOf(process.env))
} catch (error) {
  console.error(`filedrive can't start: ${whyNot(error, process.env["DATABASE_URL"])}`)
  process.exit(1)
}
