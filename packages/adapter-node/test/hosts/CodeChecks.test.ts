/** What a host's own code may not pass either: it is refused as over HTTP. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DriveError, type UserDrive } from "@filedrive/adapter-node"
import { Api, Operations } from "@filedrive/core"
import { DriveClient } from "@filedrive/testing"
import { badCalls } from "@filedrive/testing/suites"
import { fetchOf, temporaryDrive, userOf } from "./hosts.ts"

const nobody = "019845e1-682f-7b02-a706-3b2422d13aec"
const ids = (count: number) => Array.from({ length: count }, () => nobody)
const refs = (count: number) => ids(count).map((id) => ({ id }))

/** The operations by their routes, with and without an account. Those without a body, and live streams, take nothing that could be refused. */
const operations = new Map(
  Object.values(Api.groups).flatMap((group) =>
    Object.values(group.endpoints).flatMap(({ identifier, method, path, payload }) =>
      payload.size === 0 || method === "GET"
        ? []
        : [[path as string, identifier as Operations.OperationId | Operations.PublicOperationId] as const]
    )
  )
)
const publicIds: ReadonlySet<string> = new Set(Operations.publicIds)

type Case = readonly [route: string, body: (file: Readonly<Record<string, unknown>>) => unknown]

const file = (route: string, change: Readonly<Record<string, unknown>>): Case => [
  route,
  (described) => ({ ...described, ...change })
]
const is = (route: string, body: unknown): Case => [route, () => body]

const wrongNames = [undefined, "", "x".repeat(5_000), "a\r\nb", "a\u0000b", "a\ud800b", 7, null]
const wrongIds = [undefined, "7", "", 7, null, `${nobody}\u0000`]
const wrongLists = [undefined, "x", [], ids(5_000), [nobody, "7"], [nobody, null]]

/** Every field of every route with what it may not be; the lists are so wrong on all routes that take one. */
const refused: ReadonlyArray<Case> = [
  ...["/generate-file-urls", "/create-multipart-upload", "/insert-file"].flatMap((route) => [
    ...wrongNames.map((fileName) => file(route, { fileName })),
    ...[undefined, -1, 1.5, Number.MAX_SAFE_INTEGER, "10", null].map((fileSize) => file(route, { fileSize })),
    ...["a", "text/plain\r\nx: y", "text/plain\u0000", 7, `a/${"b".repeat(300)}`].map((mimeType) =>
      file(route, { mimeType })
    ),
    ...[undefined, "Nothing", 7].map((type) => file(route, { type })),
    ...[undefined, 7, "users/x\u0000"].map((objectKey) => file(route, { objectKey }))
  ]),
  file("/insert-file", { isPublic: "yes" }),
  file("/insert-file", { creator: {} }),
  file("/insert-file", { creator: { id: "a\u0000" } }),
  ...[undefined, [], [0], [1.5], "1", Array.from({ length: 1_001 }, (_, at) => at + 1)].map((partNumbers) =>
    is("/sign-upload-parts", { token: "t", partNumbers })
  ),
  ...["/sign-upload-parts", "/complete-multipart-upload", "/abort-multipart-upload"].flatMap((route) =>
    [undefined, 7, "a\u0000"].map((token) => is(route, { token, partNumbers: [1] }))
  ),
  ...["/generate-download-url", "/toggle-file-access"].flatMap((route) => wrongIds.map((id) => is(route, { id }))),
  ...wrongNames.map((fileName) => is("/rename-file", { fileId: nobody, fileName })),
  ...wrongIds.map((fileId) => is("/rename-file", { fileId, fileName: "a" })),
  ...[undefined, "x".repeat(10_001), "a\u0000", 7].map((description) =>
    is("/update-file-description", { fileId: nobody, description })
  ),
  ...["/trash-files", "/delete-files"].flatMap((route) =>
    [[], refs(1_001), [{ id: nobody }, { id: "7" }], [{}]].map((body) => is(route, body))
  ),
  ...[[], [{ id: "7" }]].map((body) => is("/restore-files", body)),
  ...[
    { text: "x".repeat(1_001) },
    { text: "a\u0000" },
    { limit: 0 },
    { offset: -1 },
    { minSize: 1.5 },
    { within: { south: -91, west: 0, north: 0, east: 0 } },
    { within: {} },
    { key: "H" },
    { uploadedAfter: "yesterday" },
    { types: ["x"] },
    { sort: "size" },
    { folder: "a" },
    { tags: [7] }
  ].map((body) => is("/search-files", body)),
  ...wrongLists.filter((list) => list !== undefined).map((fileIds) => is("/move-files", { fileIds, folder: "/a" })),
  ...[{}, { folder: "a" }, { folder: "/a\u0000" }, { folderId: "7" }, { folder: "/a", folderId: null }].map((to) =>
    is("/move-files", { fileIds: [nobody], ...to })
  ),
  is("/move-files", { fromFolderId: "7", folder: "/a" }),
  is("/move-files", { folder: "/a" }),
  ...[undefined, "", "a", "/a\u0000", "/a\n", `/${"x".repeat(256)}`, 7].map((path) => is("/create-folder", { path })),
  ...["", "a/b", "a\u0000", "x".repeat(256), undefined].map((name) => is("/rename-folder", { folderId: nobody, name })),
  ...wrongIds.map((folderId) => is("/rename-folder", { folderId, name: "a" })),
  ...[{}, { parentId: "7" }, { folder: "a" }].map((to) => is("/move-folder", { folderId: nobody, ...to })),
  is("/delete-folder", { folderId: nobody, files: "away" }),
  is("/delete-folder", { folderId: "7", files: "trash" }),
  ...wrongLists.map((fileIds) => is("/tag-files", { fileIds, tags: ["a"] })),
  ...[undefined, [], [""], ["a\u0000"], ["x".repeat(101)], ["a\n"], [7], Array(1_000).fill("a")].map((tags) =>
    is("/tag-files", { fileIds: [nobody], tags })
  ),
  is("/tag-files", { fileIds: [nobody], tags: ["a"], action: "toggle" }),
  ...wrongLists.map((fileIds) => is("/update-file-tags", { fileIds, tagId: nobody, action: "add" })),
  is("/update-file-tags", { fileIds: [nobody], tagId: "7", action: "add" }),
  ...[{}, { name: "" }, { name: "a", permissions: [] }, { name: "a", folder: "7" }, { name: "a", scopes: ["read"] }]
    .map(
      (token) => is("/create-api-token", token)
    ),
  ...wrongIds.map((id) => is("/revoke-api-token", { id })),
  ...wrongIds.map((id) => is("/delete-archive", { id })),
  ...[undefined, 7, "a\u0000"].map((objectKey) => is("/cancel-file-urls", { objectKey })),
  ...[{ limit: 0 }, { cursor: 7 }].map((page) => is("/select-shared-files", page)),
  ...["", "a\u0000", undefined].map((text) => is("/rename-tag", { tagId: nobody, text })),
  ...wrongIds.map((tagId) => is("/delete-tag", { tagId })),
  ...(["playlist", "gallery"] as const).flatMap((kind) => {
    const id = `${kind}Id`
    return [
      ...["", "x".repeat(201), "a\u0000", "a\n", undefined].map((title) => is(`/create-${kind}`, { title })),
      ...["x", ids(5_000), ["7"]].map((fileIds) => is(`/create-${kind}`, { title: "a", fileIds })),
      is(`/create-${kind}`, { title: "a", isPublic: 1 }),
      ...wrongLists.map((fileIds) => is(`/add-to-${kind}`, { [id]: nobody, fileIds })),
      ...wrongLists.filter((list) => list?.length !== 5_000).map((fileIds) =>
        is(`/reorder-${kind}`, { [id]: nobody, fileIds })
      ),
      ...wrongLists.map((fileIds) => is(`/remove-from-${kind}`, { [id]: nobody, fileIds })),
      ...["", "a\u0000"].map((title) => is(`/rename-${kind}`, { [id]: nobody, title })),
      is(`/set-${kind}-public`, { [id]: nobody, isPublic: "no" }),
      ...wrongIds.map((list) => is(`/delete-${kind}`, { [id]: list })),
      ...[{ limit: 0 }, { limit: 1_000_000 }, { offset: -1 }].map((page) =>
        is(`/select-${kind}`, { [id]: nobody, ...page })
      )
    ]
  }),
  ...["x".repeat(20_000), "a\u0000"].map((description) =>
    is("/update-gallery-description", { galleryId: nobody, description })
  ),
  ...["/share-files", "/unshare-files"].flatMap((route) =>
    wrongLists.flatMap((list) => [
      is(route, { fileIds: list, userIds: [nobody] }),
      is(route, { fileIds: [nobody], userIds: list })
    ])
  ),
  ...wrongLists.map((fileIds) => is("/select-shares", { fileIds })),
  ...["", "ftp://a", "a\u0000", "x".repeat(10_000), undefined].map((url) => is("/import-from-url", { url })),
  ...wrongNames.filter((name) => name !== undefined).map((fileName) =>
    is("/import-from-url", { url: "https://a.example/b", fileName })
  ),
  is("/import-from-url", { url: "https://a.example/b", folder: "/a", folderId: null }),
  ...wrongLists.flatMap((list) => [is("/select-imports", { ids: list }), is("/select-archives", { ids: list })]),
  ...wrongLists.filter((list) => list?.length !== 5_000).map((fileIds) => is("/create-archive-request", { fileIds })),
  is("/create-archive-request", { fileIds: [nobody], title: "a\u0000" }),
  is("/create-archive-request", { fileIds: [nobody], playlistId: nobody }),
  ...[{ fileId: "7" }, { fileId: nobody, at: -1 }, { fileId: nobody, fromPage: 0 }, { fileId: nobody, offset: 1.5 }]
    .map(
      (body) => is("/read-file", body)
    ),
  ...[{}, { trackId: "7" }, { trackId: nobody, playlistId: nobody }].map((target) =>
    is("/set-cover", { imageId: nobody, ...target })
  ),
  ...[{}, { timestampSeconds: -1 }, { imageId: "7" }].map((from) =>
    is("/set-video-thumbnail", { videoId: nobody, ...from })
  ),
  ...[{ fileId: "7" }, { fileId: nobody, limit: 0 }].map((body) => is("/select-similar-tracks", body)),
  ...[{ since: "a\u0000" }, { since: "x" }, { kinds: [] }, { kinds: ["x"] }, { limit: 0 }, { fileId: "7" }].map((
    body
  ) => is("/select-drive-events", body)),
  ...[{ fileIds: ["7"] }, { since: "x" }, { limit: 0 }, { folder: "a\u0000" }].map((body) =>
    is("/select-file-views", body)
  ),
  ...[undefined, "", "x".repeat(201), "a\u0000", "a\n", 7].map((title) => is("/create-file-request", { title })),
  ...[{ maxBytes: 0 }, { expireTime: "yesterday" }, { folder: "a" }, { folder: "/a", folderId: nobody }, { message: 7 }]
    .flatMap((change) => [
      is("/create-file-request", { title: "a", ...change }),
      ...("folder" in change ? [] : [is("/update-file-request", { requestId: nobody, ...change })])
    ]),
  ...[{ requestIds: [] }, { requestIds: ids(51) }, { folder: "a" }].map((body) => is("/select-file-requests", body)),
  ...wrongIds.flatMap((requestId) => [
    is("/set-file-request-open", { requestId, open: true }),
    is("/update-file-request", { requestId }),
    is("/delete-file-request", { requestId })
  ]),
  is("/set-file-request-open", { requestId: nobody, open: "yes" }),
  ...wrongLists.map((dropIds) => is("/mark-drops-viewed", { dropIds })),
  ...[undefined, 7, null].map((requestId) => is("/open-file-request", { requestId })),
  ...["", "x".repeat(101), "a\n", "a\u0000", 7, undefined].map((senderName) =>
    is("/start-drop", { requestId: nobody, senderName })
  ),
  is("/start-drop", { requestId: nobody, senderName: "a", note: "x".repeat(2_001) }),
  ...["/drop-file-urls", "/create-drop-upload", "/insert-drop-file"].flatMap((route) => {
    const sent = { dropToken: "t", clientKey: "k", type: "Other", fileName: "a", fileSize: 1 }
    return [
      ...["", "x".repeat(201), "a\u0000", 7, undefined].map((clientKey) => is(route, { ...sent, clientKey })),
      ...wrongNames.map((fileName) => is(route, { ...sent, fileName })),
      ...[undefined, -1, 1.5, "10"].map((fileSize) => is(route, { ...sent, fileSize }))
    ]
  }),
  ...[
    "/sign-drop-parts",
    "/complete-drop-upload",
    "/abort-drop-upload",
    "/remove-drop-file",
    "/select-drop",
    "/finish-drop"
  ]
    .flatMap((route) =>
      [undefined, 7, null, "x".repeat(201)].map((dropToken) =>
        is(route, { dropToken, token: "t", partNumbers: [1], fileId: nobody })
      )
    ),
  is("/sign-drop-parts", { dropToken: "t", token: "t", partNumbers: [0] }),
  ...wrongIds.map((fileId) => is("/create-file-review", { fileId })),
  ...[{ message: "x".repeat(2_001) }, { expireTime: "x" }, { allowDownload: 1 }].flatMap((change) => [
    is("/create-file-review", { fileId: nobody, ...change }),
    is("/update-file-review", { reviewId: nobody, ...change })
  ]),
  ...[{ reviewIds: [] }, { reviewIds: ids(51) }, { fileId: "7" }, { folder: "a" }].map((body) =>
    is("/select-file-reviews", body)
  ),
  ...wrongIds.flatMap((reviewId) => [
    is("/update-file-review", { reviewId }),
    is("/delete-file-review", { reviewId }),
    is("/export-review-notes", { reviewId, format: "csv" })
  ]),
  is("/export-review-notes", { reviewId: nobody, format: "pdf" }),
  ...wrongIds.flatMap((noteId) => [
    is("/reply-to-review-note", { noteId, text: "a" }),
    is("/set-review-note-resolved", { noteId, resolved: true }),
    is("/delete-review-note", { noteId }),
    is("/edit-review-note", { noteId, reviewerToken: "t", text: "a" }),
    is("/delete-own-review-note", { noteId, reviewerToken: "t" })
  ]),
  ...["", "x".repeat(4_001), "a\u0000", 7, undefined].flatMap((text) => [
    is("/reply-to-review-note", { noteId: nobody, text }),
    is("/edit-review-note", { noteId: nobody, reviewerToken: "t", text }),
    is("/leave-review-note", { reviewId: nobody, reviewer: "a", text })
  ]),
  ...["", "x".repeat(101), "a\n", undefined].map((reviewer) =>
    is("/leave-review-note", { reviewId: nobody, reviewer, text: "a" })
  ),
  is("/leave-review-note", { reviewId: nobody, reviewer: "a", text: "a", seconds: 5, endSeconds: 4 }),
  is("/leave-review-note", { reviewId: nobody, reviewer: "a", text: "a", seconds: -1 }),
  is("/set-review-note-resolved", { noteId: nobody, resolved: "no" }),
  ...[undefined, 7, null].map((reviewId) => is("/open-file-review", { reviewId })),
  ...[{ limit: 0 }, { limit: 501 }, { cursor: 7 }].map((page) =>
    is("/select-review-notes", { reviewId: nobody, ...page })
  )
]

interface Refusal {
  readonly code?: string
  readonly field?: string
  readonly message?: string
}

describe("the drive in code", () => {
  let host: Awaited<ReturnType<typeof temporaryDrive>>
  let client: DriveClient
  let me: UserDrive

  beforeAll(async () => {
    host = await temporaryDrive({ url: "http://drive.test", rateLimits: false })
    const { apiToken, userId } = await userOf(host.drive)()
    client = new DriveClient({ url: "http://drive.test", apiToken, fetch: fetchOf(host.drive) })
    me = host.drive.as(userId)
  })
  afterAll(() => host.close())

  /** What code is refused with, beside what HTTP says. */
  const compare = async (route: string, body: unknown) => {
    const { body: said, status } = await client.call(route, body)
    assert.isAtLeast(status, 400, `${route} ${JSON.stringify(body)?.slice(0, 200)} is refused`)
    assert.isBelow(status, 500, route)
    const id = operations.get(route)!
    const calls = (publicIds.has(id) ? host.drive.public : me) as Readonly<
      Record<string, (body: unknown) => Promise<unknown>>
    >
    const call = calls[id]!
    const refusal = await call(body).then((): unknown => undefined, (error: unknown) => error)
    const where = `${route} ${JSON.stringify(body)?.slice(0, 200)}`
    assert.instanceOf(refusal, DriveError, where)
    const { code, field, message: error, retryable, status: inCode } = refusal
    assert.deepStrictEqual({ code, error, retryable, status: inCode, ...(field !== undefined && { field }) }, {
      ...said,
      status
    }, where)
  }

  const inCode = badCalls.filter(({ route }) => operations.has(route))

  it.each(inCode)("HOST-31 $what is refused as over HTTP", async ({ body, route }) => {
    await compare(route, await body(client))
  })

  it("HOST-31 whatever a route refuses of a body, code is refused with the same code, field and sentence", async () => {
    const described = await client.describe({ fileName: "a.bin", bytes: new Uint8Array(10) })
    for (const [route, body] of refused) await compare(route, body(described))
    // No route is forgotten: each was refused something.
    assert.sameMembers([...new Set(refused.map(([route]) => route))], [...operations.keys()])
  })

  it("HOST-31 an operation without a body takes no list and no text, in code as over HTTP", async () => {
    for (const given of [[], [{ id: "x" }], "x", 5, true]) {
      const error = await (me.purgeTrashedFiles as (given: unknown) => Promise<unknown>)(given).then(
        (): object => ({}),
        (error: object) => error
      )
      assert.deepInclude(error, { code: "invalid_body", status: 400 }, JSON.stringify(given))
    }
  })

  it("HOST-31 ids of files to extract again that are no list, or no ids, are refused", async () => {
    for (
      const [given, field] of [[undefined], [null], ["x"], [{}], [["7"], "[0].id"]] as ReadonlyArray<
        readonly [unknown, string?]
      >
    ) {
      const error = await me.files.reextract(given as never).then((): object => ({}), (error: object) => error)
      assert.deepInclude(error, { code: "invalid_field", field }, JSON.stringify(given))
    }
  })

  it("HOST-31 what a feed is asked for is refused as other arguments are, not thrown as a TypeError", async () => {
    const first = (given: unknown) =>
      me.events(given as never)[Symbol.asyncIterator]().next().then((): object => ({}), (error: object) => error)
    for (const given of [null, "x", 7, []]) {
      assert.deepInclude(await first(given), {
        code: "invalid_field",
        field: undefined,
        message: "The body must be an object."
      })
    }
    for (const signal of [null, "x", {}]) {
      assert.deepInclude(await first({ signal }), {
        code: "invalid_field",
        field: "signal",
        message: "signal must be an AbortSignal."
      })
    }
  })

  it("BULK-7 HOST-31 a row of a bulk import passes what an upload passes", async () => {
    const { objectKey } = await client.describe({ fileName: "a.bin", bytes: new Uint8Array(10) })
    const row = { objectKey, storedAs: "a", fileName: "a", type: "Other" as const, fileSize: 1, etag: "e" }
    const wrong = [
      ...wrongNames.map((fileName) => ({ fileName })),
      ...[-1, 1.5, "1", undefined].map((fileSize) => ({ fileSize })),
      ...["a", "text/plain\r\nx: y", "text/plain\u0000"].map((mimeType) => ({ mimeType })),
      ...[`${objectKey}\u0000`, `${objectKey}/../x`].map((objectKey) => ({ objectKey })),
      ...["", "a\u0000"].map((etag) => ({ etag })),
      ...["/a\u0000", "a"].map((folder) => ({ folder })),
      ...["x".repeat(10_001), "a\u0000"].map((description) => ({ description }))
    ]
    for (const change of wrong) {
      const error = await me.files.importMany([{ ...row, ...change } as never], { verify: false })
        .then((): Refusal => ({}), (error: Refusal) => error)
      const [field] = Object.keys(change)
      assert.strictEqual(error.field, `rows[0].${field}`, JSON.stringify(change).slice(0, 100))
      assert.include(["invalid_field", "missing_field"], error.code)
      assert.match(error.message ?? "", /^rows\[0\]\.\w+ (?:must|is) .*[^.]\.$/)
    }
    for (const [tags, field] of [[["ok", ""], "tags[1]"], [["a\u0000"], "tags[0]"]] as const) {
      const error = await me.files.importMany([{ ...row, tags }], { verify: false })
        .then((): Refusal => ({}), (error: Refusal) => error)
      assert.strictEqual(error.field, `rows[0].${field}`)
    }
  })
})
