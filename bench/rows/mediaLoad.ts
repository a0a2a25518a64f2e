/** A small route while files are looked into: 200 photos and tracks wait, and two at a time are decoded. */
import { photo, wav } from "../../packages/testing/src/http/MediaFiles.ts"
import { type DriveCaller, withDirectory, withDrive } from "../DriveCaller.ts"
import { withPostgres } from "../Postgres.ts"
import { median, percentile } from "../Rounds.ts"
import { quick } from "../Settings.ts"
import { atMost, type Outcome } from "../Table.ts"

const files = quick ? 20 : 200
const requests = quick ? 100 : 1_000

/** Between two requests of the one who asks: a person's page, not a load that fills a core by itself. */
const pauseMillis = 5

const upload = async (drive: DriveCaller, fileName: string, bytes: Uint8Array<ArrayBuffer>) => {
  const file = drive.fileInput(fileName, bytes.length)
  const { uploadForm, uploadUrl } = await drive.call("/generate-file-urls", file)
  const body = new FormData()
  for (const [name, value] of Object.entries(uploadForm as Record<string, string>)) body.append(name, value)
  body.append("file", new Blob([bytes]))
  const sent = await fetch(uploadUrl, { method: "POST", body })
  if (!sent.ok) throw new Error(`Storage answered ${sent.status} to a form.`)
  return (await drive.call("/insert-file", { ...file, isPublic: false, creator: { id: drive.userId } })).id as string
}

/** Files that are still to be looked into. */
const pending = async (drive: DriveCaller): Promise<number> => {
  const all: ReadonlyArray<{ readonly metadataStatus: string }> = await drive.call("/select-user-files")
  return all.filter(({ metadataStatus }) => metadataStatus === "pending").length
}

/** Milliseconds that each of many requests takes, one after the other. */
const ask = async (drive: DriveCaller, id: string): Promise<ReadonlyArray<number>> => {
  const took: Array<number> = []
  for (let n = 0; n < requests; n++) {
    const start = performance.now()
    await drive.call("/generate-download-url", { id })
    took.push(performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, pauseMillis))
  }
  return took
}

const millis = (took: ReadonlyArray<number>) =>
  `p50 ${median(took).toFixed(1)} ms, p99 ${percentile(took, 0.99).toFixed(1)} ms`

export const mediaLoad = (): Promise<ReadonlyArray<Outcome>> =>
  withPostgres((databaseUrl) =>
    withDirectory((dataDirectory) =>
      withDrive({ dataDirectory, databaseUrl }, async (drive) => {
        const id = await upload(drive, "asked-for.txt", new TextEncoder().encode("asked for"))
        await ask(drive, id)
        const idle = [...await ask(drive, id)]
        const image = photo(4_000, 3_000)
        const track = wav(60, { title: "Silence", artist: "Nobody" })
        for (let n = 0; n < files; n++) {
          await upload(drive, n % 4 === 3 ? `${n}.wav` : `${n}.jpg`, n % 4 === 3 ? track : image)
        }
        const before = await pending(drive)
        const busy = await ask(drive, id)
        const after = await pending(drive)
        if (after === 0) throw new Error("All files were looked into before the requests had been answered.")
        while (await pending(drive) > 0) await new Promise((resolve) => setTimeout(resolve, 200))
        idle.push(...await ask(drive, id))
        return [atMost(2, {
          what: `\`/generate-download-url\` while ${before} files wait to be looked into (${before - after} were)`,
          own: millis(busy),
          against: `idle, before and after: ${millis(idle)}`,
          factor: percentile(busy, 0.99) / percentile(idle, 0.99)
        })]
      })
    )
  )
