/** Bringing files in from links, from a host's own code. */
import { assert, describe, it } from "@effect/vitest"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { temporaryDrive } from "./hosts.ts"

describe("Imports in code", () => {
  it("HOST-12 IMP-1 IMP-13 a link's file is brought in", async () => {
    const server = createServer((_, response) => response.end("hello"))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.txt`
    const { close, drive } = await temporaryDrive({ allowPrivateAddresses: true, runJobs: false })
    try {
      const { userId } = await drive.accounts.create({}) ?? assert.fail("no account")
      const me = drive.as(userId)
      const { id } = await me.importFromUrl({ url, folder: "/A", description: "greeting" })
      assert.deepInclude((await me.selectImports({ ids: [id] }))[0] as object, {
        id,
        url,
        status: "working",
        receivedBytes: 0,
        totalBytes: null
      })
      await drive.runJobs()
      const [item] = await me.selectImports({ ids: [id] })
      assert.deepInclude(item as object, { status: "done", receivedBytes: 5, totalBytes: 5 })
      assert.deepInclude(item?.file as object, { fileName: "a.txt", type: "Text", description: "greeting" })
      assert.strictEqual(item?.file?.folder?.path, "/A")
      const both = await me.importFromUrl({ url, folder: "/A", folderId: null }).catch((error: unknown) => error)
      assert.deepInclude(both, { code: "invalid_field", field: "folderId" })
      const wrong = await me.importFromUrl({ url: "ftp://a" }).catch((error: unknown) => error)
      assert.deepInclude(wrong, { code: "invalid_field", field: "url" })
    } finally {
      await close()
      server.closeAllConnections()
      server.close()
    }
  }, 60_000)

  it("HOSTILE-37 without the host's word nothing of this machine is brought in", async () => {
    const server = createServer((_, response) => response.end("hello"))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const { close, drive } = await temporaryDrive({ runJobs: false })
    try {
      const { userId } = await drive.accounts.create({}) ?? assert.fail("no account")
      const me = drive.as(userId)
      for (const host of ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"]) {
        const refused = await me.importFromUrl({ url: `http://${host}:${port}/` }).catch((error: unknown) => error)
        assert.deepInclude(refused, { code: "invalid_field", field: "url" })
      }
    } finally {
      await close()
      server.close()
    }
  }, 60_000)
})
