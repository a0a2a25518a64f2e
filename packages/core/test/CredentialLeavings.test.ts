/** What was made with an API token is the account's. docs/agent.md, "What ends with a credential". */
import { assert, layer } from "@effect/vitest"
import { MemoryObjectStore } from "@filedrive/testing"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { CurrentAccount, unlimited } from "../src/accounts/CurrentAccount.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import type { FileId } from "../src/shared/Ids.ts"
import { made } from "./RequestsTest.ts"
import { call, exchange, newUser, testHttp, withToken } from "./TestHttp.ts"
import { input, uploadOnForm } from "./UploadsTest.ts"

/** Calls by which an owner sees what the account has. */
const lists = (fileId: FileId) => [
  ["/select-user-files", {}] as const,
  ["/select-collections", {}] as const,
  ["/select-shares", { fileIds: [fileId] }] as const,
  ["/select-file-requests", {}] as const,
  ["/select-file-reviews", {}] as const,
  ["/select-archives", {}] as const,
  ["/select-imports", {}] as const
]

layer(testHttp(), { timeout: "60 seconds" })("what was made with a token", (it) => {
  it.effect("AUTH-62 stays when the token is revoked, and a download's address is good for its six hours", () =>
    Effect.gen(function*() {
      const text = "fdt_leavings00000000000000000000"
      const userId = yield* withToken(text)
      const friendId = yield* newUser()
      const owner = { id: userId, tokenId: null, limits: unlimited }
      const [token] = yield* ApiTokens.use((tokens) => tokens.list).pipe(Effect.provideService(CurrentAccount, owner))
      const session: string = (yield* exchange(text)).body.gelToken

      const video = input(userId, 3, { fileName: "cut.mp4", type: "Video", mimeType: "video/mp4" })
      const fileId = yield* uploadOnForm(video, "123").pipe(
        Effect.provideService(CurrentAccount, { ...owner, tokenId: token!.id })
      )
      yield* made(session, "/create-folder", { path: "/Made" })
      yield* made(session, "/share-files", { fileIds: [fileId], userIds: [friendId] })
      yield* made(session, "/create-file-request", { title: "Photos" })
      yield* made(session, "/create-file-review", { fileId })
      yield* made(session, "/create-archive-request", { fileIds: [fileId] })
      yield* made(session, "/import-from-url", { url: "https://files.test/leavings.bin" })
      const { downloadUrl } = yield* made(session, "/generate-download-url", { id: fileId })
      yield* made(session, "/toggle-file-access", { id: fileId })

      const hosts = (yield* Sessions.use((sessions) => sessions.open(userId))).token
      const seen = Effect.forEach(lists(fileId), ([route, body]) => made(hosts, route, body))
      const before = yield* seen
      for (const list of before) {
        assert.isTrue([list, ...Object.values<any>(list)].some((rows) => rows?.length > 0), JSON.stringify(list))
      }
      yield* ApiTokens.use((tokens) => tokens.revoke(token!.id)).pipe(Effect.provideService(CurrentAccount, owner))
      assert.strictEqual((yield* call(session, "/select-user-files")).status, 401)
      assert.deepStrictEqual(yield* seen, before)

      const memory = yield* MemoryObjectStore
      const status = Effect.promise(async () => (await memory.fetch(downloadUrl)).status)
      yield* TestClock.adjust("359 minutes")
      assert.strictEqual(yield* status, 200)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(yield* status, 403)
    }))
})
