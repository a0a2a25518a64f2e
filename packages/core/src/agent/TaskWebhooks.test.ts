import { assert, layer } from "@effect/vitest"
import { MemoryWebhooks, webhookFailed } from "@filedrive/testing"
import { DateTime, Duration, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { by, message, newCredential, runJobs, send, TestAgent } from "../../test/TasksTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TokenName } from "../accounts/AccountInput.ts"
import { ApiTokens } from "../accounts/ApiTokens.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { Tasks } from "../tasks/Tasks.ts"

const failureOf = <A, E>(exit: Exit.Exit<A, E>): any =>
  Exit.isFailure(exit) ? exit.cause.reasons.map((reason: any) => reason.error)[0] : null

layer(TestAgent, { timeout: "90 seconds" })("Webhooks of tasks", (it) => {
  it.effect("TASK-40 every change of a task is sent to its webhooks without history, with their secrets as headers", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const hooks = yield* MemoryWebhooks
      const url = "https://hooks.test/1"
      const webhook = { url, token: "t0ken", authentication: { scheme: "Bearer", credentials: "s3cret" } }
      const task = yield* by(owner)(Tasks.use((tasks) => tasks.send(message("hook"), { webhook })))
      yield* runJobs
      const sent = (yield* hooks.sent).filter((one) => one.url === url)
      assert.deepStrictEqual(sent.map(({ body }) => JSON.parse(body).task.status.state), [
        "TASK_STATE_WORKING",
        "TASK_STATE_COMPLETED"
      ])
      for (const { body, headers } of sent) {
        assert.deepStrictEqual(headers, { "X-A2A-Notification-Token": "t0ken", Authorization: "Bearer s3cret" })
        assert.notProperty(JSON.parse(body).task, "history")
        assert.strictEqual(JSON.parse(body).task.id, task.id)
      }
      const shown = yield* by(owner)(Tasks.use((tasks) => tasks.listWebhooks(task.id)))
      assert.deepStrictEqual(shown.map(({ authentication, url }) => [url, authentication]), [[url, {
        scheme: "Bearer"
      }]])
      assert.notInclude(JSON.stringify(shown), "s3cret")
    }))

  it.effect("TASK-41 a failed delivery is tried again 2 and then 10 seconds later, and no more; none of a change after a newer one was sent", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const hooks = yield* MemoryWebhooks
      const dead = "https://dead.test/"
      const flaky = "https://flaky.test/"
      yield* hooks.answer(dead, webhookFailed)
      let attempts = 0
      yield* hooks.answer(flaky, Effect.suspend(() => attempts++ === 0 ? webhookFailed : Effect.void))
      const tasks = yield* Tasks
      const task = yield* by(owner)(tasks.send(message("hooks"), { webhook: { url: dead } }))
      yield* by(owner)(tasks.setWebhook(task.id, { id: "flaky", url: flaky }))
      const start = yield* DateTime.now
      for (let second = 0; second < 30; second++) {
        yield* runJobs
        yield* TestClock.adjust("1 second")
      }
      const told = (url: string) =>
        Effect.map(
          hooks.sent,
          (all) =>
            all.filter((one) => one.url === url).map(({ body, time }) =>
              [JSON.parse(body).task.status.state, Duration.toSeconds(DateTime.distance(start, time))] as const
            )
        )
      assert.deepStrictEqual(yield* told(dead), [
        ["TASK_STATE_WORKING", 0],
        ["TASK_STATE_COMPLETED", 0],
        ["TASK_STATE_COMPLETED", 2],
        ["TASK_STATE_COMPLETED", 12]
      ])
      assert.deepStrictEqual(yield* told(flaky), [["TASK_STATE_WORKING", 0], ["TASK_STATE_COMPLETED", 0]])
    }))

  it.effect("TASK-301 a process that ends while it sends a change leads to no older change being sent after it", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const hooks = yield* MemoryWebhooks
      const url = "https://killed.test/"
      // The first change is refused, and each process that sends the second one ends before it can note that.
      const answers = [webhookFailed, Effect.die("killed"), Effect.die("killed"), Effect.die("killed")]
      yield* hooks.answer(url, Effect.suspend(() => answers.shift() ?? Effect.void))
      yield* by(owner)(Tasks.use((tasks) => tasks.send(message("killed"), { webhook: { url } })))
      for (let second = 0; second < 60; second++) {
        yield* runJobs
        yield* TestClock.adjust("1 second")
      }
      const states = (yield* hooks.sent).filter((one) => one.url === url)
        .map(({ body }) => JSON.parse(body).task.status.state)
      assert.deepStrictEqual(states, ["TASK_STATE_WORKING", ...Array.from({ length: 4 }, () => "TASK_STATE_COMPLETED")])
    }))

  it.effect("TASK-42 a task has at most 5 webhooks; one with the same id is replaced, and deleting is safe to repeat", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const tasks = yield* Tasks
      const task = yield* send(owner, "five")
      const set = (id: string, url = "https://five.test/") => by(owner)(tasks.setWebhook(task.id, { id, url }))
      yield* Effect.forEach(["a", "b", "c", "d", "e"], (id) => set(id), { concurrency: "unbounded" })
      assert.strictEqual(failureOf(yield* Effect.exit(set("f"))).field, "id")
      assert.strictEqual((yield* set("e", "https://other.test/")).url, "https://other.test/")
      yield* by(owner)(tasks.deleteWebhook(task.id, "a"))
      yield* by(owner)(tasks.deleteWebhook(task.id, "a"))
      yield* set("f")
      assert.deepStrictEqual((yield* by(owner)(tasks.listWebhooks(task.id))).map(({ id }) => id), [
        "b",
        "c",
        "d",
        "e",
        "f"
      ])
      assert.strictEqual(failureOf(yield* Effect.exit(by(owner)(tasks.getWebhook(task.id, "a"))))._tag, "TaskNotFound")
      for (
        const [webhook, field] of [
          [{ url: "http://plain.test" }, "url"],
          [{ url: "https://x.test", token: "a\nb" }, "token"],
          [{ url: "https://x.test", authentication: { scheme: "Be arer" } }, "authentication.scheme"],
          [
            { url: "https://x.test", authentication: { scheme: "Bearer", credentials: "\u0000" } },
            "authentication.credentials"
          ]
        ] as const
      ) {
        assert.strictEqual(failureOf(yield* Effect.exit(by(owner)(tasks.setWebhook(task.id, webhook)))).field, field)
      }
      yield* runJobs
    }))

  it.effect("AUTH-33 a token that is shown with each request is looked up each time, and marked as used at most once a minute", () =>
    Effect.gen(function*() {
      const users = yield* TestAccounts
      const tokens = yield* ApiTokens
      const accountId = yield* users.add()
      const mine = as(accountId)
      const { text, token } = yield* mine(
        tokens.create({ name: TokenName.make("t"), limits: unlimited, expireTime: null })
      )
      const used = Effect.map(mine(tokens.list), ([one]) => one!.lastUsedTime)
      assert.deepInclude(yield* tokens.resolve(text), { id: token.id, accountId, name: "t", limits: unlimited })
      const first = yield* used
      yield* TestClock.adjust("59 seconds")
      yield* tokens.resolve(text)
      assert.deepStrictEqual(yield* used, first)
      yield* TestClock.adjust("1 second")
      yield* tokens.resolve(text)
      assert.notDeepEqual(yield* used, first)
      yield* users.change(accountId, { suspended: true })
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Effect.flip(tokens.resolve(text)))._tag, "Refused")
      yield* users.change(accountId, { suspended: false })
      yield* mine(tokens.revoke(token.id))
      assert.strictEqual((yield* Effect.flip(tokens.resolve(text)))._tag, "Unauthenticated")
      assert.isNull(yield* tokens.find(accountId, token.id))
    }))
})
