/** The drive as a server of its own, set up by the environment. */
import { createDrive, type Drive, serve } from "@filedrive/adapter-node"
import { makeAccounts, type StartAccount } from "./accounts.ts"
import { banner, readyLine } from "./banner.ts"
import { driveOptions } from "./driveOptions.ts"
import { type Settings, settingsOf } from "./Environment.ts"
import { linkOf } from "./signIn/link.ts"
import { signIn, userOf } from "./signIn/SignIn.ts"
import { site } from "./site.ts"
import { uploadPage } from "./upload/uploadPage.ts"
import { whyNot } from "./whyNot.ts"

const start = async (settings: Settings) => {
  const drive: Drive = createDrive(driveOptions(settings, {
    user: ({ headers }) => userOf(drive, headers.get("cookie")),
    loginUrl: (returnTo) => `/sign-in?return=${encodeURIComponent(returnTo)}`,
    logoutUrl: "/sign-out"
  }))
  const { host, maxConnections, maxConnectionsPerAddress, port } = settings
  let accounts: ReadonlyArray<StartAccount> = []
  const { dataDirectory, trustedProxies } = settings
  const answer = signIn(drive, { dataDirectory, trustedProxies, firstUserId: () => accounts[0]?.userId })
  const upload = uploadPage(drive, settings.s3)
  const otherwise = site(
    drive,
    settings,
    async (request, response) => await answer(request, response) || upload(request, response)
  )
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
  // On a full disk no link can be made, and people still sign in to delete something.
  const link = await linkOf(drive.urls.site, settings.dataDirectory).catch((error: Error) => error)
  console.log(banner(drive.urls, settings, accounts, link))
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
