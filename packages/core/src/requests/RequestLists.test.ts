/** What owners see of what was sent to them, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { dropFile, drops, sendByForm, startDrop } from "../../test/DropsTest.ts"
import { addFile } from "../../test/FilesTest.ts"
import { delivered, finished, listed, made, newRequest, refusal } from "../../test/RequestsTest.ts"
import { call, signedIn, testHttp } from "../../test/TestHttp.ts"
import { Database } from "../database/Database.ts"
import { RequestId } from "../shared/Ids.ts"

const nobody = "5e0c1a7d-93b4-4f28-a6d1-c07e94b2385f"

layer(testHttp({ rateLimits: false }), { timeout: "120 seconds" })("lists of file requests", (it) => {
  it.effect("REQ-6 requests are listed newest first, fifty in a page, or those that are named", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { token: other } = yield* signedIn
      const ids: Array<string> = []
      for (let at = 0; at < 52; at++) {
        ids.unshift((yield* newRequest(token, { title: `Request ${at}`, folder: "/In" })).id)
        yield* TestClock.adjust("1 second")
      }
      const { nextCursor, requests } = yield* made(token, "/select-file-requests")
      assert.deepStrictEqual(requests.map(({ id }: { id: string }) => id), ids.slice(0, 50))
      // One that is made meanwhile moves nothing, nor does the deletion of the last one that was listed.
      yield* newRequest(token, { title: "Made meanwhile", folder: "/In" })
      yield* made(token, "/delete-file-request", { requestId: ids[49] })
      const rest = yield* made(token, "/select-file-requests", { cursor: nextCursor })
      assert.deepStrictEqual([rest.requests.map(({ id }: { id: string }) => id), rest.nextCursor], [
        ids.slice(50),
        null
      ])
      for (const cursor of ["", "x", `1_${nobody}_`, `e${nextCursor}`]) {
        const refused = yield* refusal(token, "/select-file-requests", { cursor })
        assert.deepStrictEqual(refused, [400, "invalid_field", "cursor"])
      }
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

  it.effect("REQ-17 a list has the newest deliveries of each request, and more of one that is named alone", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const [many, few] = [yield* newRequest(token, { folder: "/In" }), yield* newRequest(token, { folder: "/In" })]
      yield* delivered(many.id, [7], "First")
      yield* delivered(few.id, [1])
      const { sql, tables: t } = yield* Database
      // 200 later deliveries, whose files are deleted.
      yield* sql`
        INSERT INTO ${t.drops} (
          id, account_id, request_id, token_hash, sender_name, file_count, insert_time, active_time, expire_time, finish_time
        )
        SELECT gen_random_uuid(), account_id, request_id, decode(lpad(to_hex(n), 64, '0'), 'hex'), 'Later', 1,
          insert_time + n * interval '1 second', active_time, expire_time, finish_time
        FROM ${t.drops}, generate_series(1, 200) n WHERE request_id = ${many.id}
      `
      const { requests } = yield* made(token, "/select-file-requests", { requestIds: [many.id, few.id] })
      const lengths = requests.map(
        ({ drops, id, receivedBytes }: { drops: Array<unknown>; id: string; receivedBytes: number }) =>
          [id, drops.length, receivedBytes] as const
      )
      assert.sameDeepMembers(lengths, [[many.id, 200, 7], [few.id, 1, 1]])
      const alone = yield* listed(token, many.id)
      assert.strictEqual(alone.drops.length, 201)
      assert.strictEqual(alone.drops[200].senderName, "First")
    }))
})
