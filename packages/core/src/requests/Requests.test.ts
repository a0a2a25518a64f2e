/** What owners do with file requests, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { dropFile, drops, sendByForm, startDrop } from "../../test/DropsTest.ts"
import { addFile } from "../../test/FilesTest.ts"
import { delivered, finished, listed, made, newRequest, refusal } from "../../test/RequestsTest.ts"
import { call, newUser, send, signedIn, testHttp } from "../../test/TestHttp.ts"
import { balance } from "../../test/UploadsTest.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { type FolderId, RequestId } from "../shared/Ids.ts"

const nobody = "5e0c1a7d-93b4-4f28-a6d1-c07e94b2385f"

const open = (requestId: string, password?: string, access?: string) =>
  send("/api/open-file-request", {
    method: "POST",
    headers: { "content-type": "application/json", ...access !== undefined && { "x-link-access": access } },
    body: JSON.stringify({ requestId, ...password !== undefined && { password } })
  })

const limited = Effect.fnUntraced(function*(
  userId: Parameters<Sessions["Service"]["open"]>[0],
  folderId: string | null,
  permissions: ReadonlyArray<"read" | "share" | "organize" | "add"> | null = null
) {
  return (yield* (yield* Sessions).open(userId, { permissions, folderId: folderId as FolderId | null })).token
})

layer(testHttp({ rateLimits: false }), { timeout: "120 seconds" })("file requests of an owner", (it) => {
  it.effect("REQ-2 REQ-4 a request is answered with its folder, which is made", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const body = yield* newRequest(token, {
        folder: "/Concerts/Lisbon",
        message: "Thanks!\nAll of them.",
        maxBytes: 9
      })
      const { folder, id, ...rest } = body
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.strictEqual(folder.path, "/Concerts/Lisbon")
      assert.deepStrictEqual(rest, {
        title: "Photos",
        message: "Thanks!\nAll of them.",
        expireTime: null,
        maxBytes: 9,
        hasPassword: false
      })
      const again = yield* newRequest(token, { folderId: folder.id, password: "p", expireTime: "2030-01-01T00:00:00Z" })
      assert.deepStrictEqual(again.folder, folder)
      assert.deepInclude(again, { hasPassword: true, expireTime: "2030-01-01T00:00:00.000Z", maxBytes: null })
      assert.deepStrictEqual((yield* newRequest(token, { folder: "/" })).folder, { id: null, path: "/" })
    }))

  it.effect("REQ-2 without a folder arrivals land in one at the top that is named for the request", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const named = (title: string) => Effect.map(newRequest(token, { title }), (body) => body.folder.path)
      assert.strictEqual(yield* named("Photos of 24/12"), "/Photos of 24-12")
      assert.strictEqual(yield* named("/"), "/-")
      assert.strictEqual(yield* named("x".repeat(200)), `/${"x".repeat(200)}`)
      const [one, other] = [yield* newRequest(token), yield* newRequest(token)]
      assert.deepStrictEqual(one.folder, other.folder)
      assert.notStrictEqual(one.id, other.id)
    }))

  it.effect("REQ-2 what is wrong with a new request is named", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const other = yield* signedIn
      const theirs = (yield* made(other.token, "/create-folder", { path: "/Theirs" })).id
      const mine = (yield* made(token, "/create-folder", { path: "/Mine" })).id
      const refused = (fields: object) => refusal(token, "/create-file-request", { title: "Photos", ...fields })
      assert.deepStrictEqual(yield* refused({ folder: "/Mine", folderId: mine }), [400, "invalid_field", "folderId"])
      assert.deepStrictEqual(yield* refused({ folderId: theirs }), [404, "not_found", undefined])
      assert.deepStrictEqual(yield* refused({ title: "" }), [400, "invalid_field", "title"])
      assert.deepStrictEqual(yield* refused({ title: "x".repeat(201) }), [400, "invalid_field", "title"])
      assert.deepStrictEqual(yield* refused({ title: "a\u202eb" }), [400, "invalid_field", "title"])
      assert.deepStrictEqual(yield* refused({ message: "x".repeat(2_001) }), [400, "invalid_field", "message"])
      assert.deepStrictEqual(yield* refused({ maxBytes: 0 }), [400, "invalid_field", "maxBytes"])
      assert.deepStrictEqual(yield* refused({ folder: "Mine" }), [400, "invalid_field", "folder"])
      assert.deepStrictEqual(yield* refused({ password: "" }), [400, "invalid_field", "password"])
      assert.deepStrictEqual(yield* refusal(token, "/create-file-request", {}), [400, "missing_field", "title"])
      assert.deepStrictEqual((yield* made(token, "/select-file-requests")).requests, [])
    }))

  it.effect("REQ-3 a time that has passed is refused", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token)
      for (const expireTime of ["2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z"]) {
        const wrong = [400, "invalid_field", "expireTime"]
        assert.deepStrictEqual(yield* refusal(token, "/create-file-request", { title: "a", expireTime }), wrong)
        assert.deepStrictEqual(yield* refusal(token, "/update-file-request", { requestId: id, expireTime }), wrong)
      }
      yield* newRequest(token, { expireTime: "2026-01-01T00:00:00.001Z" })
    }))

  it.effect("REQ-5 whoever has the link sees the request, and nothing else of its owner", () =>
    Effect.gen(function*() {
      const userId = yield* newUser({ displayName: "Ada", handle: "ada", quotaBytes: 1_000 })
      const { token } = yield* (yield* Sessions).open(userId)
      const { id } = yield* newRequest(token, { message: "Hello", maxBytes: 100, expireTime: "2030-01-01T00:00:00Z" })
      yield* delivered(id, [30])
      const sender = yield* startDrop(RequestId.make(id))
      yield* drops((all) => all.createForm(sender.token, dropFile(20)))
      const shown = {
        id,
        title: "Photos",
        message: "Hello",
        owner: { displayName: "Ada" },
        takesFiles: true,
        closedBecause: null,
        expireTime: "2030-01-01T00:00:00.000Z",
        remainingBytes: 50
      }
      assert.deepStrictEqual((yield* open(id)).body, shown)
      yield* drops((all) => all.createForm(sender.token, dropFile(50, "b.bin")))
      assert.deepStrictEqual((yield* open(id)).body, {
        ...shown,
        takesFiles: false,
        closedBecause: "full",
        remainingBytes: 0
      })
      yield* made(token, "/set-file-request-open", { requestId: id, open: false })
      assert.deepInclude((yield* open(id)).body, { closedBecause: "closed", takesFiles: false, remainingBytes: 70 })
    }))

  it.effect("REQ-6 requests are listed newest first, at most fifty, or those that are named", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { token: other } = yield* signedIn
      const ids: Array<string> = []
      for (let at = 0; at < 52; at++) {
        ids.unshift((yield* newRequest(token, { title: `Request ${at}`, folder: "/In" })).id)
        yield* TestClock.adjust("1 second")
      }
      const { requests } = yield* made(token, "/select-file-requests")
      assert.deepStrictEqual(requests.map(({ id }: { id: string }) => id), ids.slice(0, 50))
      const named = yield* made(token, "/select-file-requests", { requestIds: [ids[51], nobody, ids[3], ids[3]] })
      assert.deepStrictEqual(named.requests.map(({ id }: { id: string }) => id), [ids[3], ids[51]])
      assert.deepStrictEqual((yield* made(other, "/select-file-requests", { requestIds: [ids[0]] })).requests, [])
      assert.deepStrictEqual(yield* refusal(token, "/select-file-requests", { requestIds: [] }), [
        400,
        "invalid_field",
        "requestIds"
      ])
      const { insertTime, ...first } = requests[0]
      assert.deepStrictEqual({ ...first, folder: first.folder.path }, {
        id: ids[0],
        title: "Request 51",
        message: null,
        expireTime: null,
        maxBytes: null,
        folder: "/In",
        hasPassword: false,
        open: true,
        closeTime: null,
        receivedBytes: 0,
        drops: []
      })
      assert.match(insertTime, /Z$/)
    }))

  it.effect("REQ-7 a folder narrows to requests that drop into it or inside it, before the fifty are counted", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const at = (folder: string) => Effect.map(newRequest(token, { folder }), (body) => body.id as string)
      const inTrips = yield* at("/Trips")
      const inLisbon = yield* at("/Trips/Lisbon")
      const inGone = yield* at("/Trips/Gone/Deep")
      yield* at("/Tripsy")
      yield* at("/")
      yield* Effect.forEach(Array.from({ length: 50 }), () => at("/Other"))
      const ids = (folder: string) =>
        Effect.map(
          made(token, "/select-file-requests", { folder }),
          ({ requests }) => (requests as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id).toSorted()
        )
      const all = [inTrips, inLisbon, inGone].toSorted()
      assert.deepStrictEqual(yield* ids("/trips"), all)
      assert.deepStrictEqual(yield* ids("/Trips/Lisbon"), [inLisbon])
      assert.deepStrictEqual(yield* ids("/Nowhere"), [])
      assert.strictEqual((yield* ids("/")).length, 50)
      const { folder } = yield* listed(token, inGone)
      yield* made(token, "/delete-folder", { folderId: folder.id, files: "parent" })
      assert.deepStrictEqual((yield* listed(token, inGone)).folder, { id: null, path: "/Trips/Gone/Deep" })
      assert.deepStrictEqual(yield* ids("/Trips"), all)
      assert.deepStrictEqual(yield* ids("/Trips/Gone"), [inGone])
    }))

  it.effect("REQ-8 deliveries are listed with the files that are still there; who sent nothing is not", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token)
      const one = yield* delivered(id, [10, 20, 30], "Grace")
      yield* TestClock.adjust("1 minute")
      const two = yield* delivered(id, [5], "Katherine")
      yield* delivered(id, [], "Nobody")
      const underWay = yield* startDrop(RequestId.make(id), "Slow")
      yield* drops((all) => all.createForm(underWay.token, dropFile(100)))
      const all = yield* listed(token, id)
      assert.deepStrictEqual(all.drops.map((drop: { senderName: string }) => drop.senderName), ["Katherine", "Grace"])
      assert.strictEqual(all.receivedBytes, 65)
      const { arrivedTime, files, finishTime, ...first } = all.drops[1]
      assert.deepStrictEqual(first, { id: one.id, senderName: "Grace", note: null, viewed: false })
      assert.isTrue(arrivedTime <= finishTime)
      assert.deepStrictEqual(files[0], {
        id: one.fileIds[0],
        type: "Other",
        fileName: "Grace 0.bin",
        fileSize: 10,
        mimeType: "application/octet-stream"
      })
      yield* made(token, "/trash-files", [{ id: one.fileIds[0] }])
      yield* made(token, "/delete-files", [{ id: one.fileIds[1] }, { id: two.fileIds[0] }])
      const fewer = yield* listed(token, id)
      assert.strictEqual(fewer.receivedBytes, 30)
      assert.deepStrictEqual(fewer.drops.map((drop: { files: ReadonlyArray<unknown> }) => drop.files.length), [0, 1])
      yield* made(token, "/restore-files", [{ id: one.fileIds[0] }])
      assert.strictEqual((yield* listed(token, id)).receivedBytes, 40)
      yield* sendByForm(underWay.token, dropFile(7))
      const last = yield* listed(token, id)
      assert.deepInclude(last.drops[0], { senderName: "Slow", finishTime: null })
      yield* finished(underWay.token)
      assert.isString((yield* listed(token, id)).drops[0].finishTime)
    }))

  it.effect("REQ-9 a closed request takes nothing, gives back what was held, and can be opened again", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const { id } = yield* newRequest(token)
      const sender = yield* startDrop(RequestId.make(id))
      yield* sendByForm(sender.token, dropFile(10))
      yield* drops((all) => all.createForm(sender.token, dropFile(500, "b.bin")))
      assert.deepStrictEqual(yield* balance(userId), { usedBytes: 10, heldBytes: 500 })
      const closed = yield* made(token, "/set-file-request-open", { requestId: id, open: false })
      assert.deepInclude(closed, { id, open: false, expireTime: null })
      assert.isString(closed.closeTime)
      assert.deepStrictEqual(yield* balance(userId), { usedBytes: 10, heldBytes: 0 })
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* made(token, "/set-file-request-open", { requestId: id, open: false }), closed)
      assert.deepInclude(yield* listed(token, id), { open: false, closeTime: closed.closeTime, receivedBytes: 10 })
      assert.deepStrictEqual(yield* made(token, "/set-file-request-open", { requestId: id, open: true }), {
        id,
        open: true,
        closeTime: null,
        expireTime: null
      })
      yield* sendByForm(sender.token, dropFile(500, "b.bin"))
      assert.deepStrictEqual(yield* refusal(token, "/set-file-request-open", { requestId: nobody, open: true }), [
        404,
        "not_found",
        undefined
      ])
    }))

  it.effect("REQ-10 a request that is opened past its end still takes no files, until its end is changed", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 5, 1))
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token, { expireTime: "2026-06-01T01:00:00.000Z" })
      assert.isTrue((yield* listed(token, id)).open)
      yield* made(token, "/set-file-request-open", { requestId: id, open: false })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* open(id)).body.closedBecause, "closed")
      const opened = yield* made(token, "/set-file-request-open", { requestId: id, open: true })
      assert.deepStrictEqual(opened, { id, open: false, closeTime: null, expireTime: "2026-06-01T01:00:00.000Z" })
      assert.deepInclude((yield* open(id)).body, { takesFiles: false, closedBecause: "expired" })
      yield* made(token, "/update-file-request", { requestId: id, expireTime: null })
      assert.deepInclude((yield* open(id)).body, { takesFiles: true, closedBecause: null, expireTime: null })
      assert.isTrue((yield* listed(token, id)).open)
    }))

  it.effect("REQ-11 a change leaves what it does not name, and null takes away", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const request = yield* newRequest(token, {
        message: "Hello",
        maxBytes: 100,
        expireTime: "2030-01-01T00:00:00Z",
        password: "first"
      })
      const update = (fields: object) => made(token, "/update-file-request", { requestId: request.id, ...fields })
      assert.deepStrictEqual(yield* update({}), request)
      assert.deepStrictEqual(yield* update({ title: "Videos" }), { ...request, title: "Videos" })
      assert.deepStrictEqual(yield* update({ message: null, maxBytes: null, expireTime: null, password: null }), {
        ...request,
        title: "Videos",
        message: null,
        maxBytes: null,
        expireTime: null,
        hasPassword: false
      })
      assert.deepStrictEqual(yield* refusal(token, "/update-file-request", { requestId: request.id, title: null }), [
        400,
        "invalid_field",
        "title"
      ])
      yield* delivered(request.id, [60])
      yield* update({ maxBytes: 50 })
      assert.deepInclude((yield* open(request.id)).body, { closedBecause: "full", remainingBytes: 0 })
      assert.deepStrictEqual(yield* refusal(token, "/update-file-request", { requestId: nobody }), [
        404,
        "not_found",
        undefined
      ])
    }))

  it.effect("REQ-11 LINK-4 another password, or none, ends the access by the former one", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token, { password: "first" })
      const access = (yield* open(id, "first")).body.accessToken as string
      assert.strictEqual((yield* open(id, undefined, access)).status, 200)
      yield* made(token, "/update-file-request", { requestId: id, title: "Other" })
      assert.strictEqual((yield* open(id, undefined, access)).status, 200)
      yield* made(token, "/update-file-request", { requestId: id, password: "second" })
      assert.strictEqual((yield* open(id, undefined, access)).status, 403)
      assert.strictEqual((yield* open(id, "first")).status, 404)
      assert.strictEqual((yield* open(id, "second")).status, 200)
      yield* made(token, "/update-file-request", { requestId: id, password: null })
      assert.strictEqual((yield* open(id)).status, 200)
      yield* made(token, "/update-file-request", { requestId: id, password: "first" })
      assert.strictEqual((yield* open(id, undefined, access)).status, 403)
    }))

  it.effect("REQ-12 LINK-2 a deleted request leads nowhere, its files and folder stay, and what was held is given back", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const { folder, id } = yield* newRequest(token)
      const sent = yield* delivered(id, [10])
      const sender = yield* startDrop(RequestId.make(id))
      yield* drops((all) => all.createForm(sender.token, dropFile(500)))
      assert.deepStrictEqual(yield* made(token, "/delete-file-request", { requestId: id }), { deleted: true })
      const gone = yield* open(id)
      assert.deepStrictEqual([gone.status, gone.body], [404, (yield* open(nobody)).body])
      assert.isUndefined(yield* listed(token, id))
      assert.deepStrictEqual(yield* balance(userId), { usedBytes: 10, heldBytes: 0 })
      const { files } = yield* made(token, "/search-files", { folder: folder.path })
      assert.deepStrictEqual(files.map((file: { id: string }) => file.id), sent.fileIds)
      assert.deepStrictEqual(yield* refusal(token, "/delete-file-request", { requestId: id }), [
        404,
        "not_found",
        undefined
      ])
    }))

  it.effect("REQ-13 a delivery is viewed when its owner says so, or opens one of its files", () =>
    Effect.gen(function*() {
      const { token, userId } = yield* signedIn
      const other = yield* signedIn
      const { id } = yield* newRequest(token)
      const [one, two, three] = [yield* delivered(id, [1]), yield* delivered(id, [2, 3]), yield* delivered(id, [4])]
      const viewed = Effect.map(
        listed(token, id),
        ({ drops }) =>
          (drops as ReadonlyArray<{ readonly id: string; readonly viewed: boolean }>)
            .filter((drop) => drop.viewed).map((drop) => drop.id).toSorted()
      )
      // Others who open a file of it, and the owner with another file, change nothing.
      yield* made(token, "/share-files", { fileIds: [one.fileIds[0]], userIds: [other.userId] })
      yield* made(other.token, "/generate-download-url", { id: one.fileIds[0] })
      yield* made(token, "/generate-download-url", { id: yield* addFile(userId) })
      yield* made(token, "/search-files", { folder: "/Photos" })
      assert.deepStrictEqual(yield* viewed, [])
      const marked = yield* made(token, "/mark-drops-viewed", { dropIds: [one.id, nobody] })
      assert.deepStrictEqual(marked, { viewed: [one.id] })
      assert.deepStrictEqual(yield* viewed, [one.id])
      yield* made(token, "/generate-download-url", { id: two.fileIds[1] })
      assert.deepStrictEqual(yield* viewed, [one.id, two.id].toSorted())
      yield* made(token, "/rename-file", { fileId: three.fileIds[0], fileName: "a.txt" })
      yield* call(token, "/read-file", { fileId: three.fileIds[0] })
      assert.deepStrictEqual(yield* viewed, [one.id, two.id, three.id].toSorted())
      const notTheirs = yield* refusal(other.token, "/mark-drops-viewed", { dropIds: [one.id] })
      assert.deepStrictEqual(notTheirs, [404, "not_found", undefined])
    }))

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

  it.effect("REQ-17 a list has the newest deliveries of each request, and more of one that is named alone", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const [many, few] = [yield* newRequest(token, { folder: "/In" }), yield* newRequest(token, { folder: "/In" })]
      for (let at = 0; at < 201; at++) yield* delivered(many.id, [1], `Sender ${at}`)
      yield* delivered(few.id, [1])
      const { requests } = yield* made(token, "/select-file-requests", { requestIds: [many.id, few.id] })
      const lengths = requests.map((
        { drops, id, receivedBytes }: { drops: Array<unknown>; id: string; receivedBytes: 1 }
      ) => [id, drops.length, receivedBytes] as const)
      assert.sameDeepMembers(lengths, [[many.id, 200, 201], [few.id, 1, 1]])
      assert.strictEqual((yield* listed(token, many.id)).drops.length, 201)
    }))
})

layer(testHttp({ rateLimits: false }))("a call of an owner that is sent twice", (it) => {
  it.effect("OPS-7 createFileRequest makes another request", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      assert.notStrictEqual((yield* newRequest(token)).id, (yield* newRequest(token)).id)
    }))

  it.effect("OPS-7 setFileRequestOpen leaves the drive as one call does", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token)
      for (const open of [false, true]) {
        const once = yield* made(token, "/set-file-request-open", { requestId: id, open })
        const after = yield* listed(token, id)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* made(token, "/set-file-request-open", { requestId: id, open }), once)
        assert.deepStrictEqual(yield* listed(token, id), after)
      }
    }))

  it.effect("OPS-7 updateFileRequest leaves the drive as one call does", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token)
      const changes = {
        requestId: id,
        title: "Other",
        message: "Hello",
        maxBytes: 5,
        expireTime: "2030-01-01T00:00:00Z"
      }
      const once = yield* made(token, "/update-file-request", changes)
      const after = yield* listed(token, id)
      assert.deepStrictEqual(yield* made(token, "/update-file-request", changes), once)
      assert.deepStrictEqual(yield* listed(token, id), after)
    }))

  it.effect("OPS-7 deleteFileRequest leaves the drive as one call does", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const [{ id }, other] = [yield* newRequest(token), yield* newRequest(token)]
      yield* made(token, "/delete-file-request", { requestId: id })
      const after = yield* made(token, "/select-file-requests")
      assert.strictEqual((yield* call(token, "/delete-file-request", { requestId: id })).status, 404)
      assert.deepStrictEqual(yield* made(token, "/select-file-requests"), after)
      assert.deepStrictEqual(after.requests.map((request: { id: string }) => request.id), [other.id])
    }))

  it.effect("OPS-7 markDropsViewed leaves the drive as one call does", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { id } = yield* newRequest(token)
      const drop = yield* delivered(id, [1])
      const once = yield* made(token, "/mark-drops-viewed", { dropIds: [drop.id] })
      const after = yield* listed(token, id)
      assert.deepStrictEqual(yield* made(token, "/mark-drops-viewed", { dropIds: [drop.id] }), once)
      assert.deepStrictEqual(yield* listed(token, id), after)
      assert.isTrue(after.drops[0].viewed)
    }))
})
