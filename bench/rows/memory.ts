/** The server's memory while 32 files come and 32 go at once, all of their bytes. */
import { statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import { type DriveCaller, type DriveOptions, withDirectory, withDrive } from "../DriveCaller.ts"
import { withPostgres } from "../Postgres.ts"
import { succeed } from "../RawHttp.ts"
import { median } from "../Rounds.ts"
import { fileBytes, MiB, transfersAtOnce } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

const limitBytes = 400 * MiB

interface Sample {
  /** Share of all bytes that had come and gone. */
  readonly done: number
  readonly residentBytes: number
}

const watch = async (drive: DriveCaller) => {
  const id = await drive.upload("download", fileBytes)
  const { downloadUrl } = await drive.call("/generate-download-url", { id })
  const forms = await Promise.all(
    Array.from({ length: transfersAtOnce }, (_, i) => drive.form(`upload-${i}`, fileBytes))
  )
  const idleBytes = drive.server.residentBytes()
  const samples: Array<Sample> = []
  let received = 0
  let sent = 0
  const take = (done: number) => samples.push({ done, residentBytes: drive.server.residentBytes() })
  const timer = setInterval(() => take((received + sent) / (2 * transfersAtOnce * fileBytes)), 100)
  const start = performance.now()
  await Promise.all([
    ...forms.map(async (form) => {
      await drive.send(form)
      sent += fileBytes
    }),
    ...forms.map(() =>
      succeed({ method: "GET", url: downloadUrl, headers: {} }, undefined, (bytes) => {
        received += bytes
      })
    )
  ])
  clearInterval(timer)
  take(1)
  return { idleBytes, samples, seconds: (performance.now() - start) / 1_000 }
}

/** Flat: the last third of the samples is at most a tenth above the second. */
const outcome = (what: string, { idleBytes, samples, seconds }: Awaited<ReturnType<typeof watch>>): Outcome => {
  const resident = samples.map(({ residentBytes }) => residentBytes)
  const third = Math.floor(resident.length / 3)
  const middle = median(resident.slice(third, 2 * third + 1))
  const last = median(resident.slice(2 * third))
  const peak = Math.max(...resident)
  const mebibytes = (bytes: number) => `${Math.round(bytes / MiB)} MiB`
  return {
    what: `memory, ${transfersAtOnce} uploads and ${transfersAtOnce} downloads of ${fileBytes / MiB} MiB, ${what}`,
    own: `idle ${mebibytes(idleBytes)}, second third ${mebibytes(middle)}, last third ${mebibytes(last)}`,
    against: `${(2 * transfersAtOnce * fileBytes / 1e9).toFixed(0)} GB in ${seconds.toFixed(0)} s`,
    result: `peak ${mebibytes(peak)}`,
    target: "flat, under 400 MiB",
    met: peak < limitBytes && last <= middle * 1.1
  }
}

const run = async (what: string, options: Omit<DriveOptions, "dataDirectory">): Promise<Outcome> => {
  const { bavail, bsize } = await statfs(tmpdir())
  const needed = (transfersAtOnce + 2) * fileBytes
  if (bavail * bsize < needed) {
    return { what: `memory, ${what}`, because: `needs ${Math.ceil(needed / 1e9)} GB free in ${tmpdir()}` }
  }
  return withDirectory(async (dataDirectory) =>
    withDrive({ ...options, dataDirectory }, async (drive) => outcome(what, await watch(drive)))
  )
}

export const memory = async (): Promise<ReadonlyArray<Outcome>> => [
  await withPostgres((databaseUrl) => run("on PostgreSQL", { databaseUrl })),
  await run("database embedded", {})
]
