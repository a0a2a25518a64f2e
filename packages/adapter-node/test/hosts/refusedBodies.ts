/** What no route takes of a body: every field with what it may not be. */
const nobody = "019845e1-682f-7b02-a706-3b2422d13aec"
const ids = (count: number) => Array.from({ length: count }, () => nobody)
const refs = (count: number) => ids(count).map((id) => ({ id }))

type Case = readonly [route: string, body: (file: Readonly<Record<string, unknown>>) => unknown]

const file = (route: string, change: Readonly<Record<string, unknown>>): Case => [
  route,
  (described) => ({ ...described, ...change })
]
const is = (route: string, body: unknown): Case => [route, () => body]

export const wrongNames = [undefined, "", "x".repeat(5_000), "a\r\nb", "a\u0000b", "a\ud800b", 7, null]
const wrongIds = [undefined, "7", "", 7, null, `${nobody}\u0000`]
const wrongLists = [undefined, "x", [], ids(5_000), [nobody, "7"], [nobody, null]]

/** Every field of every route with what it may not be; the lists are so wrong on all routes that take one. */
export const refused: ReadonlyArray<Case> = [
  ...["/generate-file-urls", "/create-multipart-upload", "/insert-file"].flatMap((route) => [
    ...wrongNames.map((fileName) => file(route, { fileName })),
    ...[undefined, -1, 1.5, Number.MAX_SAFE_INTEGER, "10", null].map((fileSize) => file(route, { fileSize })),
    ...["a", "text/plain\r\nx: y", "text/plain\u0000", 7, `a/${"b".repeat(300)}`].map((mimeType) =>
      file(route, { mimeType })
    ),
    ...[undefined, "Nothing", 7].map((type) => file(route, { type })),
    ...[undefined, 7, "users/x\u0000"].map((objectKey) => file(route, { objectKey }))
  ]),
  ...["/generate-upload-forms", "/insert-files"].flatMap((route): ReadonlyArray<Case> => [
    ...[undefined, "x", [], [null]].map((files) => is(route, { files })),
    [route, (described) => ({ files: Array.from({ length: 101 }, () => described) })],
    ...wrongNames.map((fileName): Case => [route, (described) => ({ files: [described, { ...described, fileName }] })])
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
  // Without ids they show the newest.
  ...wrongLists.flatMap((list) =>
    list === undefined ? [] : [is("/select-imports", { ids: list }), is("/select-archives", { ids: list })]
  ),
  ...[0, 1.5, 5_000, "10"].flatMap((limit) => [is("/select-imports", { limit }), is("/select-archives", { limit })]),
  ...wrongIds.flatMap((taskId) => [is("/stop-waiting-task", { taskId }), is("/cancel-agent-task", { taskId })]),
  ...["", "a\u0000", "x".repeat(10_001), 7, undefined].map((text) => is("/start-agent-task", { messageId: "a", text })),
  ...["", "a\u0000", "x".repeat(257), 7, undefined].map((messageId) =>
    is("/start-agent-task", { messageId, text: "a" })
  ),
  is("/start-agent-task", { messageId: "a", text: "a", contextId: "" }),
  ...[{ limit: 0 }, { limit: 101 }, { limit: "10" }, { cursor: 7 }].map((page) => is("/select-agent-tasks", page)),
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
    is("/delete-file-request", { requestId }),
    is("/delete-drops", { requestId, senderName: "Ada" })
  ]),
  is("/set-file-request-open", { requestId: nobody, open: "yes" }),
  ...wrongLists.flatMap((dropIds) => [is("/mark-drops-viewed", { dropIds }), is("/delete-drops", { dropIds })]),
  is("/delete-drops", { requestId: nobody }),
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
    is("/delete-review-notes", { reviewId, reviewer: "Ada" }),
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
  ),
  ...[undefined, "", "x".repeat(4_001), "a\u0000", "a\ud800b", 7].map((prompt) => is("/generate-image", { prompt })),
  ...[
    { model: "dalle" },
    { aspectRatio: "5:4" },
    { aspectRatio: "16:9" },
    { quality: "best" },
    { model: "nanoBanana", quality: "low" },
    { folder: "a" },
    { folderId: "7" },
    { folder: "/a", folderId: nobody }
  ].map((choice) => is("/generate-image", { prompt: "a", ...choice })),
  ...wrongLists.map((list) => is("/select-generations", { ids: list })),
  is("/select-generations", { ids: ids(21) }),
  ...[{ limit: 0 }, { limit: 101 }, { cursor: 7 }, { cursor: "x" }].map((page) =>
    is("/select-generation-history", page)
  ),
  ...wrongIds.map((id) => is("/cancel-generation", { id }))
]
