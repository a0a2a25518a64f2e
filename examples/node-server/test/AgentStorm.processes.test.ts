/** Tasks on two servers with one PostgreSQL and one disk, which are killed again and again. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { postgresUrl } from "../../../packages/testing/src/SharedPostgres.ts"
import { accountsOf, caller, pause, Phoenix, Told } from "./AgentStorm.ts"
import { assertDrives, assertReports, giveAll, prepare, untilEnded } from "./AgentStormRun.ts"

const accounts = accountsOf(5)
const total = 60
const kills = 6

describe("tasks on servers that are killed", () => {
  const told = new Told()
  let directory: string
  let servers: ReadonlyArray<Phoenix> = []

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "filedrive-storm-"))
    await told.listen()
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    told.close()
    await rm(directory, { recursive: true, force: true })
  })

  it(
    "TASK-304 each task that was taken ends, takes effect once, and is reported in its order, on whichever server",
    async () => {
      const variables = {
        DATABASE_URL: await postgresUrl(),
        FILEDRIVE_SCHEMA: `storm_${process.pid}`,
        FILEDRIVE_DATA: join(directory, "data"),
        FILEDRIVE_ACCOUNTS: JSON.stringify(accounts),
        FILEDRIVE_ALLOW_PRIVATE_ADDRESSES: "1",
        FILEDRIVE_CALLS_PER_MINUTE: "0"
      }
      servers = [new Phoenix(variables)]
      await servers[0]!.ready
      servers = [...servers, new Phoenix(variables)]
      await servers[1]!.ready
      const call = caller(servers)
      await prepare(call, accounts)

      let killed = 0
      const storm = (async () => {
        while (killed < kills) {
          await pause(1_000)
          await servers[killed++ % 2]!.kill()
        }
      })()
      const tasks = await giveAll(call, accounts, total, told.url)
      await storm

      assert.deepStrictEqual(await untilEnded(call, tasks), new Set(["TASK_STATE_COMPLETED"]))
      await assertDrives(call, accounts, tasks)
      await assertReports(told, tasks)
    },
    180_000
  )
})
