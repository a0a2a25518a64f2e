import { filedriveRouter } from "@filedrive/adapter-express"
import { createDrive, type Drive, listen } from "@filedrive/adapter-node"
import { testDatabase } from "@filedrive/testing"
import { type HttpHost, httpSuite } from "@filedrive/testing/suites"
import express from "express"
import express4 from "express4"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const versions = [{ version: 5, make: express }, { version: 4, make: express4 }]

const parsers = {
  without: () => [],
  "with every": (make: typeof express) => [
    make.json({ limit: "10mb", strict: false }),
    make.urlencoded({ extended: true }),
    make.raw({ type: "application/octet-stream", limit: "100mb" }),
    make.text({ type: "text/*" })
  ]
}

const userOf = (drive: Drive): HttpHost["user"] => async (account = {}) => {
  const made = await drive.accounts.create(account)
  if (made === null) throw new Error("The account was not made.")
  const { token } = await drive.tokens.create(made.userId, { name: "suite" })
  return { userId: made.userId, apiToken: token }
}

for (const { make, version } of versions) {
  for (const [name, before] of Object.entries(parsers)) {
    const mount = name === "without" ? "/" : "/some/path"
    httpSuite(`Express ${version} at ${mount}, ${name} body parser`, async () => {
      const app = make()
      const server = await listen(app, { port: 0 })
      const url = server.origin + (mount === "/" ? "" : mount)
      const dataDirectory = await mkdtemp(join(tmpdir(), "filedrive-express-"))
      const drive = createDrive({
        url,
        dataDirectory,
        database: testDatabase(),
        allowPrivateAddresses: true,
        log: "off"
      })
      for (const parser of before(make)) app.use(parser)
      app.use(mount, filedriveRouter(drive))
      return {
        url,
        user: userOf(drive),
        close: async () => {
          await server.stop()
          await drive.close()
          await rm(dataDirectory, { recursive: true, force: true })
        }
      }
    })
  }
}
