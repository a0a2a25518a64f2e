import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { agent, call, message, stopping } from "./Agent.ts"

describe("A2aMethods", () => {
  it.effect("A2A-8 a blocking call answers when its task has ended, or after 55 seconds", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      assert.strictEqual(
        (yield* call(answering, "SendMessage", message("hello"))).result.task.status.state,
        "TASK_STATE_COMPLETED"
      )
      const held = yield* Effect.forkChild(call(answering, "SendMessage", message("hold")))
      yield* pause
      yield* TestClock.adjust("54 seconds")
      yield* pause
      assert.isUndefined(held.pollUnsafe())
      yield* TestClock.adjust("1 second")
      const { result } = yield* Fiber.join(held)
      assert.strictEqual(result.task.status.state, "TASK_STATE_WORKING")
      const { id } = result.task
      const joined = yield* call(answering, "SendMessage", message("go on", { taskId: id }))
      assert.strictEqual(joined.result.task.id, id)
      assert.lengthOf(joined.result.task.history, 2)
      const immediate = { ...message("hold"), configuration: { returnImmediately: true } }
      assert.strictEqual(
        (yield* call(answering, "SendMessage", immediate)).result.task.status.state,
        "TASK_STATE_WORKING"
      )
    }))

  it.effect("A2A-8 a blocking call answers when the server stops", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      const held = yield* Effect.forkChild(call(answering, "SendMessage", message("hold")))
      yield* pause
      assert.isUndefined(held.pollUnsafe())
      yield* stopping.open
      assert.strictEqual((yield* Fiber.join(held)).result.task.status.state, "TASK_STATE_WORKING")
    }).pipe(Effect.ensuring(stopping.close)))

  it.effect("A2A-9 history and artifacts are as asked for", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      const configuration = { returnImmediately: true }
      const { id } = (yield* call(answering, "SendMessage", { ...message("hold"), configuration })).result.task
      for (const text of ["two", "three"]) yield* call(answering, "SendMessage", message(text, { taskId: id }))
      const texts = (task: any) => task.history?.map((one: any) => one.parts[0].text)
      const get = (more: object) =>
        Effect.map(call(answering, "GetTask", { id, ...more }), ({ result }) => texts(result))
      assert.deepStrictEqual(yield* get({}), ["hold", "two", "three"])
      assert.deepStrictEqual(yield* get({ historyLength: 2 }), ["two", "three"])
      assert.deepStrictEqual(yield* get({ historyLength: 100 }), ["hold", "two", "three"])
      assert.isUndefined(yield* get({ historyLength: 0 }))
      const done = yield* call(answering, "SendMessage", { ...message("bye"), configuration: { historyLength: 0 } })
      assert.notProperty(done.result.task, "history")
      const list = (more: object) => Effect.map(call(answering, "ListTasks", more), ({ result }) => result)
      const plain = yield* list({ historyLength: 1 })
      assert.deepStrictEqual(Object.keys(plain).toSorted(), ["nextPageToken", "pageSize", "tasks", "totalSize"])
      assert.deepStrictEqual(plain.tasks.map(texts), [["bye"], ["three"]])
      assert.isTrue(plain.tasks.every((task: object) => !("artifacts" in task)))
      const [{ artifacts }] = (yield* list({ includeArtifacts: true, historyLength: 0 })).tasks
      assert.deepStrictEqual(artifacts, [{ artifactId: "reply", name: "Reply", parts: [{ text: "You said: bye" }] }])
    }))

  it.effect("A2A-9 a task has the fields of A2A, and its pages the fields of a list", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-10-01T12:00:00.678Z")))
      const sent = message("hello", { contextId: "my context", metadata: { a: { b_c: null } } })
      const { task } = (yield* call(answering, "SendMessage", sent)).result
      assert.deepStrictEqual(task, {
        id: task.id,
        contextId: "my context",
        status: {
          state: "TASK_STATE_COMPLETED",
          message: {
            messageId: task.status.message.messageId,
            contextId: "my context",
            taskId: task.id,
            role: "ROLE_AGENT",
            parts: [{ text: "You said: hello" }]
          },
          timestamp: "2026-10-01T12:00:00.678Z"
        },
        artifacts: [{ artifactId: "reply", name: "Reply", parts: [{ text: "You said: hello" }] }],
        history: [{ ...sent.message, taskId: task.id }],
        metadata: { a: { b_c: null } }
      })
      assert.deepStrictEqual((yield* call(answering, "GetTask", { id: task.id })).result, task)
      for (let n = 0; n < 4; n++) yield* call(answering, "SendMessage", message(String(n)))
      const first = (yield* call(answering, "ListTasks", { pageSize: 3 })).result
      assert.deepStrictEqual([first.tasks.length, first.pageSize, first.totalSize], [3, 3, 5])
      const { nextPageToken: pageToken } = first
      const last = (yield* call(answering, "ListTasks", { pageSize: 3, pageToken })).result
      assert.deepStrictEqual([last.tasks.length, last.nextPageToken], [2, ""])
      const filtered = (filter: object) =>
        Effect.map(call(answering, "ListTasks", filter), ({ result }) => result.totalSize)
      assert.strictEqual(yield* filtered({ contextId: "my context" }), 1)
      assert.strictEqual(yield* filtered({ status: "TASK_STATE_COMPLETED" }), 5)
      assert.strictEqual(yield* filtered({ status: "TASK_STATE_UNSPECIFIED" }), 5)
      assert.strictEqual(yield* filtered({ status: "TASK_STATE_WORKING" }), 0)
      assert.strictEqual(yield* filtered({ status: "TASK_STATE_AUTH_REQUIRED" }), 0)
      assert.strictEqual(yield* filtered({ statusTimestampAfter: "2026-10-01T14:00:00.678+02:00" }), 5)
      assert.strictEqual(yield* filtered({ statusTimestampAfter: "2026-10-01T12:00:00.679Z" }), 0)
    }))

  it.effect("A2A-7 parts of every kind arrive, and bytes are shown as the file they became", () =>
    Effect.gen(function*() {
      const parts = [
        { text: "see", metadata: { k: 1 } },
        { raw: "aGVsbG8_", filename: "h.txt", mediaType: "text/plain" },
        { url: "https://example.com/a.jpg", mediaType: "image/jpeg" },
        { data: { tool: "search_files", args: { page_size: null } } },
        { data: null }
      ]
      const { task } = (yield* call(yield* agent(), "SendMessage", message("", { parts }))).result
      assert.deepStrictEqual(task.history[0].parts, [
        parts[0],
        {
          data: {
            fileId: "0199a000-0000-7000-8000-00000000000f",
            fileName: "h.txt",
            mimeType: "text/plain",
            sizeBytes: 6
          },
          filename: "h.txt",
          mediaType: "text/plain"
        },
        ...parts.slice(2)
      ])
    }))

  it.effect("A2A-11 webhooks come back without their secrets", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      const hook = {
        url: "https://example.com/hook",
        token: "tok-secret",
        authentication: { scheme: "Bearer", credentials: "cred-secret" }
      }
      const shown = { url: hook.url, authentication: { scheme: "Bearer" } }
      const configuration = { returnImmediately: true, taskPushNotificationConfig: { id: "first", ...hook } }
      const { id: taskId } = (yield* call(answering, "SendMessage", { ...message("hold"), configuration })).result.task
      const flat = (yield* call(answering, "CreateTaskPushNotificationConfig", { taskId, id: "w", ...hook })).result
      assert.deepStrictEqual(flat, { taskId, id: "w", ...shown })
      const nested =
        (yield* call(answering, "CreateTaskPushNotificationConfig", { taskId, config: { id: "n", ...hook } })).result
      assert.deepStrictEqual(nested, { taskId, id: "n", ...shown })
      const older = { task_id: taskId, push_notification_config: { url: hook.url } }
      const made = (yield* call(answering, "CreateTaskPushNotificationConfig", older)).result
      assert.deepStrictEqual(made, { taskId, id: made.id, url: hook.url })
      assert.deepStrictEqual(
        (yield* call(answering, "GetTaskPushNotificationConfig", { taskId, id: "w" })).result,
        flat
      )
      const list = (yield* call(answering, "ListTaskPushNotificationConfigs", { taskId })).result
      assert.deepStrictEqual(list.configs.map(({ id }: { id: string }) => id), ["first", "w", "n", made.id])
      assert.strictEqual(list.nextPageToken, "")
      assert.notMatch(JSON.stringify([list, flat]), /secret/)
      for (let times = 0; times < 2; times++) {
        assert.deepStrictEqual(
          (yield* call(answering, "DeleteTaskPushNotificationConfig", { taskId, id: "w" })).result,
          {}
        )
      }
      assert.strictEqual(
        (yield* call(answering, "GetTaskPushNotificationConfig", { taskId, id: "w" })).error.code,
        -32001
      )
      const wrong = yield* call(answering, "CreateTaskPushNotificationConfig", { taskId, url: "http://example.com/" })
      assert.deepStrictEqual([wrong.error.code, wrong.error.message], [-32602, "url must be an https address."])
      const refused = { ...message("x"), configuration: { taskPushNotificationConfig: { url: "http://example.com/" } } }
      assert.match(
        (yield* call(answering, "SendMessage", refused)).error.message,
        /^configuration\.taskPushNotificationConfig\.url /
      )
      assert.strictEqual((yield* call(answering, "ListTasks", {})).result.totalSize, 1)
    }))

  it.effect("A2A-12 what this agent doesn't do is said so, whatever it is asked with", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      for (const method of ["SendStreamingMessage", "SubscribeToTask", "GetExtendedAgentCard"]) {
        for (const params of [undefined, {}, [], message("x")]) {
          assert.strictEqual((yield* call(answering, method, params)).error.code, -32004)
        }
      }
    }))
})

/** Lets what the machine reports come in. */
const pause = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})
