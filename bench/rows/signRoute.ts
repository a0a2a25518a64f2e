/**
 * `/sign-upload-parts` with 1,000 parts, the whole request with its session,
 * plan and upload looked up, against the batch route of Companion, which asks
 * no database. Both sign for S3.
 */
import { type DriveCaller, withDirectory, withDrive } from "../DriveCaller.ts"
import { withPostgres } from "../Postgres.ts"
import { interleave, median, ratio } from "../Rounds.ts"
import { startServer } from "../ServerProcess.ts"
import { signRounds } from "../Settings.ts"
import { atLeast, type Outcome } from "../Table.ts"

const partNumbers = Array.from({ length: 1_000 }, (_, i) => i + 1)
const uploadBytes = partNumbers.length * 64 * 1024 ** 2

const timed = async (url: string, init: RequestInit, key: string): Promise<number> => {
  const start = performance.now()
  const answer = await fetch(url, init)
  const text = await answer.text()
  const seconds = (performance.now() - start) / 1_000
  const signed = Object.values(JSON.parse(text)[key] ?? {}).length
  if (signed !== partNumbers.length) throw new Error(`${url} signed ${signed} parts: ${text.slice(0, 300)}`)
  return seconds
}

const compare = async (drive: DriveCaller, companionOrigin: string): Promise<Outcome> => {
  const { token } = await drive.call("/create-multipart-upload", drive.fileInput("film.mov", uploadBytes))
  const ours = { method: "POST", headers: drive.headers, body: JSON.stringify({ token, partNumbers }) }
  const query = `key=film.mov&partNumbers=${partNumbers.join(",")}`
  const theirs = `${companionOrigin}/s3/multipart/2~VXBsb2FkIElEIGZvciA2aWWpbmcncyBteS1tb3Zp/batch?${query}`
  const measured = await interleave(signRounds, {
    drive: () => timed(drive.url("/sign-upload-parts"), ours, "parts"),
    companion: () => timed(theirs, {}, "presignedUrls")
  })
  const millis = (values: ReadonlyArray<number>) => `${(median(values) * 1_000).toFixed(1)} ms`
  return atLeast(10, {
    what: "`/sign-upload-parts`, 1,000 parts",
    own: millis(measured.drive),
    against: `@uppy/companion: ${millis(measured.companion)}`,
    factor: ratio(measured.companion, measured.drive)
  })
}

export const signRoute = (): Promise<ReadonlyArray<Outcome>> =>
  withPostgres((databaseUrl) =>
    withDirectory(async (directory) => {
      await using engine = await startServer<{ readonly origin: string }>("fakeS3", {})
      await using companion = await startServer<{ readonly origin: string }>("companion", { directory })
      return await withDrive(
        { dataDirectory: directory, databaseUrl, s3Endpoint: engine.said.origin },
        async (drive) => [await compare(drive, companion.said.origin)]
      )
    })
  )
