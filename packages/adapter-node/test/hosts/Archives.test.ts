/** Archives from a host's own code, on the embedded database and disk storage. */
import { assert, describe, it } from "@effect/vitest"
import { DriveClient } from "@filedrive/testing"
import { fetchOf, temporaryDrive, userOf } from "./hosts.ts"

describe("Archives in code", () => {
  it(
    "HOST-12 ZIP-1 ZIP-3 ZIP-20 an archive is asked for, built, linked, deleted, and refused beyond a call's limits",
    async () => {
      const { close, drive } = await temporaryDrive({ url: "http://drive.test" })
      try {
        const { apiToken, userId } = await userOf(drive)()
        const client = new DriveClient({ url: "http://drive.test", apiToken, fetch: fetchOf(drive) })
        const id = await client.upload({ fileName: "a.bin", bytes: new Uint8Array(100_000) })
        const me = drive.as(userId)
        const asked = await me.createArchiveRequest({ fileIds: [id], title: "Mine" })
        assert.deepInclude(asked, { title: "Mine", status: "working", fileCount: 1, skipped: [] })
        let [item] = await me.selectArchives({ ids: [asked.id] })
        while (item?.status === "working") {
          await new Promise((resolve) => setTimeout(resolve, 50))
          ;[item] = await me.selectArchives({ ids: [asked.id] })
        }
        assert.deepInclude(item as object, { status: "done", receivedBytes: asked.bytes })
        const answer = await drive.fetch(new Request(item!.downloadUrl!))
        assert.strictEqual((await answer.arrayBuffer()).byteLength, asked.bytes)

        assert.deepStrictEqual(await me.deleteArchive({ id: asked.id }), { deleted: true })
        assert.deepStrictEqual(await me.deleteArchive({ id: asked.id }), { deleted: false })
        assert.deepStrictEqual(await me.selectArchives({ ids: [asked.id] }), [])

        const wrong = await me.createArchiveRequest({ fileIds: [] }).catch((error: unknown) => error)
        assert.deepInclude(wrong as object, { code: "invalid_field", field: "fileIds" })
        const limited = drive.as(userId, { permissions: ["add"] })
        const refused = await limited.createArchiveRequest({ fileIds: [id] }).catch((error: unknown) => error)
        assert.deepInclude(refused as object, { code: "token_limit" })
      } finally {
        await close()
      }
    },
    60_000
  )
})
