import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { asTimePasses } from "../../test/FilesTest.ts"
import { assertState, Brain, doTask, drive, get, newCredential, runJobs, said, send } from "../../test/TasksTest.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { ServiceUnavailable } from "../http/ApiError.ts"
import { Operations } from "../http/Operations.ts"
import * as AgentWorker from "./AgentWorker.ts"

/** Which operation can't be reached by tasks, and how often it can't. */
class Outage
  extends Context.Service<Outage, { away: string | null; left: number }>()("@filedrive/core/agent/Away.test/Outage")
{
  static readonly layer = Layer.sync(Outage, () => Outage.of({ away: null, left: 0 }))
}

const away = new ServiceUnavailable({ code: "unavailable", error: "The drive cannot be reached.", retryable: true })

const Unreliable = Layer.effect(
  Operations,
  Effect.gen(function*() {
    const operations = yield* Operations
    const outage = yield* Outage
    return Operations.of({
      ...operations,
      runNamed: (id, given, caller) =>
        Effect.suspend(() => {
          if (id !== outage.away || outage.left === 0) return operations.runNamed(id, given, caller)
          outage.left -= 1
          return Effect.fail(away)
        })
    })
  })
)

const Agent = AgentWorker.layer.pipe(
  Layer.provide(Unreliable),
  Layer.provideMerge(Operations.layer),
  Layer.provideMerge(Brain.layer),
  Layer.provideMerge(Outage.layer),
  Layer.provideMerge(TestDrive)
)

const outage = (operation: string, times: number) =>
  Outage.use((one) => Effect.sync(() => void Object.assign(one, { away: operation, left: times })))

/** How often the operation is still to be away. */
const left = Outage.use(({ left }) => Effect.succeed(left))

layer(Agent, { timeout: "60 seconds" })("The drive is away while a task is done", (it) => {
  for (
    const [operation, name, args] of [
      ["searchFiles", "search_files", {}],
      ["createFolder", "create_folder", { path: "/New" }],
      ["createPlaylist", "create_playlist", { title: "Mix" }]
    ] as const
  ) {
    it.effect(`TASK-331 a call of ${name} is made again when the drive can be reached, and the brain is not told`, () =>
      Effect.gen(function*() {
        const owner = yield* newCredential()
        yield* Brain.use((brain) =>
          brain.when(
            name,
            ({ results }) =>
              Effect.succeed(results.length === 0 ? [{ name, args }] : results[0]!.isFailure ? "refused" : "done")
          )
        )
        yield* outage(operation, 4)
        const sent = yield* send(owner, name)
        yield* asTimePasses(runJobs)
        assert.strictEqual(yield* left, 0)
        const task = yield* get(owner, sent)
        assertState(task, "completed")
        assert.strictEqual(said(task), "done")
      }))
  }

  it.effect("TASK-332 where it stays away for 15 seconds the brain is told, and decides", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* Brain.use((brain) =>
        brain.when("try", ({ results }) =>
          Effect.succeed(
            results.length === 0 ? [{ name: "create_playlist", args: { title: "Mix" } }] : results[0]!.result.error
          ))
      )
      yield* outage("createPlaylist", 6)
      const sent = yield* send(owner, "try")
      yield* asTimePasses(runJobs)
      assert.strictEqual(yield* left, 1)
      const task = yield* get(owner, sent)
      assertState(task, "completed")
      assert.strictEqual(said(task), away.error)
    }))

  it.effect("WAIT-233 a wait whose target can't be looked at for now goes on", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const request = yield* drive(owner, "createFileRequest", { title: "Photos" })
      yield* Brain.use((brain) =>
        brain.when("wait", ({ results }) =>
          Effect.succeed(
            results.length === 0
              ? [{ name: "wait_for", args: { kind: "request_files", id: request.id, text: "Waits." } }]
              : JSON.stringify(results.map(({ result }) => result))
          ))
      )
      const task = yield* doTask(owner, "wait")
      assert.isTrue(task.waits)
      yield* outage("selectFileRequests", 2)
      yield* drive(owner, "setFileRequestOpen", { requestId: request.id, open: false })
      yield* runJobs
      assert.strictEqual(yield* left, 1)
      assert.isTrue((yield* get(owner, task)).waits)
      yield* TestClock.adjust("5 seconds")
      yield* runJobs
      assert.strictEqual(yield* left, 0)
      assert.isTrue((yield* get(owner, task)).waits)
      yield* TestClock.adjust("5 seconds")
      yield* runJobs
      const done = yield* get(owner, task)
      assertState(done, "completed")
      assert.strictEqual(JSON.parse(said(done))[0].reason, "closed")
    }))
})
