/** Folders, tags, playlists and galleries. */
import { assert, it } from "@effect/vitest"
import type { DriveClient } from "../DriveClient.ts"
import { clientOf, content, type CurrentHost, newClient } from "./HttpHost.ts"

const track = (client: DriveClient, fileName: string, seed: number) =>
  client.upload({ fileName, bytes: content(100, seed), type: "Audio", mimeType: "audio/mpeg" })

const picture = (client: DriveClient, fileName: string) =>
  client.upload({
    fileName,
    bytes: Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]),
    type: "Image",
    mimeType: "image/png"
  })

const unknown = "019845e1-682f-7b02-a706-3b2422d13aff"

interface Refusal {
  readonly route: string
  readonly body: unknown
  readonly status: number
  readonly code: string
  readonly field?: string
}

/** Refusals that need no existing data. */
const refusals: ReadonlyArray<Refusal> = [
  { route: "/tag-files", body: { fileIds: [unknown] }, status: 400, code: "missing_field", field: "tags" },
  { route: "/tag-files", body: { fileIds: [], tags: ["a"] }, status: 400, code: "invalid_field", field: "fileIds" },
  {
    route: "/tag-files",
    body: { fileIds: ["x"], tags: ["a"] },
    status: 400,
    code: "invalid_field",
    field: "fileIds[0]"
  },
  {
    route: "/tag-files",
    body: { fileIds: [unknown], tags: ["a", " "] },
    status: 400,
    code: "invalid_field",
    field: "tags[1]"
  },
  {
    route: "/tag-files",
    body: { fileIds: [unknown], tags: Array.from({ length: 21 }, String) },
    status: 400,
    code: "invalid_field",
    field: "tags"
  },
  { route: "/tag-files", body: { fileIds: [unknown], tags: ["a"] }, status: 404, code: "not_found" },
  {
    route: "/update-file-tags",
    body: { fileIds: [unknown], tagId: unknown },
    status: 400,
    code: "missing_field",
    field: "action"
  },
  {
    route: "/update-file-tags",
    body: { fileIds: [unknown], tagId: unknown, action: "add" },
    status: 404,
    code: "not_found"
  },
  { route: "/move-files", body: { folder: "/a" }, status: 400, code: "missing_field", field: "fileIds" },
  { route: "/move-files", body: { fileIds: [unknown] }, status: 400, code: "missing_field", field: "folder" },
  {
    route: "/move-files",
    body: { fileIds: [unknown], fromFolderId: unknown, folder: "/a" },
    status: 400,
    code: "invalid_field",
    field: "fromFolderId"
  },
  {
    route: "/move-files",
    body: { fileIds: [unknown], folder: "/a", folderId: null },
    status: 400,
    code: "invalid_field",
    field: "folderId"
  },
  { route: "/move-files", body: { fileIds: [unknown], folder: "/a" }, status: 404, code: "not_found" },
  { route: "/move-files", body: { fromFolderId: unknown, folderId: null }, status: 404, code: "not_found" },
  { route: "/create-folder", body: { path: "a" }, status: 400, code: "invalid_field", field: "path" },
  { route: "/create-folder", body: { path: "/a".repeat(33) }, status: 400, code: "invalid_field", field: "path" },
  { route: "/move-folder", body: { folderId: unknown }, status: 400, code: "missing_field", field: "parentId" },
  {
    route: "/delete-folder",
    body: { folderId: unknown, files: "both" },
    status: 400,
    code: "invalid_field",
    field: "files"
  },
  { route: "/delete-folder", body: { folderId: unknown, files: "trash" }, status: 404, code: "not_found" },
  { route: "/create-playlist", body: {}, status: 400, code: "missing_field", field: "title" },
  { route: "/create-gallery", body: { title: "x".repeat(201) }, status: 400, code: "invalid_field", field: "title" },
  { route: "/add-to-playlist", body: { playlistId: unknown, fileIds: [unknown] }, status: 404, code: "not_found" },
  {
    route: "/add-to-gallery",
    body: { galleryId: unknown, fileIds: [] },
    status: 400,
    code: "invalid_field",
    field: "fileIds"
  },
  { route: "/reorder-gallery", body: { galleryId: unknown, fileIds: [unknown] }, status: 404, code: "not_found" },
  {
    route: "/select-playlist",
    body: { playlistId: unknown, limit: 201 },
    status: 400,
    code: "invalid_field",
    field: "limit"
  },
  { route: "/select-gallery", body: { galleryId: unknown }, status: 404, code: "not_found" }
]

export const organizeCases = (host: CurrentHost): void => {
  it("ORG-3 ORG-5 ORG-6 HOST-2 tags are added, renamed and removed", async () => {
    const client = await newClient(host())
    const [a, b] = [await track(client, "a.mp3", 1), await track(client, "b.mp3", 2)]
    const { tags, updated } = await client.ok("/tag-files", { fileIds: [a, b], tags: ["Live ", "live", "Demo"] })
    assert.deepStrictEqual(updated, [a, b])
    assert.deepStrictEqual(tags.map(({ text }: { text: string }) => text), ["Live", "Demo"])
    assert.deepStrictEqual(
      await client.ok("/update-file-tags", { fileIds: [b], tagId: tags[0]!.id, action: "remove" }),
      {}
    )
    const renamed = await client.ok("/rename-tag", { tagId: tags[0]!.id, text: "Concert" })
    assert.deepStrictEqual(renamed, { id: tags[0]!.id, text: "Concert", fileCount: 1 })
    const taken = await client.call("/rename-tag", { tagId: tags[0]!.id, text: "DEMO" })
    assert.deepInclude({ status: taken.status, ...taken.body }, { status: 400, code: "invalid_field", field: "text" })
    assert.deepStrictEqual(
      (await client.ok("/generate-download-url", { id: a })).tags.map(({ text }: { text: string }) => text),
      [
        "Concert",
        "Demo"
      ]
    )
    assert.deepStrictEqual(await client.ok("/delete-tag", { tagId: tags[1]!.id }), {})
    assert.deepStrictEqual((await client.ok("/select-collections")).tags, [renamed])
  })

  it("ORG-10 ORG-11 ORG-15 ORG-17 HOST-2 files move, and folders with them", async () => {
    const client = await newClient(host())
    const [a, b] = [await track(client, "a.mp3", 1), await track(client, "b.mp3", 2)]
    const { folder, moved } = await client.ok("/move-files", { fileIds: [b, unknown, a], folder: "/Music/Live" })
    assert.deepStrictEqual(moved, [b, a])
    assert.strictEqual(folder!.path, "/Music/Live")
    await client.ok("/trash-files", [{ id: b }])
    const all = await client.ok("/move-files", { fromFolderId: folder!.id, folder: "/music/LIVE/old" })
    assert.sameMembers([...all.moved], [a, b])
    assert.strictEqual(all.folder!.path, "/Music/Live/old")
    const made = await client.ok("/create-folder", { path: "/Archive" })
    assert.deepStrictEqual(made, { id: made.id, path: "/Archive", fileCount: 0 })
    const named = await client.ok("/rename-folder", { folderId: folder!.id, name: "On stage" })
    assert.strictEqual(named.path, "/Music/On stage")
    assert.strictEqual(
      (await client.ok("/move-folder", { folderId: folder!.id, parentId: made.id })).path,
      "/Archive/On stage"
    )
    const ring = await client.call("/move-folder", { folderId: made.id, folder: "/archive/on stage/x" })
    assert.deepInclude({ status: ring.status, ...ring.body }, { status: 400, code: "invalid_field", field: "folder" })
    const { folders } = await client.ok("/select-collections")
    assert.deepStrictEqual(
      folders.map(({ fileCount, path }: { fileCount: number; path: string }) => [path, fileCount]),
      [["/Archive", 0], ["/Archive/On stage", 0], ["/Archive/On stage/old", 1], ["/Music", 0]]
    )
    assert.deepStrictEqual((await client.ok("/select-user-files"))[0]!.folder, {
      id: all.folder!.id,
      path: "/Archive/On stage/old"
    })
    const deleted = await client.ok("/delete-folder", { folderId: made.id, files: "trash" })
    assert.deepStrictEqual(deleted, { folders: 3, files: 2 })
    assert.deepStrictEqual(await client.ok("/select-user-files"), [])
    assert.deepStrictEqual(await client.ok("/restore-files", [{ id: a }]), { restored: [a] })
    assert.isNull((await client.ok("/select-user-files"))[0]!.folder)
  })

  it("ORG-20 ORG-22 ORG-24 ORG-27 HOST-2 a playlist's life", async () => {
    const client = await newClient(host())
    const [a, b, c] = [
      await track(client, "a.mp3", 1),
      await track(client, "b.mp3", 2),
      await track(client, "c.mp3", 3)
    ]
    const image = await picture(client, "d.png")
    const made = await client.ok("/create-playlist", { title: "Mix", fileIds: [b, image, a] })
    assert.deepStrictEqual(made, {
      id: made.id,
      title: "Mix",
      isPublic: false,
      fileCount: 2,
      added: [b, a],
      skipped: [image]
    })
    const added = await client.ok("/add-to-playlist", { playlistId: made.id, fileIds: [c, b, unknown] })
    assert.deepInclude(added, { fileCount: 3, added: [c], skipped: [unknown] })
    await client.ok("/trash-files", [{ id: b }])
    assert.deepStrictEqual(await client.ok("/reorder-playlist", { playlistId: made.id, fileIds: [c, unknown, a] }), {
      id: made.id,
      title: "Mix",
      isPublic: false,
      fileCount: 2
    })
    await client.ok("/restore-files", [{ id: b }])
    const names = async (offset: number) => {
      const page = await client.ok("/select-playlist", { playlistId: made.id, limit: 2, offset })
      return [page.files.map(({ fileName }: { fileName: string }) => fileName), page.nextOffset]
    }
    assert.deepStrictEqual(await names(0), [["c.mp3", "a.mp3"], 2])
    assert.deepStrictEqual(await names(2), [["b.mp3"], null])
    assert.deepInclude(await client.ok("/remove-from-playlist", { playlistId: made.id, fileIds: [a] }), {
      fileCount: 2,
      removed: [a]
    })
    assert.strictEqual((await client.ok("/rename-playlist", { playlistId: made.id, title: "Tape" })).title, "Tape")
    assert.deepStrictEqual((await client.ok("/select-collections")).playlists, [
      { id: made.id, title: "Tape", isPublic: false, fileCount: 2, coverId: null, coverUrl: null }
    ])
    assert.deepStrictEqual(await client.ok("/delete-playlist", { playlistId: made.id }), {})
    assert.strictEqual((await client.call("/select-playlist", { playlistId: made.id })).status, 404)
  })

  it("ORG-23 ORG-25 ORG-26 HOST-2 a gallery with other people's images goes public, and anyone looks at it", async () => {
    const [client, other] = [await newClient(host()), await newClient(host())]
    const [a, b, theirs] = [
      await picture(client, "a.png"),
      await picture(client, "b.png"),
      await picture(other, "c.png")
    ]
    await other.ok("/toggle-file-access", { id: theirs })
    await client.ok("/toggle-file-access", { id: a })
    const made = await client.ok("/create-gallery", {
      title: "Walls",
      description: "Of the house",
      fileIds: [a, theirs, b],
      featuredIds: [theirs, b]
    })
    assert.deepInclude(made, {
      description: "Of the house",
      fileCount: 3,
      featuredCount: 2,
      added: [a, theirs, b],
      skipped: []
    })
    const readByAnyone = () =>
      client.raw("/select-gallery", {
        body: JSON.stringify({ galleryId: made.id }),
        headers: { "content-type": "application/json" }
      })
    assert.strictEqual((await readByAnyone()).status, 404)
    const opened = await client.ok("/set-gallery-public", { galleryId: made.id, isPublic: true })
    assert.deepInclude(opened, { isPublic: true, fileCount: 2, featuredCount: 1, removed: [theirs] })
    const { body, status } = await readByAnyone()
    assert.strictEqual(status, 200)
    assert.deepInclude(body, { title: "Walls", fileCount: 1, featuredCount: 0, featuredIds: [], nextOffset: null })
    assert.deepStrictEqual(body.files.map(({ id }: { id: string }) => id), [a])
    assert.isNull(body.files[0].folder)
    assert.strictEqual(
      (await client.ok("/reorder-gallery", { galleryId: made.id, fileIds: [b, a], featuredIds: [a] })).fileCount,
      2
    )
    const own = await client.ok("/select-gallery", { galleryId: made.id })
    assert.deepStrictEqual([own.files.map(({ id }: { id: string }) => id), own.featuredIds], [[b, a], [a]])
    assert.isNull((await client.ok("/update-gallery-description", { galleryId: made.id, description: "" })).description)
    assert.strictEqual((await other.call("/delete-gallery", { galleryId: made.id })).status, 404)
  })

  it("ORG-18 ORG-31 HOST-2 a token that is limited to a folder stays in it, and ends with it", async () => {
    const client = await newClient(host())
    const [a, b] = [await track(client, "a.mp3", 1), await track(client, "b.mp3", 2)]
    const { folder } = await client.ok("/move-files", { fileIds: [a], folder: "/Jobs" })
    await client.ok("/create-folder", { path: "/Jobs old" })
    await client.ok("/tag-files", { fileIds: [b], tags: ["outside"] })
    const { token } = await client.ok("/create-api-token", { name: "limited", folder: folder!.id })
    const limited = clientOf(host(), token)
    assert.deepStrictEqual(await limited.ok("/select-collections"), {
      folders: [{ id: folder!.id, path: "/Jobs", fileCount: 1 }],
      playlists: [],
      galleries: [],
      tags: []
    })
    const out = await limited.call("/move-files", { fileIds: [a], folder: "/Jobs old" })
    assert.deepStrictEqual([out.status, out.body.code], [403, "token_limit"])
    const blind = await limited.call("/tag-files", { fileIds: [b], tags: ["mine"] })
    assert.deepStrictEqual([blind.status, blind.body.code], [404, "not_found"])
    assert.strictEqual((await limited.ok("/move-files", { fileIds: [a, b], folder: "/jobs/in" })).moved.length, 1)
    await client.ok("/delete-folder", { folderId: folder!.id, files: "parent" })
    const ended = await limited.call("/select-collections")
    assert.deepStrictEqual([ended.status, ended.body.code], [401, "no_session"])
    const again = await clientOf(host(), token).exchange()
    assert.deepStrictEqual([again.status, again.body.code], [401, "invalid_token"])
  })

  it("ORG-10 ORG-13 ORG-14 HOST-2 what can't be done is refused, naming the field", async () => {
    const client = await newClient(host())
    for (const { body, route, ...expected } of refusals) {
      const answer = await client.call(route, body)
      assert.deepInclude({ status: answer.status, ...answer.body }, expected, `${route} ${JSON.stringify(body)}`)
    }
    assert.deepStrictEqual((await client.ok("/select-collections")).folders, [])
  })
}
