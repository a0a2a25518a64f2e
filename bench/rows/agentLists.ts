/** Pages of a list of 100,000 tasks. */
import { doTask, onTables, rpc } from "../AgentCaller.ts"
import { Connection } from "../Connection.ts"
import { withDirectory, withDrive } from "../DriveCaller.ts"
import { withPostgres } from "../Postgres.ts"
import { median, percentile } from "../Rounds.ts"
import { quick } from "../Settings.ts"
import type { Row } from "../Table.ts"

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

export const agentLists = () => withPostgres(taskPages)
