/** Tasks on two servers whose connections to PostgreSQL are cut, and the answers of whose commits are lost, again and again. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { postgresUrl } from "../../../packages/testing/src/SharedPostgres.ts"
import { accountsOf, caller, pause, Phoenix, Told } from "./AgentStorm.ts"
import { assertDrives, assertReports, giveAll, prepare, untilEnded } from "./AgentStormRun.ts"
import { startFaultyProxy } from "./FaultyProxy.ts"

const accounts = accountsOf(5)
const total = 60
/** Of a quarter of a second, until some time after the last task was given. */
const rounds = 36

describe("tasks on servers that lose their database", () => {
  const told = new Told()
  let directory: string
  let proxy: Awaited<ReturnType<typeof startFaultyProxy>>
  let servers: ReadonlyArray<Phoenix> = []

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "filedrive-commits-"))
    await told.listen()
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    told.close()
    await proxy?.close()
    await rm(directory, { recursive: true, force: true })
  })

  it(
    "TASK-330 each task that was taken ends, takes effect once, and is reported in its order, whichever commits go unanswered",
    async () => {
      proxy = await startFaultyProxy(await postgresUrl())
      const variables = {
        DATABASE_URL: proxy.url,
        FILEDRIVE_SCHEMA: `commits_${process.pid}`,
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

      const storm = (async () => {
        for (let round = 0; round < rounds; round++) {
          await pause(250)
          if (round % 8 === 7) proxy.cut()
          else proxy.loseCommits(2)
        }
      })()
      const tasks = await giveAll(call, accounts, total, told.url)
      await storm
      proxy.loseCommits(0)
      assert.isAbove(proxy.lost(), 20)

      assert.deepStrictEqual(await untilEnded(call, tasks), new Set(["TASK_STATE_COMPLETED"]))
      await assertDrives(call, accounts, tasks)
      await assertReports(told, tasks)
    },
    180_000
  )
})
