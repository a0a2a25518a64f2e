/** Where arrivals land, and what tokens that are limited to a folder see of it, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { delivered, listed, made, newRequest, refusal } from "../../test/RequestsTest.ts"
import { signedIn, testHttp } from "../../test/TestHttp.ts"
import { Sessions } from "../accounts/Sessions.ts"
import type { FolderId } from "../shared/Ids.ts"

const nobody = "5e0c1a7d-93b4-4f28-a6d1-c07e94b2385f"

const limited = Effect.fnUntraced(function*(
  userId: Parameters<Sessions["Service"]["open"]>[0],
  folderId: string | null,
  permissions: ReadonlyArray<"read" | "share" | "organize" | "add"> | null = null
) {
  return (yield* (yield* Sessions).open(userId, { permissions, folderId: folderId as FolderId | null })).token
})

layer(testHttp({ rateLimits: false }), { timeout: "120 seconds" })("folders of file requests", (it) => {
  it.effect("REQ-14 arrivals land in the folder wherever it is, and where it was once it is deleted", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { folder, id } = yield* newRequest(token, { folder: "/A/B/C" })
      const pathOf = Effect.fnUntraced(function*(fileId: string) {
        const { files } = yield* made(token, "/search-files", { limit: 200 })
        return files.find((file: { id: string }) => file.id === fileId).folder?.path
      })
      const arrival = Effect.flatMap(delivered(id, [1]), ({ fileIds }) => pathOf(fileIds[0]!))
      assert.strictEqual(yield* arrival, "/A/B/C")
      yield* made(token, "/rename-folder", { folderId: folder.id, name: "Cc" })
      assert.strictEqual(yield* arrival, "/A/B/Cc")
      yield* made(token, "/move-folder", { folderId: folder.id, folder: "/Else" })
      assert.strictEqual(yield* arrival, "/Else/Cc")
      assert.deepStrictEqual((yield* listed(token, id)).folder, { id: folder.id, path: "/Else/Cc" })
      const parent = (yield* made(token, "/create-folder", { path: "/Else" })).id
      yield* made(token, "/rename-folder", { folderId: parent, name: "Away" })
      yield* made(token, "/delete-folder", { folderId: parent, files: "trash" })
      assert.deepStrictEqual((yield* listed(token, id)).folder, { id: null, path: "/Away/Cc" })
      assert.strictEqual(yield* arrival, "/Away/Cc")
      const again = (yield* listed(token, id)).folder
      assert.strictEqual(again.path, "/Away/Cc")
      yield* made(token, "/rename-folder", { folderId: again.id, name: "C" })
      assert.strictEqual(yield* arrival, "/Away/C")
    }))

  it.effect("REQ-15 a token without the permission is refused", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const { id } = yield* newRequest(token)
      const reads = yield* limited(userId, null, ["read"])
      const shares = yield* limited(userId, null, ["share"])
      assert.strictEqual((yield* listed(reads, id)).id, id)
      for (
        const [session, route, body] of [
          [shares, "/select-file-requests", undefined],
          [reads, "/create-file-request", { title: "a" }],
          [reads, "/set-file-request-open", { requestId: id, open: false }],
          [reads, "/update-file-request", { requestId: id }],
          [reads, "/delete-file-request", { requestId: id }],
          [reads, "/mark-drops-viewed", { dropIds: [nobody] }]
        ] as const
      ) assert.deepStrictEqual(yield* refusal(session, route, body), [403, "token_limit", undefined], route)
    }))

  it.effect("REQ-15 AUTH-9 a token limited to a folder is not told of files that were sorted away from it", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const { folder, id } = yield* newRequest(token, { folder: "/In" })
      const { fileIds } = yield* delivered(id, [10, 20])
      const inside = yield* limited(userId, folder.id)
      yield* made(token, "/move-files", { fileIds: [fileIds[0]], folder: "/Secret" })
      yield* made(token, "/rename-file", { fileId: fileIds[0], fileName: "Salaries.txt" })
      const seen = yield* listed(inside, id)
      assert.deepStrictEqual(seen.drops[0].files.map((file: { id: string }) => file.id), [fileIds[1]])
      assert.strictEqual(seen.receivedBytes, 20)
      assert.strictEqual((yield* listed(token, id)).receivedBytes, 30)
      yield* made(token, "/move-files", { fileIds: [fileIds[0]], folder: "/In/Sorted" })
      assert.strictEqual((yield* listed(inside, id)).receivedBytes, 30)
    }))

  it.effect("REQ-15 a token limited to a folder makes, sees and changes only requests that drop into it", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const folderId = (yield* made(token, "/create-folder", { path: "/Shared" })).id
      const inside = yield* limited(userId, folderId)
      const outsideRequest = yield* newRequest(token, { folder: "/Private" })
      const atTop = yield* newRequest(token, { folder: "/" })
      const deep = yield* newRequest(token, { folder: "/Shared/Deep" })
      const own = yield* newRequest(inside, { folderId })
      const { fileIds, id: dropId } = yield* delivered(outsideRequest.id, [1])
      assert.strictEqual(fileIds.length, 1)
      for (const fields of [{}, { folder: "/Private" }, { folder: "/" }]) {
        assert.deepStrictEqual(yield* refusal(inside, "/create-file-request", { title: "New", ...fields }), [
          403,
          "token_limit",
          undefined
        ])
      }
      assert.deepStrictEqual(
        yield* refusal(inside, "/create-file-request", { title: "New", folderId: outsideRequest.folder.id }),
        [404, "not_found", undefined]
      )
      const seen = Effect.map(
        made(inside, "/select-file-requests"),
        ({ requests }) => requests.map(({ id }: { id: string }) => id).toSorted()
      )
      assert.deepStrictEqual(yield* seen, [deep.id, own.id].toSorted())
      for (const { id } of [outsideRequest, atTop]) {
        for (
          const [route, body] of [
            ["/set-file-request-open", { requestId: id, open: false }],
            ["/update-file-request", { requestId: id, title: "Mine" }],
            ["/delete-file-request", { requestId: id }]
          ] as const
        ) assert.deepStrictEqual(yield* refusal(inside, route, body), [404, "not_found", undefined], route)
      }
      assert.deepStrictEqual(yield* refusal(inside, "/mark-drops-viewed", { dropIds: [dropId] }), [
        404,
        "not_found",
        undefined
      ])
      // One whose folder is deleted is still inside; one that is moved out is not.
      yield* made(token, "/delete-folder", { folderId: deep.folder.id, files: "trash" })
      assert.deepStrictEqual(yield* seen, [deep.id, own.id].toSorted())
      yield* made(inside, "/set-file-request-open", { requestId: deep.id, open: false })
      yield* made(inside, "/delete-file-request", { requestId: own.id })
      const moved = yield* newRequest(inside, { folder: "/Shared/Moved" })
      yield* made(token, "/move-folder", { folderId: moved.folder.id, parentId: null })
      assert.deepStrictEqual(yield* seen, [deep.id])
    }))
})
