/** `/select-user-files` of an account with 100,000 files. */
import { request } from "node:http"
import { type DriveCaller, type DriveOptions, withDirectory, withDrive } from "../DriveCaller.ts"
import { withPostgres } from "../Postgres.ts"
import { median } from "../Rounds.ts"
import { listedFiles, MiB, quick } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

interface Listed {
  readonly firstByteSeconds: number
  readonly seconds: number
  readonly text: string
}

const list = (drive: DriveCaller): Promise<Listed> =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    const since = () => (performance.now() - start) / 1_000
    const asking = request(drive.url("/select-user-files"), { method: "POST", headers: drive.headers }, (answer) => {
      let firstByteSeconds = Infinity
      const pieces: Array<Buffer> = []
      answer.on("data", (piece: Buffer) => {
        if (pieces.push(piece) === 1) firstByteSeconds = since()
      })
      answer.once("end", () => resolve({ firstByteSeconds, seconds: since(), text: Buffer.concat(pieces).toString() }))
      answer.once("error", reject)
    })
    asking.once("error", reject)
    asking.end()
  })

const times = quick ? 2 : 5

const watch = async (drive: DriveCaller) => {
  const before = drive.server.residentBytes()
  let peak = before
  const timer = setInterval(() => peak = Math.max(peak, drive.server.residentBytes()), 20)
  const listings: Array<Listed> = []
  for (let i = 0; i < times; i++) {
    const listed = await list(drive)
    const files = JSON.parse(listed.text).length
    if (files !== listedFiles) throw new Error(`${files} files were listed.`)
    listings.push(listed)
  }
  clearInterval(timer)
  return { before, peak, listings }
}

const run = (what: string, options: Omit<DriveOptions, "dataDirectory" | "files">): Promise<Outcome> =>
  withDirectory((dataDirectory) =>
    withDrive({ ...options, dataDirectory, files: listedFiles }, async (drive): Promise<Outcome> => {
      const { before, listings, peak } = await watch(drive)
      const firstByte = Math.max(...listings.map(({ firstByteSeconds }) => firstByteSeconds))
      const megabytes = listings[0]!.text.length / 1e6
      const seconds = median(listings.map((listed) => listed.seconds))
      return {
        what: `list ${listedFiles.toLocaleString("en")} files, ${what}`,
        own: `first byte ${(firstByte * 1_000).toFixed(0)} ms, all in ${seconds.toFixed(2)} s`,
        against: `${megabytes.toFixed(0)} MB of JSON, ${times} times`,
        result: `memory ${Math.round(before / MiB)} to ${Math.round(peak / MiB)} MiB`,
        target: "first byte under 1 s, memory bounded",
        // Far below what the records would take if they were held at once.
        met: firstByte < 1 && peak - before < 150 * MiB
      }
    })
  )

export const listing = async (): Promise<ReadonlyArray<Outcome>> => [
  await withPostgres((databaseUrl) => run("on PostgreSQL", { databaseUrl })),
  await run("database embedded", {})
]
