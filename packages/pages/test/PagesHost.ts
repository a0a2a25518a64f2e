/** A drive that serves the pages, with a user whose links they are. */
import { createDrive, type DriveOptions, serve } from "@filedrive/adapter-node"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const startHost = async (options: DriveOptions = {}) => {
  const directory = await mkdtemp(join(tmpdir(), "filedrive-pages-"))
  const drive = createDrive({ dataDirectory: join(directory, "drive"), rateLimits: false, ...options })
  const server = await serve(drive, { port: 0 })
  const ada = await drive.accounts.create({ handle: "ada", displayName: "Ada Lovelace" })
  const owner = drive.as(ada!.userId)
  return {
    drive,
    owner,
    /** For files that tests send. */
    directory,
    linkOf: (request: { readonly id: string }): string => `${drive.urls.site}/requests/${request.id}`,
    stop: async () => {
      await server.stop()
      await drive.close()
      await rm(directory, { recursive: true, force: true })
    }
  }
}

export type PagesHost = Awaited<ReturnType<typeof startHost>>
