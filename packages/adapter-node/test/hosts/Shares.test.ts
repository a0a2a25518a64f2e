/** Sharing files and seeing who opens them, from a host's own code. */
import { assert, describe, it } from "@effect/vitest"
import { DriveClient } from "@filedrive/testing"
import { fetchOf, temporaryDrive, userOf } from "./hosts.ts"

const ids = (files: ReadonlyArray<{ readonly id: string }>) => files.map(({ id }) => id)

describe("Sharing and views in code", () => {
  it("HOST-12 SHR-1 VIEW-8 what one user shares, another sees and opens, and is named to its owner", async () => {
    const { close, drive } = await temporaryDrive({ url: "http://drive.test" })
    try {
      const { apiToken, userId } = await userOf(drive)()
      const client = new DriveClient({ url: "http://drive.test", apiToken, fetch: fetchOf(drive) })
      const friend = await drive.accounts.create({ handle: "ann", displayName: "Ann" }) ?? assert.fail("no account")
      const id = await client.upload({ fileName: "a.bin", bytes: new Uint8Array(1) })
      const [me, ann] = [drive.as(userId), drive.as(friend.userId)]

      const asked = { fileIds: [id], userIds: [friend.userId] }
      assert.deepStrictEqual(await me.shareFiles(asked), { shared: [id], skipped: [], added: 1 })
      assert.deepStrictEqual(ids((await ann.selectSharedFiles()).files), [id])
      assert.isString((await ann.generateDownloadUrl({ id })).downloadUrl)

      const { files, since } = await me.selectFileViews()
      assert.deepInclude(files[0] as object, { id, views: 1 })
      assert.deepInclude(files[0]!.viewers[0], { handle: "ann", displayName: "Ann", views: 1 })
      assert.deepStrictEqual((await me.selectFileViews({ fileIds: [id], since })).files, files)
      const { events } = await me.selectDriveEvents({ kinds: ["view"] })
      assert.deepInclude(events[0] as object, { kind: "view", viewer: { handle: "ann", displayName: "Ann" } })
      const { files: [shares] } = await me.selectShares({ fileIds: [id] })
      assert.deepInclude(shares!.users[0] as object, { userId: friend.userId, handle: "ann" })

      for (const [query, field] of [[{ since: "today" }, "since"], [{ limit: -1 }, "limit"]] as const) {
        assert.deepInclude(await me.selectFileViews(query).catch((error: unknown) => error), {
          code: "invalid_field",
          field
        })
      }
      assert.deepInclude(await me.unshareFiles(asked), { removed: 1 })
      assert.deepInclude(await ann.generateDownloadUrl({ id }).catch((error: unknown) => error), {
        code: "file_not_found"
      })
    } finally {
      await close()
    }
  }, 60_000)
})
