/** Calls in code that are limited to a folder which is gone: none of them does anything. */
import { assert, describe, it } from "@effect/vitest"
import { DriveError, type UserDrive } from "@filedrive/adapter-node"
import { Operations } from "@filedrive/core"
import { DriveClient } from "@filedrive/testing"
import { fetchOf, temporaryDrive, userOf } from "./hosts.ts"

const first = (values: AsyncIterable<unknown>) => values[Symbol.asyncIterator]().next()

const failure = (act: Promise<unknown>): Promise<unknown> => act.then((): unknown => "was taken", (error) => error)

/** Every call of a user's drive that could do something. */
const callsOf = (me: UserDrive, objectKey: string): Readonly<Record<string, () => Promise<unknown>>> => ({
  ...Object.fromEntries(Operations.ids.map((id) => [id, () => (me[id] as (given: unknown) => Promise<unknown>)({})])),
  generateFileUrls: () => me.generateFileUrls({ type: "Other", fileName: "a", fileSize: 3, objectKey }),
  createMultipartUpload: () => me.createMultipartUpload({ type: "Other", fileName: "a", fileSize: 3, objectKey }),
  createPlaylist: () => me.createPlaylist({ title: "a" }),
  createGallery: () => me.createGallery({ title: "a" }),
  importFromUrl: () => me.importFromUrl({ url: "https://a.example/b" }),
  createFolder: () => me.createFolder({ path: "/Gone/b" }),
  "files.put": () => me.files.put(new Uint8Array(3), { fileName: "a" }),
  "files.get": () => me.files.get("019845e1-682f-7b02-a706-3b2422d13aec"),
  "files.list": () => first(me.files.list()),
  "files.listTrash": () => first(me.files.listTrash()),
  "files.importMany": () => me.files.importMany([]),
  "files.reextract": () => me.files.reextract(["019845e1-682f-7b02-a706-3b2422d13aec"]),
  "events": () => first(me.events())
})

describe("calls limited to a folder", () => {
  it("HOST-97 every call whose folder is deleted or another's is refused, and nothing is changed", async () => {
    const { close, drive } = await temporaryDrive({ url: "http://drive.test" })
    const [{ apiToken, userId }, other] = [await userOf(drive)(), await userOf(drive)()]
    const me = drive.as(userId)
    const gone = (await me.createFolder({ path: "/Gone" })).id
    const token = await me.createApiToken({ name: "limited", folder: gone })
    const client = new DriveClient({ url: "http://drive.test", apiToken: token.token, fetch: fetchOf(drive) })
    const owner = new DriveClient({ url: "http://drive.test", apiToken, fetch: fetchOf(drive) })
    await client.session()
    const theirs = (await drive.as(other.userId).createFolder({ path: "/Theirs" })).id
    const limited = drive.as(userId, { folder: gone })
    const followed = limited.events()[Symbol.asyncIterator]().next()
    await limited.createPlaylist({ title: "while it is there" })
    await me.deleteFolder({ folderId: gone, files: "trash" })
    assert.isTrue((await followed as { readonly done?: boolean }).done)
    for (const folder of [gone, theirs, "019845e1-682f-7b02-a706-3b2422d13aec"]) {
      const calls = callsOf(drive.as(userId, { folder }), `users/${userId}/a`)
      for (const [name, call] of Object.entries(calls)) {
        const error = await failure(call())
        assert.instanceOf(error, DriveError, name)
        assert.deepInclude(error, { code: "not_found", status: 404, field: undefined }, name)
        assert.strictEqual(error.message, `No folder of yours has the id ${folder}.`)
      }
      assert.deepInclude(await failure(drive.sessions.open(userId, { folder })), { code: "not_found", status: 404 })
    }
    const { folders, galleries, playlists } = await me.selectCollections()
    assert.deepStrictEqual([folders, galleries, playlists.map(({ title }) => title)], [[], [], ["while it is there"]])
    assert.deepInclude(await me.getUserStorageUsage(), { usedBytes: 0, pendingBytes: 0 })
    // Over HTTP the session has ended with the folder, and so has its token.
    for (const route of ["/create-playlist", "/create-multipart-upload", "/generate-file-urls", "/select-user-files"]) {
      const { body, status } = await client.call(route, {})
      assert.deepStrictEqual([status, body.code], [401, "no_session"], route)
    }
    assert.strictEqual((await owner.call("/select-collections")).status, 200)
    await close()
  }, 60_000)
})
