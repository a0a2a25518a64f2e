/**
 * Files of 20 KiB that a sender delivers to a file request, one after the other and many at once, against the same files of the owner's
 * own: the time of the drive's two requests for a file, in turns in one run. Storage's request between them is the same.
 */
import { join } from "node:path"
import { type DriveCaller, withDirectory, withDrive } from "../DriveCaller.ts"
import { withDurablePostgres } from "../Postgres.ts"
import { interleave, median } from "../Rounds.ts"
import { quiet, startServer } from "../ServerProcess.ts"
import { loadNow, smallFileRounds, smallFileSeconds } from "../Settings.ts"
import type { Sending, SentFiles } from "../SmallFiles.ts"
import { atMost, type Outcome } from "../Table.ts"

const fileBytes = 20 * 1024

const compare = async (database: string, drive: DriveCaller): Promise<ReadonlyArray<Outcome>> => {
  const { id: requestId } = await drive.call("/create-file-request", { title: "Bench" })
  const outcomes: Array<Outcome> = []
  for (const atOnce of [1, 16]) {
    const measure = async (to: Sending["to"]) => {
      const sending: Sending = {
        to,
        origin: drive.server.said.origin,
        accounts: drive.server.said.accounts,
        requestId,
        fileBytes,
        atOnce,
        warmupSeconds: smallFileSeconds / 4,
        seconds: smallFileSeconds
      }
      await using client = await startServer<SentFiles>("sendFiles", { ...sending })
      await quiet(() => drive.server.cpuSeconds())
      return client.said
    }
    const measured = await interleave(smallFileRounds, { drop: () => measure("drop"), owner: () => measure("drive") })
    const millis = (all: ReadonlyArray<SentFiles>, ...requests: ReadonlyArray<number>) =>
      median(all.map(({ requestMillis }) => requests.reduce((sum, at) => sum + requestMillis[at]!, 0)))
    const describe = (all: ReadonlyArray<SentFiles>) =>
      `${[0, 2].map((at) => millis(all, at).toFixed(2)).join(" + ")} ms, ${
        median(all.map(({ perSecond }) => perSecond)).toFixed(0)
      } files/s`
    outcomes.push(atMost(1.2, {
      what: `a sender's small file, form and insert, ${database}, ${
        atOnce === 1 ? "one by one" : `${atOnce} at once`
      } (${loadNow()})`,
      own: describe(measured.drop),
      against: `the owner's own: ${describe(measured.owner)}`,
      factor: millis(measured.drop, 0, 2) / millis(measured.owner, 0, 2)
    }))
  }
  return outcomes
}

export const drops = (): Promise<ReadonlyArray<Outcome>> =>
  withDurablePostgres((postgres) =>
    postgres.withDatabase((databaseUrl) =>
      withDirectory((directory) =>
        withDrive({ dataDirectory: join(directory, "drive"), databaseUrl }, (drive) => compare("on PostgreSQL", drive))
      )
    )
  )

export const dropsEmbedded = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory((directory) =>
    withDrive({ dataDirectory: join(directory, "drive") }, (drive) => compare("embedded", drive))
  )
