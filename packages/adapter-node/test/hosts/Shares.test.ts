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
      const [me, ann] = [drive.api.as(userId), drive.api.as(friend.userId)]

      assert.deepStrictEqual(await me.shares.share([id], [friend.userId]), { shared: [id], skipped: [], added: 1 })
      const theirs = []
      for await (const file of ann.shares.sharedWithMe()) theirs.push(file)
      assert.deepStrictEqual(ids(theirs), [id])
      assert.isString((await ann.files.link(id)).downloadUrl)

      const { files, since } = await me.views()
      assert.deepInclude(files[0] as object, { id, views: 1 })
      assert.deepInclude(files[0]!.viewers[0], { handle: "ann", displayName: "Ann", views: 1 })
      assert.deepStrictEqual((await me.views({ fileIds: [id], since })).files, files)
      const { events } = await me.selectEvents({ kinds: ["view"] })
      assert.deepInclude(events[0] as object, { kind: "view", viewer: { handle: "ann", displayName: "Ann" } })
      const [shares] = await me.shares.list([id])
      assert.deepInclude(shares!.users[0] as object, { userId: friend.userId, handle: "ann" })

      for (const [query, field] of [[{ since: "today" }, "since"], [{ limit: -1 }, "limit"]] as const) {
        assert.deepInclude(await me.views(query).catch((error: unknown) => error), { code: "invalid_field", field })
      }
      assert.deepInclude(await me.shares.unshare([id], [friend.userId]), { removed: 1 })
      assert.deepInclude(await ann.files.link(id).catch((error: unknown) => error), { code: "file_not_found" })
    } finally {
      await close()
    }
  }, 60_000)
})
