/**
 * An archive of 4 GB that a drive builds of files in its disk store, against `cp` of the same bytes with a sync of each copy.
 * Both read from the page cache after the first round, which does not count.
 */
import { execFile } from "node:child_process"
import { mkdir, rm, statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { type DriveCaller, withDirectory, withDrive } from "../DriveCaller.ts"
import { withPostgres } from "../Postgres.ts"
import { interleave, median, ratio, seconds } from "../Rounds.ts"
import { archivedFiles, archiveRounds, loadNow } from "../Settings.ts"
import { atLeast, type Outcome } from "../Table.ts"

const run = promisify(execFile)

/** Files of 1 to 50 MB, most of them small: 13 MB on average. */
const sizes = Array.from(
  { length: archivedFiles },
  (_, at) => Math.round(1e6 + 49e6 * ((at + 0.5) / archivedFiles) ** 3)
)
const totalBytes = sizes.reduce((sum, size) => sum + size, 0)

/** The bytes of the files, one archive and one copy, with some spare room. */
const neededBytes = 3.5 * totalBytes

const build = async (drive: DriveCaller, fileIds: ReadonlyArray<string>) => {
  const before = drive.server.cpuSeconds()
  let archive: { readonly id: string; readonly bytes: number } | undefined
  const took = await seconds(async () => {
    archive = await drive.call("/create-archive-request", { fileIds })
    for (;;) {
      const [item] = await drive.call("/select-archives", { ids: [archive!.id] })
      if (item.status === "failed") throw new Error(item.error)
      if (item.status === "done") return
      await setTimeout(50)
    }
  })
  const cpuSeconds = drive.server.cpuSeconds() - before
  if (archive!.bytes < totalBytes) throw new Error("The archive is shorter than its files.")
  await drive.call("/delete-archive", { id: archive!.id })
  // A job removes its bytes; it must not run while something else is measured.
  await drive.server.quiet()
  return { seconds: took, cpuSeconds }
}

/** No file shares its blocks with another, and each is synced, as those of the archive are. */
const copy = async (objects: string, copies: string) => {
  await mkdir(copies)
  try {
    return await seconds(async () => {
      await run("cp", ["-r", "--reflink=never", "--sparse=never", objects, copies])
      await run("find", [copies, "-type", "f", "-exec", "sync", "{}", "+"])
    })
  } finally {
    await rm(copies, { recursive: true, force: true })
  }
}

const compare = async (drive: DriveCaller, directory: string, dataDirectory: string): Promise<Outcome> => {
  const fileIds: Array<string> = []
  for (const [at, size] of sizes.entries()) fileIds.push(await drive.upload(`file-${at}`, size))
  await drive.server.quiet()
  const measured = await interleave<"drive" | "copy", { readonly seconds: number; readonly cpuSeconds?: number }>(
    archiveRounds,
    {
      drive: () => build(drive, fileIds),
      copy: async () => ({ seconds: await copy(join(dataDirectory, "storage", "o"), join(directory, "copies")) })
    }
  )
  const [own, copied] = [measured.drive, measured.copy].map((all) => all.map((one) => one.seconds))
  const speed = (values: ReadonlyArray<number>) => `${Math.round(totalBytes / 1e6 / median(values))} MB/s`
  const cpu = median(measured.drive.map(({ cpuSeconds }) => cpuSeconds!)) / (totalBytes / 1e9)
  return atLeast(0.5, {
    what: `an archive of ${(totalBytes / 1e9).toFixed(1)} GB built on disk, of ${sizes.length} files (${loadNow()})`,
    own: `${speed(own!)}, ${cpu.toFixed(2)} CPU s/GB`,
    against: `cp and sync: ${speed(copied!)}`,
    factor: ratio(copied!, own!)
  })
}

export const archiveOnDisk = async (): Promise<ReadonlyArray<Outcome>> => {
  const { bavail, bsize } = await statfs(tmpdir())
  if (bavail * bsize < neededBytes) {
    return [{
      what: "an archive built on disk",
      because: `needs ${Math.ceil(neededBytes / 1e9)} GB free in ${tmpdir()}`
    }]
  }
  return [
    await withPostgres((databaseUrl) =>
      withDirectory((directory) => {
        const dataDirectory = join(directory, "drive")
        return withDrive({ dataDirectory, databaseUrl }, (drive) => compare(drive, directory, dataDirectory))
      })
    )
  ]
}
