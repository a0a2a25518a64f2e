/** A drive on the embedded database and disk, served on a port of its own. */
import { createDrive, type Drive, type DriveOptions, listen } from "@filedrive/adapter-node"
import { testDatabase } from "@filedrive/testing"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface ServedDrive {
  readonly url: string
  readonly drive: Drive
  /** A directory that is removed at the end. */
  readonly directory: string
  readonly user: (
    account?: { readonly quotaBytes?: number }
  ) => Promise<{ readonly userId: string; readonly apiToken: string }>
  readonly close: () => Promise<void>
}

/** `url`: where the drive says that it is, of its own origin; a proxy's, say. */
export const servedDrive = async (
  options: Omit<DriveOptions, "url"> & { readonly urlOf?: (origin: string) => string } = {}
): Promise<ServedDrive> => {
  const { urlOf = (origin) => origin, ...chosen } = options
  const directory = await mkdtemp(join(tmpdir(), "filedrive-client-"))
  const server = await listen((request, response) => drive.nodeHandler(request, response), { port: 0 })
  const drive: Drive = createDrive({
    url: urlOf(server.origin),
    dataDirectory: join(directory, "data"),
    database: testDatabase(),
    log: "off",
    ...chosen
  })
  await drive.ready()
  return {
    url: server.origin,
    drive,
    directory,
    user: async (account = {}) => {
      const made = await drive.accounts.create(account)
      const { token } = await drive.tokens.create(made!.userId, { name: "client" })
      return { userId: made!.userId, apiToken: token }
    },
    close: async () => {
      drive.endStreams()
      await server.stop()
      await drive.close()
      await rm(directory, { recursive: true, force: true })
    }
  }
}

/** Bytes that differ from position to position. */
export const content = (length: number, seed = 0): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length)
  const block = Uint8Array.from(
    { length: Math.min(length, 65_521) },
    (_, at) => (at * 31 + (at >> 7) + seed * 101) % 251
  )
  for (let at = 0; at < length; at += block.length) {
    bytes.set(block.subarray(0, Math.min(block.length, length - at)), at)
  }
  return bytes
}
