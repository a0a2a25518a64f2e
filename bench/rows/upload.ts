/**
 * A file sent in one piece through a form of the disk store, against a PUT that
 * `node:http` pipes to a file, and against tus. Only the drive's has its
 * length, its signature and its end checked, and is synced to the disk.
 */
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { type DriveCaller, withDirectory, withDrive } from "../DriveCaller.ts"
import { succeed } from "../RawHttp.ts"
import { interleave } from "../Rounds.ts"
import { startServer } from "../ServerProcess.ts"
import { fileBytes, MiB, transferRounds } from "../Settings.ts"
import { atLeast, atMost, type Outcome } from "../Table.ts"
import { cpuRatio, describe, transfer } from "./transfers.ts"

type Server = Awaited<ReturnType<typeof startServer<{ readonly origin: string }>>>

const body = { before: "", fileBytes, after: "" }

const byForm = async (drive: DriveCaller, round: number) => {
  const form = await drive.form(`file-${round}`, fileBytes)
  const measured = await transfer(drive.server, fileBytes, () => drive.send(form))
  await drive.call("/delete-files", [{ id: await drive.insert(form) }])
  return measured
}

const byPut = async (server: Server, directory: string, round: number) => {
  const url = `${server.said.origin}/put-${round}`
  const measured = await transfer(server, fileBytes, () => succeed({ method: "PUT", url, headers: {} }, body))
  await rm(join(directory, `put-${round}`))
  return measured
}

const byTus = async (server: Server, directory: string) => {
  const tus = { "tus-resumable": "1.0.0" }
  const opened = await succeed({
    method: "POST",
    url: `${server.said.origin}/files`,
    headers: { ...tus, "upload-length": String(fileBytes) }
  })
  const url = /^location: *(\S+)/im.exec(opened.headers)![1]!
  const headers = { ...tus, "upload-offset": "0", "content-type": "application/offset+octet-stream" }
  const measured = await transfer(server, fileBytes, () => succeed({ method: "PATCH", url, headers }, body))
  const name = new URL(url).pathname.split("/").at(-1)!
  await rm(join(directory, name))
  return measured
}

export const upload = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory(async (directory) => {
    await using bare = await startServer<{ readonly origin: string }>("bare", { directory })
    await using large = await startServer<{ readonly origin: string }>("bare", { directory, bufferBytes: MiB })
    await using tus = await startServer<{ readonly origin: string }>("tus", { directory })
    return await withDrive({ dataDirectory: join(directory, "drive") }, async (drive) => {
      const measured = await interleave(transferRounds, {
        drive: (round) => byForm(drive, round),
        bare: (round) => byPut(bare, directory, round),
        large: (round) => byPut(large, directory, round),
        tus: () => byTus(tus, directory)
      })
      const own = describe(measured.drive)
      const what = `upload of ${fileBytes / MiB} MiB in one piece, CPU`
      return [
        atMost(1.2, {
          what,
          own,
          against: `node:http PUT, pipeline: ${describe(measured.bare)}`,
          factor: cpuRatio(measured.drive, measured.bare)
        }),
        atMost(1.2, {
          what: `${what} (best bare)`,
          own,
          against: `the same with buffers of 1 MiB: ${describe(measured.large)}`,
          factor: cpuRatio(measured.drive, measured.large)
        }),
        atLeast(1.5, {
          what,
          own,
          against: `@tus/server: ${describe(measured.tus)}`,
          factor: cpuRatio(measured.tus, measured.drive)
        })
      ]
    })
  })
