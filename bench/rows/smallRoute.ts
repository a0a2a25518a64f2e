/** `/generate-download-url` with a session, on PostgreSQL, against the route written by hand on Fastify. */
import { type DriveCaller, withDirectory, withDrive } from "../DriveCaller.ts"
import { load } from "../Load.ts"
import { withPostgres } from "../Postgres.ts"
import { interleave, median, ratio } from "../Rounds.ts"
import { type ServerProcess, startServer } from "../ServerProcess.ts"
import { requestRounds, requestSeconds } from "../Settings.ts"
import { atLeast, type Outcome } from "../Table.ts"

interface Served {
  readonly perSecond: number
  /** Of the server's process, for each request. */
  readonly cpuMicros: number
}

const route = "/api/generate-download-url"

const serve = async (server: ServerProcess<{ readonly origin: string }>, drive: DriveCaller): Promise<Served> => {
  const before = server.cpuSeconds()
  const { requests, seconds } = await load(server.said.origin + route, {
    headers: drive.headers,
    body: JSON.stringify({ id: drive.fileId }),
    seconds: requestSeconds
  })
  return { perSecond: requests / seconds, cpuMicros: (server.cpuSeconds() - before) / requests * 1e6 }
}

const answerOf = async (origin: string, drive: DriveCaller) => {
  const body = JSON.stringify({ id: drive.fileId })
  const answer = await fetch(origin + route, { method: "POST", headers: drive.headers, body })
  return { ...await answer.json() as Readonly<Record<string, unknown>>, downloadUrl: "" }
}

const describe = (served: ReadonlyArray<Served>) =>
  `${median(served.map(({ perSecond }) => perSecond)).toFixed(0)}/s, ` +
  `${median(served.map(({ cpuMicros }) => cpuMicros)).toFixed(0)} CPU µs each`

export const smallRoute = (): Promise<ReadonlyArray<Outcome>> =>
  withPostgres((databaseUrl) =>
    withDirectory((dataDirectory) =>
      withDrive({ dataDirectory, databaseUrl, files: 1_000 }, async (drive) => {
        await using fastify = await startServer<{ readonly origin: string }>("fastify", { databaseUrl })
        const [ours, theirs] = await Promise.all([
          answerOf(drive.server.said.origin, drive),
          answerOf(fastify.said.origin, drive)
        ])
        if (JSON.stringify(ours) !== JSON.stringify(theirs)) {
          throw new Error(`The two servers answer differently: ${JSON.stringify(ours)} and ${JSON.stringify(theirs)}`)
        }
        const measured = await interleave(requestRounds, {
          drive: () => serve(drive.server, drive),
          fastify: () => serve(fastify, drive)
        })
        const perSecond = (served: ReadonlyArray<Served>) => served.map((one) => one.perSecond)
        return [atLeast(0.7, {
          what: "`/generate-download-url` on PostgreSQL",
          own: describe(measured.drive),
          against: `Fastify 5 and pg, by hand: ${describe(measured.fastify)}`,
          factor: ratio(perSecond(measured.drive), perSecond(measured.fastify))
        })]
      })
    )
  )
