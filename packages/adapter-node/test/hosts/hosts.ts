/** Drives under test in directories of their own. */
import { createDrive, type Drive, type DriveOptions } from "@filedrive/adapter-node"
import { testDatabase } from "@filedrive/testing"
import type { HttpHost } from "@filedrive/testing/suites"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A drive with its database in memory and its bytes on disk, removed when it is closed. */
export const temporaryDrive = async (options: DriveOptions = {}) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "filedrive-host-"))
  const drive = createDrive({ dataDirectory, database: testDatabase(), log: "off", ...options })
  const close = async () => {
    await drive.close()
    await rm(dataDirectory, { recursive: true, force: true })
  }
  return { drive, dataDirectory, close }
}

/** A user with a token, as the suite wants them. */
export const userOf = (drive: Drive): HttpHost["user"] => async (account = {}) => {
  const made = await drive.accounts.create(account)
  if (made === null) throw new Error("The account was not made.")
  const { token } = await drive.tokens.create(made.userId, { name: "suite" })
  return { userId: made.userId, apiToken: token }
}

/** The drive's own `fetch`, as a server calls it: with the length it was told. */
export const fetchOf = (drive: Drive): NonNullable<HttpHost["fetch"]> => (url, init) => {
  const request = new Request(url, init)
  if (init?.body instanceof Uint8Array) request.headers.set("content-length", String(init.body.length))
  return drive.fetch(request)
}
