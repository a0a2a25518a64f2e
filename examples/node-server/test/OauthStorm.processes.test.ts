/** Apps that connect to two servers with one PostgreSQL, which are killed again and again, and whose commits go unanswered. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { postgresUrl } from "../../../packages/testing/src/SharedPostgres.ts"
import { accountsOf, pause, Phoenix } from "./AgentStorm.ts"
import { startFaultyProxy } from "./FaultyProxy.ts"
import { connection, driver, freePort, nothingMet, origin, Servers } from "./OauthStorm.ts"
import { startServer } from "./ServerProcess.ts"

const accounts = accountsOf(6)
const kills = 2
/** Before each kill commits go unanswered until so many grants have ended by that. */
const endedBefore = 3

describe("apps at servers that are killed", () => {
  let directory: string
  let proxy: Awaited<ReturnType<typeof startFaultyProxy>>
  const servers: Array<Phoenix> = []

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "filedrive-oauth-"))
    proxy = await startFaultyProxy(await postgresUrl())
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await proxy.close()
    await rm(directory, { recursive: true, force: true })
  })

  it("OAUTH-90 a code gives tokens once, and whatever goes unanswered no grant is left that nobody holds", async () => {
    const ports = [await freePort(), await freePort()]
    for (const port of ports) {
      const server = new Phoenix({
        PORT: String(port),
        DATABASE_URL: proxy.url,
        FILEDRIVE_SCHEMA: `oauth_storm_${process.pid}`,
        FILEDRIVE_DATA: join(directory, "data"),
        FILEDRIVE_ORIGIN: origin,
        FILEDRIVE_ACCOUNTS: JSON.stringify(accounts),
        FILEDRIVE_CALLS_PER_MINUTE: "0"
      })
      servers.push(server)
      await server.ready
    }
    const app = driver(new Servers(ports))
    const met = nothingMet()
    const people = await Promise.all(accounts.map(async ({ apiToken }) => ({
      apiToken,
      cookie: await app.signIn(apiToken),
      clientId: await app.register()
    })))
    const over = { yes: false }
    const storm = (async () => {
      for (let killed = 0; killed < kills && !over.yes; killed++) {
        const most = met.endedByExchange + met.endedByRefresh + endedBefore
        while (met.endedByExchange + met.endedByRefresh < most && !over.yes) {
          proxy.loseCommits(1)
          await pause(50)
        }
        proxy.loseCommits(0)
        const server = servers[killed % servers.length]!
        await server.kill()
        await server.ready
      }
    })().finally(() => over.yes = true)
    await Promise.all(people.map(async (person) => {
      do await connection(app, person, met)
      while (!over.yes)
    })).finally(() => over.yes = true)
    await storm
    assert.isAtLeast(met.endedByExchange + met.endedByRefresh, kills * endedBefore)
    assert.isAbove(met.connections, accounts.length)
  }, 120_000)

  it("SIGN-32 a server that can't make a link for signing in starts, and says so", async () => {
    const data = join(directory, "full")
    await mkdir(data)
    await writeFile(join(data, "sign-in"), "")
    const server = startServer({ FILEDRIVE_DATA: data })
    await server.ready
    server.signal("SIGKILL")
    assert.match((await server.ended).stdout, /Sign in .*\/sign-in .*a link could not be made: E/)
  }, 60_000)
})
