/** Whether an operation that is sent twice leaves the drive as it says of itself. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Api } from "../src/http/Api.ts"
import * as Operation from "../src/http/Operation.ts"
import { addFile } from "./FilesTest.ts"
import { call, newUser, signedIn, testHttp } from "./TestHttp.ts"

const core = join(import.meta.dirname, "..")

const endpoints: ReadonlyArray<HttpApiEndpoint.Top> = Object.values(
  (Api as unknown as HttpApi.Top).groups as Record<string, HttpApiGroup.Top>
).flatMap((group) => Object.values(group.endpoints))

/** A drive with something of each kind in it. */
const drive = Effect.gen(function*() {
  const { token, userId } = yield* signedIn
  const friend = yield* newUser()
  const made = Effect.fnUntraced(function*(route: string, body: unknown) {
    const answer = yield* call(token, route, body)
    assert.strictEqual(answer.status, 200, `${route}: ${JSON.stringify(answer.body)}`)
    return answer.body
  })
  const top = (yield* made("/create-folder", { path: "/Trips" })).id
  const folder = (yield* made("/create-folder", { path: "/Trips/Lisbon" })).id
  const image = { type: "Image", mimeType: "image/jpeg", folderId: folder } as const
  const [photo, other] = [yield* addFile(userId, image), yield* addFile(userId, image)]
  const [track, second, third] = [
    yield* addFile(userId, { type: "Audio" }),
    yield* addFile(userId, { type: "Audio" }),
    yield* addFile(userId, { type: "Audio" })
  ]
  const trashed = yield* addFile(userId)
  yield* made("/trash-files", [{ id: trashed }])
  yield* made("/share-files", { fileIds: [photo], userIds: [friend] })
  const tag = (yield* made("/tag-files", { fileIds: [photo], tags: ["summer"] })).tags[0].id
  const playlistId = (yield* made("/create-playlist", { title: "Fado", fileIds: [track, second] })).id
  const galleryId = (yield* made("/create-gallery", { title: "Lisbon", fileIds: [photo] })).id
  const archive = (yield* made("/create-archive-request", { fileIds: [track] })).id
  const apiToken = (yield* made("/create-api-token", { name: "backup" })).id
  const upload = { type: "Image", fileName: "a.jpg", fileSize: 100, objectKey: `users/${userId}/a.jpg` }
  const form = { ...upload, objectKey: `users/${userId}/c.jpg` }
  yield* made("/generate-file-urls", form)
  const uploadToken = (yield* made("/create-multipart-upload", { ...upload, objectKey: `users/${userId}/b.jpg` })).token
  return {
    token,
    friend,
    top,
    folder,
    photo,
    other,
    track,
    second,
    third,
    trashed,
    tag,
    playlistId,
    galleryId,
    archive,
    apiToken,
    upload,
    form,
    uploadToken
  }
})

type Drive = Effect.Success<typeof drive>

/** The drive as its owner sees it. */
const seen = Effect.fnUntraced(
  function*({ archive, galleryId, other, photo, playlistId, second, token, track }: Drive) {
    const look = (route: string, body?: unknown) => Effect.map(call(token, route, body), (answer) => answer.body)
    return yield* Effect.all([
      look("/select-user-files"),
      look("/select-trashed-files"),
      look("/select-collections"),
      look("/get-user-storage-usage"),
      look("/select-api-tokens"),
      look("/select-playlist", { playlistId }),
      look("/select-gallery", { galleryId }),
      look("/select-shares", { fileIds: [photo, other, track, second] }),
      look("/select-archives", { ids: [archive] }),
      look("/select-drive-events")
    ])
  }
)

const idsIn = ({ id, uploadId }: { readonly id?: string; readonly uploadId?: string }) => ({ id, uploadId })

type Request = (drive: Drive) => unknown

const none: Request = () => undefined

/** What each operation is asked; some more than once. */
const requests: ReadonlyArray<readonly [operation: string, request: Request]> = [
  ["createApiToken", () => ({ name: "phone" })],
  ["revokeApiToken", ({ apiToken }) => ({ id: apiToken })],
  ["generateFileUrls", ({ upload }) => upload],
  ["generateUploadForms", ({ upload }) => ({ files: [upload] })],
  ["cancelFileUrls", ({ form }) => ({ objectKey: form.objectKey })],
  ["createMultipartUpload", ({ upload }) => upload],
  ["signUploadParts", ({ uploadToken }) => ({ token: uploadToken, partNumbers: [1] })],
  ["abortMultipartUpload", ({ uploadToken }) => ({ token: uploadToken })],
  ["renameFile", ({ photo }) => ({ fileId: photo, fileName: "tram.jpg" })],
  ["updateFileDescription", ({ photo }) => ({ fileId: photo, description: "a tram" })],
  ["toggleFileAccess", ({ photo }) => ({ id: photo })],
  ["trashFiles", ({ photo, track }) => [{ id: photo }, { id: track }]],
  ["restoreFiles", ({ trashed }) => [{ id: trashed }]],
  ["purgeTrashedFiles", none],
  ["deleteFiles", ({ photo, trashed }) => [{ id: photo }, { id: trashed }]],
  ["shareFiles", ({ friend, photo, track }) => ({ fileIds: [photo, track], userIds: [friend] })],
  ["unshareFiles", ({ friend, photo }) => ({ fileIds: [photo], userIds: [friend] })],
  ["moveFiles", ({ photo, track }) => ({ fileIds: [photo, track], folder: "/New/Place" })],
  ["moveFiles", ({ folder }) => ({ fromFolderId: folder, folderId: null })],
  ["createFolder", () => ({ path: "/New/Place" })],
  ["renameFolder", ({ folder }) => ({ folderId: folder, name: "Lisboa" })],
  ["moveFolder", ({ folder }) => ({ folderId: folder, parentId: null })],
  ["moveFolder", ({ folder }) => ({ folderId: folder, folder: "/New/Place" })],
  ["deleteFolder", ({ folder }) => ({ folderId: folder, files: "parent" })],
  ["deleteFolder", ({ top }) => ({ folderId: top, files: "trash" })],
  ["tagFiles", ({ photo, track }) => ({ fileIds: [photo, track], tags: ["Summer", "new"] })],
  ["tagFiles", ({ photo, track }) => ({ fileIds: [photo, track], tags: ["summer"], action: "remove" })],
  ["updateFileTags", ({ tag, track }) => ({ fileIds: [track], tagId: tag, action: "add" })],
  ["updateFileTags", ({ photo, tag }) => ({ fileIds: [photo], tagId: tag, action: "remove" })],
  ["renameTag", ({ tag }) => ({ tagId: tag, text: "winter" })],
  ["deleteTag", ({ tag }) => ({ tagId: tag })],
  ["createPlaylist", ({ track }) => ({ title: "More", fileIds: [track] })],
  ["addToPlaylist", ({ playlistId, third }) => ({ playlistId, fileIds: [third] })],
  ["reorderPlaylist", ({ playlistId, second, track }) => ({ playlistId, fileIds: [second, track] })],
  ["removeFromPlaylist", ({ playlistId, track }) => ({ playlistId, fileIds: [track] })],
  ["renamePlaylist", ({ playlistId }) => ({ playlistId, title: "Other" })],
  ["setPlaylistPublic", ({ playlistId }) => ({ playlistId, isPublic: true })],
  ["deletePlaylist", ({ playlistId }) => ({ playlistId })],
  ["createGallery", ({ photo }) => ({ title: "More", fileIds: [photo] })],
  ["addToGallery", ({ galleryId, other }) => ({ galleryId, fileIds: [other], featuredIds: [other] })],
  ["reorderGallery", ({ galleryId, other, photo }) => ({ galleryId, fileIds: [other, photo], featuredIds: [photo] })],
  ["removeFromGallery", ({ galleryId, photo }) => ({ galleryId, fileIds: [photo] })],
  ["renameGallery", ({ galleryId }) => ({ galleryId, title: "Other" })],
  ["updateGalleryDescription", ({ galleryId }) => ({ galleryId, description: "a week" })],
  ["setGalleryPublic", ({ galleryId }) => ({ galleryId, isPublic: true })],
  ["deleteGallery", ({ galleryId }) => ({ galleryId })],
  ["createArchiveRequest", ({ photo }) => ({ fileIds: [photo] })],
  ["deleteArchive", ({ archive }) => ({ id: archive })]
]

/** Repeated by tests of their own, since they take bytes in storage, tools or another server. */
const elsewhere = [
  "insertFile",
  "insertFiles",
  "completeMultipartUpload",
  "setCover",
  "setVideoThumbnail",
  "importFromUrl"
]

/** Repeated by a test of their own feature, whose name begins with `OPS-7` and the operation. */
const inFeatures = globSync("src/*/*.test.ts", { cwd: core }).flatMap((file) =>
  [...readFileSync(join(core, file), "utf8").matchAll(/["'`]OPS-7 ([A-Za-z]+)/g)].map(([, operation]) => operation)
)

/** What these do is seen in their answers alone. */
const unseen = new Set(["signUploadParts", "createArchiveRequest"])

layer(testHttp(), { timeout: "120 seconds" })("an operation that is sent twice", (it) => {
  for (const [operation, request] of requests) {
    const endpoint = endpoints.find(({ identifier }) => identifier === operation)!
    const { isRepeatable } = Operation.of(endpoint)

    it.effect(`OPS-7 ${operation} ${isRepeatable ? "leaves the drive as one call does" : "leaves it otherwise"}`, () =>
      Effect.gen(function*() {
        const fresh = yield* drive
        const before = yield* seen(fresh)
        const once = yield* call(fresh.token, endpoint.path, request(fresh))
        assert.strictEqual(once.status, 200, JSON.stringify(once.body))
        const after = yield* seen(fresh)
        const twice = yield* call(fresh.token, endpoint.path, request(fresh))
        assert.include(Operation.of(endpoint).effect === "deletes" ? [200, 404] : [200], twice.status)
        if (isRepeatable) {
          assert.deepStrictEqual(yield* seen(fresh), after)
          // What was made is not made again.
          if (twice.status === 200) assert.deepStrictEqual(idsIn(twice.body), idsIn(once.body))
        } else assert.notDeepEqual(yield* seen(fresh), after)
        if (!unseen.has(operation)) assert.notDeepEqual(after, before, "nothing was changed that could be seen")
      }))
  }

  it.effect("OPS-7 every operation that does more than read is repeated here or in a test of its own", () =>
    Effect.sync(() =>
      assert.sameMembers(
        [...new Set([...requests.map(([operation]) => operation), ...inFeatures]), ...elsewhere],
        endpoints.filter((endpoint) => Operation.of(endpoint).effect !== "reads").map(({ identifier }) => identifier)
      )
    ))
})
