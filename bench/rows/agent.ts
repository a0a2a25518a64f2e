/** Tasks a second through the planner, each a blocking `SendMessage` over HTTP that takes one search. */
import { doTask } from "../AgentCaller.ts"
import { Connection } from "../Connection.ts"
import { type DriveCaller, withDirectory, withDrive } from "../DriveCaller.ts"
import type { DriveAccount } from "../DriveServerOptions.ts"
import { withPostgres } from "../Postgres.ts"
import { median, percentile } from "../Rounds.ts"
import { quick } from "../Settings.ts"
import type { Outcome, Row } from "../Table.ts"

const atOnce = 8
const accounts = 16
const warmupSeconds = quick ? 1 : 8
const taskSeconds = quick ? 2 : 8

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

export const agent = () => withPostgres((url) => tasksOn("on PostgreSQL", url))

export const agentEmbedded = () => tasksOn("database embedded")
