/** Arrivals while the folder of their request is renamed, moved and deleted, on PostgreSQL: each lands, and the request knows where. */
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Option } from "effect"
import { dropFile, makeRequest, sendByForm, startDrop } from "../../test/DropsTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { testDrive } from "../../test/TestDrive.ts"
import { Database } from "../database/Database.ts"
import { Folders } from "../organize/Folders.ts"
import { FolderTree } from "../organize/FolderTree.ts"
import { FolderName, Path } from "../shared/FolderPath.ts"
import { RequestLists } from "./RequestLists.ts"

const senders = 4
const filesOfEach = 6

layer(testDrive(TestDatabase.layerPostgres, TestAccounts.layer), { timeout: "120 seconds" })(
  "The folder of a request",
  (it) => {
    it.effect("REQ-14 every arrival lands while it is renamed, moved and deleted all the time", () =>
      Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        const owner = yield* TestAccounts.use((users) => users.add({}))
        const request = yield* makeRequest(owner, { folder: "/A/B" })
        const ofRequest = RequestLists.use((lists) => lists.select({ requestIds: [request.id] })).pipe(
          Effect.map(({ requests: [found] }) => found!),
          as(owner)
        )

        const sending = Effect.forEach(
          Array.from({ length: senders }, (_, at) => at),
          Effect.fnUntraced(function*(sender) {
            const { token } = yield* startDrop(request.id, `Sender ${sender}`)
            return yield* Effect.forEach(
              Array.from({ length: filesOfEach }, (_, at) => at),
              (at) => sendByForm(token, dropFile(1, `${sender} ${at}`))
            )
          }),
          { concurrency: "unbounded" }
        )

        const shaking = Effect.forEach(Array.from({ length: 24 }, (_, at) => at), (at) =>
          Effect.gen(function*() {
            const { folder } = yield* ofRequest
            const id = folder.id
            if (id === null) return yield* Effect.yieldNow
            const tree = yield* FolderTree
            if (at % 3 === 0) yield* Effect.ignore(as(owner)(tree.rename(id, FolderName.make(`B${at}`))))
            else if (at % 3 === 1) {
              const to = { path: Path.make(`/C${at}`), field: "folder" }
              yield* Effect.ignore(as(owner)(tree.move(id, to, "folder")))
            } else yield* Effect.ignore(as(owner)(tree.delete(id, "parent")))
          }))

        const [sent] = yield* Effect.all([sending, shaking], { concurrency: "unbounded" })
        const ids = sent.flat()
        const [row] = yield* sql<{ readonly files: number; readonly received: number }>`
        SELECT (SELECT count(*)::int FROM ${t.files} WHERE account_id = ${owner} AND id = ANY(${ids}::uuid[])) AS files,
          (SELECT received_bytes::float8 FROM ${t.file_requests} WHERE id = ${request.id}) AS received
      `
        assert.deepStrictEqual(row, { files: ids.length, received: ids.length })
        assert.strictEqual(ids.length, senders * filesOfEach)
        assert.strictEqual((yield* ofRequest).receivedBytes, ids.length)

        const { path } = (yield* ofRequest).folder
        const { token } = yield* startDrop(request.id)
        const last = yield* sendByForm(token, dropFile(1))
        const { folder } = yield* ofRequest
        assert.strictEqual(folder.path, path)
        const [file] = yield* sql<{ readonly folderId: string }>`
        SELECT folder_id AS "folderId" FROM ${t.files} WHERE id = ${last} AND account_id = ${owner}
      `
        assert.strictEqual(file!.folderId, folder.id)
        assert.deepStrictEqual(
          Option.map(yield* Folders.use((folders) => folders.find(owner, folder.id!)), (found) => found.path),
          Option.some(path)
        )
      }))
  }
)
