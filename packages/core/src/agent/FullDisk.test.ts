import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Statement } from "effect/sql"
import { Brain, by, doTask, newCredential, send, TestAgent } from "../../test/TasksTest.ts"
import { as } from "../../test/TestAccounts.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { OwnedTasks } from "../tasks/OwnedTasks.ts"
import { Tasks } from "../tasks/Tasks.ts"

/** The purposes of what writes. */
const purposes = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const found = new Set<WritePurpose.Purpose>()
  yield* effect.pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement) =>
      Effect.withFiber((fiber) => {
        if (/\b(?:INSERT|UPDATE|DELETE)\b/.test(statement.compile()[0])) {
          found.add(fiber.getRef(WritePurpose.WritePurpose))
        }
        return Effect.succeed(statement)
      }))
  )
  return [...found]
})

const webhook = { id: "one", url: "https://hooks.example.com/one" }

layer(TestAgent, { timeout: "60 seconds" })("Tasks on a full disk", (it) => {
  it.effect("TASK-335 tasks are cancelled, waits stopped and webhooks deleted also where the disk is full", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const tasks = yield* Tasks
      const { id } = yield* send(owner, "hello")
      yield* by(owner)(tasks.setWebhook(id, webhook))
      assert.deepStrictEqual(yield* purposes(by(owner)(tasks.deleteWebhook(id, webhook.id))), ["frees"])
      yield* by(owner)(tasks.setWebhook(id, webhook))
      assert.deepStrictEqual(yield* purposes(by(owner)(tasks.cancel(id))), ["frees"])

      yield* Brain.use((brain) =>
        brain.when(
          "wait",
          () => Effect.succeed([{ name: "wait_for", args: { kind: "folder_files", folder: "/In", text: "Waits." } }])
        )
      )
      const waiting = yield* doTask(owner, "wait")
      assert.isTrue(waiting.waits)
      const stop = OwnedTasks.use((owned) => owned.stop(waiting.id))
      assert.deepStrictEqual(yield* purposes(as(owner.accountId)(stop)), ["frees"])
    }))
})
