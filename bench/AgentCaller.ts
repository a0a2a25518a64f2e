/** Calls of the agent by A2A, and the tables behind it. */
import { randomUUID } from "node:crypto"
import { Client } from "pg"
import type { Connection } from "./Connection.ts"
import type { DriveAccount } from "./DriveServerOptions.ts"

export const rpc = async (connection: Connection, { token }: DriveAccount, method: string, params: object) => {
  const headers = `authorization: Bearer ${token}\r\ncontent-type: application/json\r\na2a-version: 1.0\r\n`
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const answer = JSON.parse(await connection.post("/a2a", headers, [body]))
  if (answer.error !== undefined) throw new Error(`${method} answered ${JSON.stringify(answer.error)}`)
  return answer.result
}

const messageOf = (text: string) => ({ message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }] } })

/** Sends a task and waits for it; returns it. */
export const doTask = async (
  connection: Connection,
  account: DriveAccount,
  text: string,
  state = "TASK_STATE_COMPLETED"
) => {
  const { task } = await rpc(connection, account, "SendMessage", messageOf(text))
  if (task.status.state !== state) throw new Error(`The task "${text}" is ${JSON.stringify(task.status)}`)
  return task
}

/** Runs statements on the drive's own tables. */
export const onTables = async (url: string, work: (client: Client) => Promise<void>) => {
  const client = new Client({ connectionString: url, options: "-c search_path=filedrive" })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
