/** Sharing files with people, and who opens them. */
import { assert, it } from "@effect/vitest"
import type { DriveClient } from "../DriveClient.ts"
import { content, type CurrentHost, newClient } from "./HttpHost.ts"

const nobody = "019845e1-682f-7b02-a706-3b2422d13aff"

/** A link for somebody who is not signed in; its status. */
const strangerOpens = async (client: DriveClient, id: string, userAgent: string): Promise<number> => {
  const answer = await client.raw("/generate-download-url", {
    body: JSON.stringify({ id }),
    headers: { "content-type": "application/json", "user-agent": userAgent }
  })
  return answer.status
}

const ids = (files: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> => files.map(({ id }) => id)

export const shareCases = (host: CurrentHost): void => {
  it("SHR-1 SHR-6 SHR-7 HOST-2 a file is shared with somebody, opened, and no longer shared", async () => {
    const [owner, friend] = [await newClient(host()), await newClient(host())]
    const bytes = content(1_000)
    const id = await owner.upload({ fileName: "shared.bin", bytes })
    const { userId } = await friend.session()
    assert.strictEqual((await friend.call("/generate-download-url", { id })).status, 403)
    assert.deepStrictEqual(await owner.ok("/share-files", { fileIds: [id, nobody], userIds: [userId] }), {
      shared: [id],
      skipped: [nobody],
      added: 1
    })
    assert.deepStrictEqual(await friend.download(id), bytes)
    const { files, nextCursor } = await friend.ok("/select-shared-files")
    assert.deepStrictEqual([ids(files), nextCursor], [[id], null])
    assert.deepInclude(files[0], { fileName: "shared.bin", objectKey: null, downloadUrl: null, tags: [], folder: null })
    assert.deepStrictEqual((await owner.ok("/select-shared-files", { limit: 1 })).files, [])
    const [shares] = (await owner.ok("/select-shares", { fileIds: [id] })).files
    assert.deepInclude(shares!.users[0], { userId })
    assert.hasAllKeys(shares!.users[0], ["userId", "handle", "displayName", "insertTime"])

    const taken = await owner.ok("/unshare-files", { fileIds: [id], userIds: [userId] })
    assert.deepStrictEqual(taken, { unshared: [id], skipped: [], removed: 1 })
    const refused = await friend.call("/generate-download-url", { id })
    assert.deepStrictEqual([refused.status, refused.body.code], [403, "file_not_found"])
    assert.deepStrictEqual((await friend.ok("/select-shared-files")).files, [])
  })

  it("SHR-2 SHR-3 HOST-2 sharing with nobody, or what is not the caller's, is refused", async () => {
    const [owner, friend] = [await newClient(host()), await newClient(host())]
    const id = await owner.upload({ fileName: "a.bin", bytes: content(1) })
    const [{ userId: me }, { userId }] = [await owner.session(), await friend.session()]
    for (
      const [client, body, status, field] of [
        [owner, { fileIds: [id], userIds: [userId, nobody] }, 400, "userIds[1]"],
        [owner, { fileIds: [id], userIds: [me] }, 400, "userIds[0]"],
        [owner, { fileIds: [id], userIds: [] }, 400, "userIds"],
        [owner, { fileIds: [], userIds: [userId] }, 400, "fileIds"],
        [owner, { fileIds: Array(501).fill(id), userIds: [userId] }, 400, "fileIds"],
        [owner, { fileIds: [id], userIds: Array(101).fill(userId) }, 400, "userIds"],
        [owner, { fileIds: [nobody], userIds: [userId] }, 404, undefined],
        [friend, { fileIds: [id], userIds: [me] }, 404, undefined]
      ] as const
    ) {
      const answer = await client.call("/share-files", body)
      assert.deepStrictEqual([answer.status, answer.body.field], [status, field])
    }
    assert.strictEqual((await friend.call("/unshare-files", { fileIds: [id], userIds: [userId] })).status, 404)
    assert.strictEqual((await friend.call("/select-shares", { fileIds: [id] })).status, 404)
    assert.strictEqual((await friend.call("/select-shared-files", { cursor: "x" })).body.field, "cursor")
    assert.deepStrictEqual((await owner.ok("/select-shares", { fileIds: [id] })).files, [{ id, users: [] }])
  })

  it("VIEW-1 VIEW-2 VIEW-4 VIEW-5 HOST-2 links given to others are opens, told once a day for each viewer", async () => {
    const [owner, friend] = [await newClient(host()), await newClient(host())]
    const [id, other] = [
      await owner.upload({ fileName: "seen.bin", bytes: content(10) }),
      await owner.upload({ fileName: "unseen.bin", bytes: content(10) })
    ]
    await owner.ok("/share-files", { fileIds: [id], userIds: [(await friend.session()).userId] })
    assert.deepStrictEqual((await owner.ok("/select-file-views")).files, [])
    await owner.download(id)
    await friend.download(id)
    await friend.ok("/generate-download-url", { id })
    assert.strictEqual(await strangerOpens(owner, id, "first/1"), 400)
    await owner.ok("/toggle-file-access", { id })
    for (const userAgent of ["first/1", "first/1", "second/2"]) {
      assert.strictEqual(await strangerOpens(owner, id, userAgent), 200)
    }
    const { files, since } = await owner.ok("/select-file-views")
    assert.match(since, /^\d{4}-\d\d-\d\d$/)
    assert.strictEqual(files.length, 1)
    assert.deepInclude(files[0], { id, fileName: "seen.bin", isPublic: true, views: 5, allViews: 5 })
    assert.deepStrictEqual(
      files[0]!.viewers.map(({ views }: { readonly views: number }) => views),
      [2]
    )
    assert.match(files[0]!.viewers[0]!.lastDay, /^\d{4}-\d\d-\d\d$/)
    const named = await owner.ok("/select-file-views", { fileIds: [other, id], since: "2020-02-29" })
    assert.deepStrictEqual([named.since, ids(named.files)], ["2020-02-29", [id, other]])
    assert.deepInclude(named.files[1], { views: 0, allViews: 0, lastViewTime: null, viewers: [] })
    const { events } = await owner.ok("/select-drive-events", { kinds: ["view"], fileId: id })
    assert.deepStrictEqual(
      events.map((event) => event.kind === "view" && event.viewer === null),
      [false, true, true]
    )
    assert.deepStrictEqual((await friend.ok("/select-file-views", { fileIds: [id] })).files, [])
  })

  it.each([
    ["since", "2026-01-01T00:00:00Z"],
    ["since", "yesterday"],
    ["since", "2026-02-30"],
    ["since", "0000-01-01"],
    ["since", 20_260_101],
    ["limit", 0],
    ["limit", 101],
    ["fileIds", []],
    ["fileIds", Array(101).fill(nobody)],
    ["fileIds[1]", [nobody, "x"]],
    ["folder", "nowhere"]
  ])("VIEW-6 HOST-2 a wrong %s is named (%#)", async (field, value) => {
    const client = await newClient(host())
    const { body, status } = await client.call("/select-file-views", { [field.replace("[1]", "")]: value })
    assert.deepStrictEqual([status, body.code, body.field], [400, "invalid_field", field])
  })
}
