/**
 * The agent: tasks a second through the planner, each a blocking `SendMessage` over HTTP that takes one search; 20 tasks that one change
 * wakes; what 10,000 waiting tasks cost an upload; and pages of a list of 100,000 tasks.
 */
import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { Client } from "pg"
import { Connection } from "../Connection.ts"
import { type DriveCaller, withDirectory, withDrive } from "../DriveCaller.ts"
import type { DriveAccount } from "../DriveServerOptions.ts"
import { withPostgres } from "../Postgres.ts"
import { median, percentile, ratio } from "../Rounds.ts"
import { quick } from "../Settings.ts"
import { atMost, type Outcome, type Row } from "../Table.ts"

const atOnce = 16
const accounts = 16
const warmupSeconds = quick ? 1 : 4
const taskSeconds = quick ? 2 : 8

const rpc = async (connection: Connection, { token }: DriveAccount, method: string, params: object) => {
  const headers = `authorization: Bearer ${token}\r\ncontent-type: application/json\r\na2a-version: 1.0\r\n`
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const answer = JSON.parse(await connection.post("/a2a", headers, [body]))
  if (answer.error !== undefined) throw new Error(`${method} answered ${JSON.stringify(answer.error)}`)
  return answer.result
}

const messageOf = (text: string) => ({ message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }] } })

/** Sends a task and waits for it; returns it. */
const doTask = async (connection: Connection, account: DriveAccount, text: string, state = "TASK_STATE_COMPLETED") => {
  const { task } = await rpc(connection, account, "SendMessage", messageOf(text))
  if (task.status.state !== state) throw new Error(`The task "${text}" is ${JSON.stringify(task.status)}`)
  return task
}

const taskRates = async (where: string, drive: DriveCaller, own: ReadonlyArray<DriveAccount>): Promise<Row> => {
  const { origin } = drive.server.said
  let sent = 0
  const took: Array<number> = []
  const begin = performance.now()
  const from = begin + warmupSeconds * 1_000
  const until = from + taskSeconds * 1_000
  let cpu = 0
  const lane = async (at: number) => {
    const connection = new Connection(origin)
    while (performance.now() < until) {
      const number = sent++
      const start = performance.now()
      if (start >= from && cpu === 0) cpu = drive.server.cpuSeconds()
      await doTask(connection, own[number % own.length]!, `find files named ${names[at % names.length]}`)
      const now = performance.now()
      if (start >= from && now < until) took.push(now - start)
    }
    connection.end()
  }
  await Promise.all(Array.from({ length: atOnce }, (_, at) => lane(at)))
  const cpuMillis = (drive.server.cpuSeconds() - cpu) / took.length * 1_000
  const perSecond = took.length / taskSeconds
  const p99 = percentile(took, 0.99)
  const who = own.length === 1 ? "1 account" : `${own.length} accounts`
  return {
    what: `tasks a second, one search each, blocking \`SendMessage\`, ${where}, ${who}, ${atOnce} at once`,
    own: `${perSecond.toFixed(0)}/s, CPU ${cpuMillis.toFixed(1)} ms a task`,
    against: `median ${median(took).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
    result: `${perSecond.toFixed(0)}/s, p99 ${p99.toFixed(0)} ms`,
    target: "at least 150/s, p99 under 100 ms",
    met: perSecond >= 150 && p99 < 100
  }
}

const names = ["report", "invoice", "holiday", "mixdown"]

const fillFiles = async (drive: DriveCaller) => {
  for (const [at, name] of names.entries()) await drive.upload(`${name}-${at}.txt`, 100)
}

const tasksOn = (where: string, databaseUrl?: string) =>
  withDirectory((dataDirectory) =>
    withDrive(
      { dataDirectory, accounts, ...databaseUrl !== undefined && { databaseUrl } },
      async (drive): Promise<ReadonlyArray<Outcome>> => {
        await fillFiles(drive)
        const all = drive.server.said.accounts
        return [await taskRates(where, drive, all), await taskRates(where, drive, all.slice(0, 1))]
      }
    )
  )

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

/** Runs statements on the drive's own tables. */
const onTables = async (url: string, work: (client: Client) => Promise<void>) => {
  const client = new Client({ connectionString: url, options: "-c search_path=filedrive" })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

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

const listedTasks = quick ? 5_000 : 100_000
const listings = quick ? 10 : 100

/** Pages of a long list of tasks: the first, ones far back, and ones of a state and a conversation. */
const taskPages = (url: string) =>
  withDirectory((dataDirectory) =>
    withDrive({ dataDirectory, databaseUrl: url }, async (drive): Promise<ReadonlyArray<Row>> => {
      const account = drive.server.said.accounts[0]!
      const connection = new Connection(drive.server.said.origin)
      await doTask(connection, account, "find files named report")
      await onTables(url, async (client) => {
        await client.query(`
        INSERT INTO agent_tasks (id, account_id, credential_id, credential_name, context_id, phase, status_time, queue_time, insert_time, messages)
        SELECT gen_random_uuid(), account_id, credential_id, credential_name, 'context-' || n % 1000,
          CASE WHEN n % 1000 = 0 THEN 'failed' ELSE 'completed' END, now() - n * interval '1 second', now(), now(), 1
        FROM agent_tasks, generate_series(1, ${listedTasks}) n`)
        await client.query("VACUUM ANALYZE agent_tasks")
      })
      const list = (params: object) => rpc(connection, account, "ListTasks", params)
      let pageToken = ""
      for (let page = 0; page < 50; page++) pageToken = (await list({ pageSize: 100, pageToken })).nextPageToken
      const rows: Array<Row> = []
      const kinds = {
        "the first page": {},
        "the 51st page": { pageToken },
        "those that failed": { status: "TASK_STATE_FAILED" },
        "of one conversation": { contextId: "context-7" }
      }
      for (const [name, params] of Object.entries(kinds)) {
        const took: Array<number> = []
        for (let at = 0; at < listings; at++) {
          const start = performance.now()
          await list({ pageSize: 50, ...params })
          took.push(performance.now() - start)
        }
        const p95 = percentile(took, 0.95)
        rows.push({
          what: `\`ListTasks\` of ${listedTasks} tasks, 50 a page, ${name}`,
          own: `median ${median(took).toFixed(1)} ms`,
          against: `p95 ${p95.toFixed(1)} ms`,
          result: `median ${median(took).toFixed(1)} ms`,
          target: "under 20 ms",
          met: median(took) < 20
        })
      }
      connection.end()
      return rows
    })
  )

export const agent = async (): Promise<ReadonlyArray<Outcome>> => [
  ...await withPostgres((url) => tasksOn("on PostgreSQL", url)),
  ...await tasksOn("database embedded"),
  await withPostgres((url) => wakes("on PostgreSQL", url)),
  await wakes("database embedded"),
  await withPostgres((url) => withPostgres((other) => uploadsBesideWaits(url, other))),
  ...await withPostgres(taskPages)
]
