/** The official client of A2A, unchanged, with the agent as it is served. */
import { type SendMessageRequest, type Task, TaskState } from "@a2a-js/sdk"
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { agent, bearer, site } from "./Agent.ts"

/** A client that found the agent by its card. */
const clientWith = Effect.fnUntraced(function*(token: string) {
  const answering = yield* agent()
  const context = yield* Effect.context<never>()
  const fetchImpl: typeof fetch = async (input, init) => {
    const request = new Request(input as string, init)
    for (const [name, value] of Object.entries(bearer(token))) request.headers.set(name, value)
    return Effect.runPromiseWith(context)(answering(request))
  }
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl })
  })
  return yield* Effect.promise(() => factory.createFromUrl(site))
})

let messages = 0

type Content = NonNullable<SendMessageRequest["message"]>["parts"][number]["content"]

const request = (
  contents: ReadonlyArray<Content>,
  configuration: Partial<NonNullable<SendMessageRequest["configuration"]>> = {},
  more: { readonly taskId?: string; readonly contextId?: string } = {}
): SendMessageRequest => ({
  tenant: "",
  metadata: undefined,
  message: {
    messageId: `sdk-${++messages}`,
    role: 1,
    contextId: "",
    taskId: "",
    parts: contents.map((content) => ({ content, metadata: undefined, filename: "", mediaType: "" })),
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more
  },
  configuration: {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: false,
    ...configuration
  }
})

const text = (value: string): Content => ({ $case: "text", value })

const send = (client: Client, ...given: Parameters<typeof request>) =>
  Effect.promise(async () => await client.sendMessage(request(...given)) as Task)

/** The error that a call rejects with. */
const failure = (run: () => Promise<unknown>) =>
  Effect.promise(() => run().then(() => assert.fail("resolved"), (error: Error) => error))

describe("SdkClient", () => {
  it.effect("A2A-14 it finds the agent by its card, and sends every kind of part", () =>
    Effect.gen(function*() {
      const client = yield* clientWith("fdt_one")
      const task = yield* send(client, [
        text("see"),
        { $case: "raw", value: Buffer.from("hello") },
        { $case: "url", value: "https://example.com/a.jpg" },
        { $case: "data", value: { tool: "search_files" } }
      ])
      assert.strictEqual(task.status!.state, TaskState.TASK_STATE_COMPLETED)
      assert.deepStrictEqual(
        task.artifacts[0]!.parts[0]!.content,
        text(
          "You said: see file 5 https://example.com/a.jpg {\"tool\":\"search_files\"}"
        )
      )
      assert.lengthOf(task.history[0]!.parts, 4)
      const again = yield* Effect.promise(() => client.getTask({ tenant: "", id: task.id, historyLength: 0 }))
      assert.deepStrictEqual([again.id, again.contextId, again.history], [task.id, task.contextId, []])
    }))

  it.effect("A2A-14 it lists tasks page by page, joins one, cancels it, and reads the errors", () =>
    Effect.gen(function*() {
      const client = yield* clientWith("fdt_one")
      const held = yield* send(client, [text("hold")], { returnImmediately: true })
      assert.strictEqual(held.status!.state, TaskState.TASK_STATE_WORKING)
      const joined = yield* send(client, [text("more")], {}, { taskId: held.id })
      assert.strictEqual(joined.id, held.id)
      for (const word of ["a", "b", "c"]) yield* send(client, [text(word)], {}, { contextId: "ours" })
      const list = (pageToken: string) =>
        Effect.promise(() =>
          client.listTasks({
            tenant: "",
            contextId: "",
            status: TaskState.TASK_STATE_UNSPECIFIED,
            pageSize: 3,
            pageToken,
            statusTimestampAfter: undefined
          })
        )
      const first = yield* list("")
      const last = yield* list(first.nextPageToken)
      assert.deepStrictEqual([first.tasks.length, last.tasks.length, last.nextPageToken, last.totalSize], [3, 1, "", 4])
      const canceled = yield* Effect.promise(() => client.cancelTask({ tenant: "", id: held.id, metadata: undefined }))
      assert.strictEqual(canceled.status!.state, TaskState.TASK_STATE_CANCELED)
      const errors = [
        yield* failure(() => client.cancelTask({ tenant: "", id: held.id, metadata: undefined })),
        yield* failure(() => client.getTask({ tenant: "", id: "unknown" })),
        yield* failure(() => client.sendMessage(request([text("x")], {}, { taskId: held.id }))),
        yield* failure(() => client.sendMessage(request([])))
      ]
      assert.deepStrictEqual(errors.map(({ name }) => name), [
        "TaskNotCancelableError",
        "TaskNotFoundError",
        "UnsupportedOperationError",
        "RequestMalformedError"
      ])
    }))

  it.effect("A2A-14 it makes, reads, lists and deletes webhooks", () =>
    Effect.gen(function*() {
      const client = yield* clientWith("fdt_one")
      const { id: taskId } = yield* send(client, [text("hold")], { returnImmediately: true })
      const config = {
        tenant: "",
        id: "w",
        taskId,
        url: "https://example.com/hook",
        token: "tok",
        authentication: { scheme: "Bearer", credentials: "cred" }
      }
      const made = yield* Effect.promise(() => client.createTaskPushNotificationConfig(config))
      assert.deepStrictEqual([made.id, made.taskId, made.url, made.token], ["w", taskId, config.url, ""])
      const ids = { tenant: "", taskId, id: "w" }
      const read = yield* Effect.promise(() => client.getTaskPushNotificationConfig(ids))
      assert.strictEqual(read.authentication?.scheme, "Bearer")
      const list = () =>
        Effect.promise(() => client.listTaskPushNotificationConfig({ tenant: "", taskId, pageSize: 0, pageToken: "" }))
      assert.lengthOf((yield* list()).configs, 1)
      yield* Effect.promise(() => client.deleteTaskPushNotificationConfig(ids))
      assert.lengthOf((yield* list()).configs, 0)
    }))

  it.effect("A2A-14 what it would stream it sends and waits for", () =>
    Effect.gen(function*() {
      const client = yield* clientWith("fdt_one")
      const events = yield* Effect.promise(async () => {
        const all: Array<unknown> = []
        for await (const event of client.sendMessageStream(request([text("hello")]))) all.push(event)
        return all
      })
      assert.lengthOf(events, 1)
    }))

  it.effect("A2A-14 it is told when its token is not valid", () =>
    Effect.gen(function*() {
      const client = yield* clientWith("fdt_wrong")
      const error = yield* failure(() => client.getTask({ tenant: "", id: "unknown" }))
      assert.match(error.message, /401/)
    }))
})
