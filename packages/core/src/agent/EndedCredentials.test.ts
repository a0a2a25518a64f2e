import { assert, layer } from "@effect/vitest"
import { MemoryWebhooks } from "@filedrive/testing"
import { Effect } from "effect"
import { makeRequest } from "../../test/DropsTest.ts"
import {
  assertState,
  by,
  credentialOf,
  doTask,
  message,
  newCredential,
  runJobs,
  send,
  TestAgent
} from "../../test/TasksTest.ts"
import { as } from "../../test/TestAccounts.ts"
import { startWait } from "../../test/WaitsTest.ts"
import { ApiTokens } from "../accounts/ApiTokens.ts"
import type { Credential } from "../accounts/Credential.ts"
import { OwnedTasks } from "../tasks/OwnedTasks.ts"
import { Tasks } from "../tasks/Tasks.ts"

const states = (owner: Credential) =>
  OwnedTasks.use((tasks) => tasks.list({})).pipe(
    as(owner.accountId),
    Effect.map(({ tasks }) => tasks.map(({ state }) => state))
  )

const waiting = (owner: Credential) =>
  OwnedTasks.use((tasks) => tasks.waiting).pipe(as(owner.accountId), Effect.map((all) => all.length))

const revoke = (owner: Credential) =>
  Effect.orDie(as(owner.accountId)(ApiTokens.use((tokens) => tokens.revoke(owner.id))))

layer(TestAgent, { timeout: "90 seconds" })("tasks of a credential that ends", (it) => {
  it.effect("TASK-406 revoking a token cancels its waiting and queued tasks; other tasks go on", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const other = yield* credentialOf(owner.accountId)
      const request = yield* makeRequest(owner.accountId, { title: "Photos" as any })
      yield* startWait(owner, { kind: "request_files", id: request.id, text: "Waits." })
      yield* send(owner, message("later"))
      assert.strictEqual(yield* waiting(owner), 1)
      yield* revoke(owner)
      assert.strictEqual(yield* waiting(owner), 0)
      assert.deepStrictEqual(new Set(yield* states(owner)), new Set(["canceled"]))
      yield* runJobs
      assert.deepStrictEqual(yield* states(owner), ["canceled", "canceled"])
      assertState(yield* doTask(other, "hello"), "completed")
    }))

  it.effect("TASK-406 its webhooks receive nothing more, not even the cancellation", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const hooks = yield* MemoryWebhooks
      const url = "https://revoked.test/1"
      yield* by(owner)(Tasks.use((tasks) => tasks.send(message("hook"), { webhook: { url } })))
      yield* revoke(owner)
      yield* runJobs
      assert.deepStrictEqual((yield* hooks.sent).filter((one) => one.url === url), [])
    }))
})
