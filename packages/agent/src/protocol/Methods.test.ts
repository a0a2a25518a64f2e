import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { bytesOf } from "./Message.ts"
import * as Methods from "./Methods.ts"
import { normalize } from "./ProtoJson.ts"

const part = { text: "hello" }
const message = { messageId: "m", role: "ROLE_USER", parts: [part] }

/** The field that a call is refused for, or null. */
const refusedField = (method: string, params: unknown): string | null =>
  Result.match(Methods.call(method, params), {
    onFailure: ({ message, violations }) => {
      const [{ description, field }] = violations as unknown as readonly [{ description: string; field: string }]
      assert.strictEqual(message, description)
      assert.isTrue(message.startsWith(field), message)
      return field
    },
    onSuccess: () => null
  })

const send = (more: object, configuration?: object) => ({
  message: { ...message, ...more },
  ...configuration && { configuration }
})

describe("Methods", () => {
  it.each<readonly [field: string, method: string, params: unknown]>([
    ["params", "SendMessage", []],
    ["params", "SendMessage", "text"],
    ["message", "SendMessage", {}],
    ["message", "SendMessage", { message: "hello" }],
    ["message.messageId", "SendMessage", send({ messageId: undefined })],
    ["message.messageId", "SendMessage", send({ messageId: "" })],
    ["message.messageId", "SendMessage", send({ messageId: 7 })],
    ["message.messageId", "SendMessage", send({ messageId: "x".repeat(257) })],
    ["message.messageId", "SendMessage", send({ messageId: "a\u0000b" })],
    ["message.role", "SendMessage", send({ role: undefined })],
    ["message.role", "SendMessage", send({ role: "ROLE_AGENT" })],
    ["message.role", "SendMessage", send({ role: "user" })],
    ["message.parts", "SendMessage", send({ parts: undefined })],
    ["message.parts", "SendMessage", send({ parts: [] })],
    ["message.parts", "SendMessage", send({ parts: part })],
    ["message.parts[0]", "SendMessage", send({ parts: ["hello"] })],
    ["message.parts[0]", "SendMessage", send({ parts: [null] })],
    ["message.parts[0]", "SendMessage", send({ parts: [{}] })],
    ["message.parts[0]", "SendMessage", send({ parts: [{ kind: "text" }] })],
    ["message.parts[1]", "SendMessage", send({ parts: [part, { text: "a", url: "https://example.com" }] })],
    ["message.parts[0]", "SendMessage", send({ parts: [{ raw: "", data: null }] })],
    ["message.parts[0].text", "SendMessage", send({ parts: [{ text: 5 }] })],
    ["message.parts", "SendMessage", send({ parts: Array.from({ length: 51 }, () => ({ text: "a" })) })],
    ["message.parts[0].text", "SendMessage", send({ parts: [{ text: "\ud800" }] })],
    ["message.parts[0].raw", "SendMessage", send({ parts: [{ raw: "no base64!" }] })],
    ["message.parts[0].raw", "SendMessage", send({ parts: [{ raw: "aaaaa" }] })],
    ["message.parts[0].url", "SendMessage", send({ parts: [{ url: "example" }] })],
    ["message.parts[0].filename", "SendMessage", send({ parts: [{ raw: "", filename: "a\nb" }] })],
    ["message.parts[0].mediaType", "SendMessage", send({ parts: [{ raw: "", mediaType: "picture" }] })],
    ["message.parts[0].metadata", "SendMessage", send({ parts: [{ text: "a", metadata: 1 }] })],
    ["message.contextId", "SendMessage", send({ contextId: 1 })],
    ["message.contextId", "SendMessage", send({ contextId: "x".repeat(257) })],
    ["message.taskId", "SendMessage", send({ taskId: [] })],
    ["message.metadata", "SendMessage", send({ metadata: [] })],
    ["message.metadata.a", "SendMessage", send({ metadata: { a: "\u0000" } })],
    ["configuration", "SendMessage", send({}, [])],
    ["configuration.historyLength", "SendMessage", send({}, { historyLength: -1 })],
    ["configuration.historyLength", "SendMessage", send({}, { historyLength: 1.5 })],
    ["configuration.historyLength", "SendMessage", send({}, { historyLength: "1" })],
    ["configuration.returnImmediately", "SendMessage", send({}, { returnImmediately: "yes" })],
    [
      "configuration.taskPushNotificationConfig.url",
      "SendMessage",
      send({}, { taskPushNotificationConfig: { id: "a" } })
    ],
    [
      "configuration.taskPushNotificationConfig.token",
      "SendMessage",
      send({}, {
        taskPushNotificationConfig: { url: "https://example.com", token: "a\r\nb: c" }
      })
    ],
    ["id", "GetTask", {}],
    ["id", "GetTask", { id: "" }],
    ["id", "GetTask", { id: 1 }],
    ["historyLength", "GetTask", { id: "a", historyLength: -1 }],
    ["historyLength", "GetTask", { id: "a", history_length: -1 }],
    ["pageSize", "ListTasks", { pageSize: 0 }],
    ["pageSize", "ListTasks", { pageSize: 101 }],
    ["pageSize", "ListTasks", { page_size: 2.5 }],
    ["status", "ListTasks", { status: "completed" }],
    ["status", "ListTasks", { status: 3 }],
    ["statusTimestampAfter", "ListTasks", { statusTimestampAfter: "yesterday" }],
    ["statusTimestampAfter", "ListTasks", { statusTimestampAfter: "2026-13-01T00:00:00Z" }],
    ["statusTimestampAfter", "ListTasks", { statusTimestampAfter: 1_790_000_000 }],
    ["includeArtifacts", "ListTasks", { includeArtifacts: 1 }],
    ["historyLength", "ListTasks", { historyLength: -1 }],
    ["id", "CancelTask", {}],
    ["taskId", "CreateTaskPushNotificationConfig", { url: "https://example.com" }],
    ["url", "CreateTaskPushNotificationConfig", { taskId: "t" }],
    ["url", "CreateTaskPushNotificationConfig", { taskId: "t", url: "" }],
    ["url", "CreateTaskPushNotificationConfig", { taskId: "t", config: { url: 1 } }],
    ["authentication.scheme", "CreateTaskPushNotificationConfig", {
      taskId: "t",
      url: "https://a.b",
      authentication: {}
    }],
    ["authentication.scheme", "CreateTaskPushNotificationConfig", {
      taskId: "t",
      url: "https://a.b",
      authentication: { scheme: "a b" }
    }],
    ["authentication.credentials", "CreateTaskPushNotificationConfig", {
      taskId: "t",
      url: "https://a.b",
      authentication: { scheme: "Bearer", credentials: "ü" }
    }],
    ["taskId", "GetTaskPushNotificationConfig", { id: "a" }],
    ["id", "GetTaskPushNotificationConfig", { taskId: "a" }],
    ["taskId", "ListTaskPushNotificationConfigs", {}],
    ["id", "DeleteTaskPushNotificationConfig", { taskId: "a" }]
  ])("A2A-4 A2A-7 %s of %s is wrong in %j", (field, method, params) => {
    assert.strictEqual(refusedField(method, params), field)
  })

  it.each<readonly [method: string, params: unknown]>([
    ["SendMessage", send({})],
    [
      "SendMessage",
      send({ contextId: "any text", taskId: "", metadata: null, extensions: [], referenceTaskIds: ["a"], unknown: 1 })
    ],
    ["SendMessage", {
      tenant: "",
      message: { message_id: "m", role: "ROLE_USER", parts: [{ raw: "", media_type: "image/png" }] }
    }],
    [
      "SendMessage",
      send({ parts: [{ data: null }, { data: 5 }, { data: [] }, { text: "" }, { raw: "aGk" }, { raw: "_-8=" }] })
    ],
    [
      "SendMessage",
      send({}, { acceptedOutputModes: ["text/plain"], historyLength: null, taskPushNotificationConfig: null })
    ],
    ["GetTask", { id: "a", history_length: 0, tenant: "t", name: "x" }],
    ["ListTasks", {}],
    ["ListTasks", {
      contextId: "",
      status: "TASK_STATE_UNSPECIFIED",
      pageSize: null,
      pageToken: "",
      statusTimestampAfter: "2026-09-28T12:00:00Z",
      includeArtifacts: false
    }],
    ["CancelTask", { id: "a", metadata: { a: 1 } }],
    ["CreateTaskPushNotificationConfig", { task_id: "t", url: "https://a.b", authentication: null, token: "" }],
    ["ListTaskPushNotificationConfigs", { taskId: "a", pageSize: 5, pageToken: "x" }]
  ])("A2A-6 %s takes %j", (method, params) => {
    assert.isNull(refusedField(method, params))
  })

  it("A2A-6 what is inside data and metadata stays as it is", () => {
    const own = { snake_case: null, empty: "", list: [{ a_b: 1 }] }
    assert.deepStrictEqual(
      normalize({
        message: { message_id: "m", parts: [{ data: own, media_type: "" }], metadata: own, context_id: null }
      }),
      { message: { messageId: "m", parts: [{ data: own }], metadata: own } }
    )
    assert.deepStrictEqual(normalize({ page_size: 1, pageSize: 2 }), { pageSize: 2 })
    assert.deepStrictEqual(normalize({ pageSize: 2, page_size: 1 }), { pageSize: 2 })
    assert.deepStrictEqual(
      normalize(JSON.parse("{\"__proto__\":{\"a\":1},\"b\":2}")),
      JSON.parse("{\"__proto__\":{\"a\":1},\"b\":2}")
    )
  })

  it("A2A-7 bytes are read from base64 of either alphabet, with or without padding", () => {
    const bytes = new Uint8Array([251, 255, 191, 0])
    for (const text of ["+/+/AA==", "-_-_AA==", "+/+/AA", "-_-_AA"]) assert.deepStrictEqual(bytesOf(text), bytes, text)
    assert.deepStrictEqual(bytesOf(""), new Uint8Array())
  })
})
