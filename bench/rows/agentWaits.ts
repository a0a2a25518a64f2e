/** What waiting tasks cost: a change that wakes 20 of them, and uploads while 10,000 wait. */
import { setTimeout } from "node:timers/promises"
import type { Client } from "pg"
import { doTask, onTables } from "../AgentCaller.ts"
import { Connection } from "../Connection.ts"
import { withDirectory, withDrive } from "../DriveCaller.ts"
import type { DriveAccount } from "../DriveServerOptions.ts"
import { withPostgres } from "../Postgres.ts"
import { median, ratio } from "../Rounds.ts"
import { quick } from "../Settings.ts"
import { atMost, type Row } from "../Table.ts"

const wakeRounds = quick ? 2 : 10
const waitsAtOnce = 20

const post = async (connection: Connection, { session }: DriveAccount, route: string, body: object) => {
  const headers = `authorization: Bearer ${session}\r\nx-service-app: filedrive\r\ncontent-type: application/json\r\n`
  return JSON.parse(await connection.post(`/api${route}`, headers, [JSON.stringify(body)]))
}

/** How long a call takes that wakes 20 tasks beside one that wakes none, and until all of them have ended. */
const wakes = (where: string, databaseUrl?: string) =>
  withDirectory((dataDirectory) =>
    withDrive({ dataDirectory, ...databaseUrl !== undefined && { databaseUrl } }, async (drive): Promise<Row> => {
      const account = drive.server.said.accounts[0]!
      const { origin } = drive.server.said
      const connection = new Connection(origin)
      const fileId = await drive.upload("wanted.txt", 100)
      const moving = async (folder: string) => {
        const start = performance.now()
        await post(connection, account, "/move-files", { fileIds: [fileId], folder })
        return performance.now() - start
      }
      await moving("/Inbox")
      const none: Array<number> = []
      const waking: Array<number> = []
      const ended: Array<number> = []
      for (let round = 0; round <= wakeRounds; round++) {
        await Promise.all(Array.from({ length: waitsAtOnce }, async () => {
          const own = new Connection(origin)
          await doTask(own, account, `tell me when files land in /Round${round}`, "TASK_STATE_WORKING")
          own.end()
        }))
        const before = await moving(`/Elsewhere${round}`)
        const start = performance.now()
        const took = await moving(`/Round${round}`)
        for (;;) {
          const waiting = await post(connection, account, "/select-waiting-tasks", {})
          if (waiting.length === 0) break
          await setTimeout(5)
        }
        if (round === 0) continue
        none.push(before)
        waking.push(took)
        ended.push(performance.now() - start)
      }
      connection.end()
      const most = Math.max(...waking)
      return {
        what: `a file comes to a folder that ${waitsAtOnce} tasks wait for, ${where}`,
        own: `median ${median(waking).toFixed(1)} ms, at most ${most.toFixed(1)} ms`,
        against: `waking none: median ${median(none).toFixed(1)} ms; until all have gone on: median ${
          median(ended).toFixed(0)
        } ms`,
        result: `median ${median(waking).toFixed(1)} ms`,
        target: "under 50 ms",
        met: median(waking) < 50
      }
    })
  )

const waitingTasks = 10_000
const uploadRounds = quick ? 1 : 12
const uploadsEach = quick ? 5 : 20

/** 10,000 tasks that wait, 20 of each account, as their messages would have left them. */
const addWaiting = async (client: Client) => {
  const until = "now() + interval '30 days'"
  await client.query(`
    INSERT INTO accounts (id, tasks_waiting) SELECT gen_random_uuid(), ${waitsAtOnce} FROM generate_series(1, ${
    waitingTasks / waitsAtOnce
  })`)
  await client.query(`
    INSERT INTO agent_tasks (id, account_id, credential_id, credential_name, context_id, phase, status_time, queue_time, insert_time)
    SELECT gen_random_uuid(), a.id, a.id, 'bench', gen_random_uuid(), 'waiting', now(), now(), now()
    FROM accounts a, generate_series(1, ${waitsAtOnce}) WHERE a.tasks_waiting > 0`)
  await client.query(`
    INSERT INTO agent_waits (id, account_id, task_id, kind, folder_path, folded_path, text, since_time, until_time)
    SELECT gen_random_uuid(), account_id, id, 'folder_files', '/Inbox', '/inbox', 'Waits.', now(), ${until} FROM agent_tasks`)
  await client.query(`
    INSERT INTO jobs (kind, key, run_time, insert_time)
    SELECT 'agent.step', account_id || '/' || id, ${until}, now() FROM agent_tasks`)
  await client.query("ANALYZE")
}

/** Uploads to a drive where 10,000 tasks wait, beside those to one without tasks; which of the two is first changes with each round. */
const uploadsBesideWaits = async (url: string, otherUrl: string): Promise<Row> =>
  withDirectory((directory) =>
    withDirectory((other) =>
      withDrive(
        { dataDirectory: directory, databaseUrl: url },
        async (busy) =>
          withDrive({ dataDirectory: other, databaseUrl: otherUrl }, async (idle) => {
            await onTables(url, async (client) => {
              await addWaiting(client)
            })
            const times = { busy: [] as Array<number>, idle: [] as Array<number> }
            const drives = { busy, idle }
            let sent = 0
            for (let round = 0; round <= uploadRounds; round++) {
              const took = { busy: [] as Array<number>, idle: [] as Array<number> }
              for (let at = 0; at < uploadsEach; at++) {
                const order = (round + at) % 2 === 0 ? ["busy", "idle"] as const : ["idle", "busy"] as const
                for (const name of order) {
                  const start = performance.now()
                  await drives[name].upload(`file-${sent++}`, 1_000)
                  took[name].push(performance.now() - start)
                }
              }
              if (round === 0) continue
              times.busy.push(median(took.busy))
              times.idle.push(median(took.idle))
            }
            return atMost(1.05, {
              what: `an upload of 1 KB while ${waitingTasks} tasks of other accounts wait, on PostgreSQL`,
              own: `${median(times.busy).toFixed(2)} ms`,
              against: `without tasks: ${median(times.idle).toFixed(2)} ms`,
              factor: ratio(times.busy, times.idle)
            })
          })
      )
    )
  )

export const agentWakes = async (): Promise<ReadonlyArray<Row>> => [
  await withPostgres((url) => wakes("on PostgreSQL", url)),
  await wakes("database embedded")
]

export const agentUploads = async (): Promise<ReadonlyArray<Row>> => [
  await withPostgres((url) => withPostgres((other) => uploadsBesideWaits(url, other)))
]
