/** Callers of a host's Express app that disconnect: what was begun for them ends, down to its process. */
import { filedriveRouter } from "@filedrive/adapter-express"
import { createDrive, listen } from "@filedrive/adapter-node"
import { DriveClient, testDatabase } from "@filedrive/testing"
import express from "express"
import express4 from "express4"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { abandon } from "../../adapter-node/test/media/AbandonedReads.ts"

const ends: Array<() => Promise<unknown>> = []
afterAll(() => Promise.all(ends.map((end) => end())))

const start = async (make: typeof express, parses: boolean) => {
  const app = make()
  const server = await listen(app, { port: 0 })
  const dataDirectory = await mkdtemp(join(tmpdir(), "filedrive-express-"))
  // No jobs: the drive would extract the file by itself.
  const drive = createDrive({ url: server.origin, dataDirectory, database: testDatabase(), runJobs: false, log: "off" })
  ends.push(() => server.stop().then(() => drive.close()).then(() => rm(dataDirectory, { recursive: true })))
  if (parses) app.use(make.json())
  app.use("/", filedriveRouter(drive))
  const { userId } = await drive.accounts.create({}) ?? assert.fail("no account")
  const { token } = await drive.tokens.create(userId, { name: "test" })
  return new DriveClient({ url: server.origin, apiToken: token })
}

describe.skipIf(process.platform !== "linux").each([
  { name: "5", make: express, parses: false },
  { name: "5 behind a body parser", make: express, parses: true },
  { name: "4 behind a body parser", make: express4, parses: true }
])("Hanging up on Express $name (needs Linux: /proc tells which processes run)", ({ make, parses }) => {
  it("HOST-18 HOSTILE-21 the process that reads for a caller ends when the caller disconnects", async () => {
    await abandon(await start(make, parses), "/read-file", (fileId) => ({ fileId }))
  }, 60_000)
})
