import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { agent, answerOf, bearer, call, message, post, rpc, type RpcError } from "./Agent.ts"

const unknownTask = "0199a000-0000-7000-8000-00000000dead"

const errorInfo = (reason: string, metadata: object = {}) => ({
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason,
  domain: "a2a-protocol.org",
  metadata
})

describe("A2aHttp", () => {
  // Each request has every flaw of those below it, so the answer shows what is checked first.
  it.effect.each([
    {
      flaw: "no credential",
      status: 401,
      headers: { authorization: null, "content-type": "text/plain", "a2a-version": null },
      body: "{"
    },
    {
      flaw: "a wrong credential",
      status: 401,
      headers: { ...bearer("fdt_wrong"), "content-type": "text/plain" },
      body: "{"
    },
    {
      flaw: "no permission",
      status: 403,
      headers: { ...bearer("fdt_reader"), "content-type": "text/plain" },
      body: "{"
    },
    { flaw: "media type", code: -32005, headers: { "content-type": "text/plain", "a2a-version": null }, body: "{" },
    { flaw: "no media type", code: -32005, headers: { "content-type": "" }, body: "{" },
    { flaw: "JSON", code: -32700, headers: { "a2a-version": null }, body: "{\"jsonrpc\":\"1.0\"" },
    { flaw: "no body", code: -32700, headers: { "a2a-version": null }, body: "" },
    { flaw: "a batch", code: -32600, headers: { "a2a-version": null }, body: [rpc("Nonsense", 1)] },
    {
      flaw: "envelope",
      code: -32600,
      headers: { "a2a-version": null },
      body: { jsonrpc: "1.0", id: 1, method: "Nonsense" }
    },
    { flaw: "id", code: -32600, headers: { "a2a-version": null }, body: rpc("Nonsense", 1, { a: 1 }) },
    { flaw: "a broken number as id", code: -32600, headers: { "a2a-version": null }, body: rpc("Nonsense", 1, 1.5) },
    { flaw: "no method", code: -32600, headers: { "a2a-version": null }, body: { jsonrpc: "2.0", id: 1 } },
    { flaw: "version", code: -32009, headers: { "a2a-version": null }, body: rpc("Nonsense", 1) },
    { flaw: "method", code: -32601, headers: {}, body: rpc("Nonsense", 1) },
    { flaw: "a method of 0.3", code: -32601, headers: {}, body: rpc("message/send", 1) },
    { flaw: "a method's name of objects", code: -32601, headers: {}, body: rpc("toString", 1) },
    { flaw: "streaming", code: -32004, headers: {}, body: rpc("SendStreamingMessage", 1) },
    { flaw: "parameters", code: -32602, headers: {}, body: rpc("SendMessage", []) }
  ])("A2A-1 $flaw", ({ body, code, headers, status = 200 }) =>
    Effect.gen(function*() {
      const answer = yield* answerOf(yield* agent(), post(body, headers))
      assert.strictEqual(answer.status, status)
      if (code === undefined) return
      const { error, id, jsonrpc } = answer.body as { error: RpcError; id: unknown; jsonrpc: string }
      assert.deepStrictEqual([jsonrpc, error.code], ["2.0", code])
      assert.include([null, 1], id)
    }))

  it.effect("A2A-1 an answer has the id of its request, also an error as far as it can be read", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      for (const id of ["text", 7, 0, -3, null]) {
        for (const method of ["ListTasks", "Nonsense"]) {
          const { body } = yield* answerOf(answering, post(rpc(method, {}, id)))
          assert.strictEqual(body["id"], id)
        }
      }
      const { body } = yield* answerOf(answering, post({ jsonrpc: "2.0", method: "ListTasks" }))
      assert.deepStrictEqual(body["result"], { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 })
    }))

  it.effect("A2A-1 what is nested too deep, too large or compressed is refused", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      const deep = "[".repeat(40_000)
      const large = JSON.stringify(rpc("SendMessage", message("x".repeat(4 * 1024 * 1024))))
      for (const request of [post(deep), post(large), post("{}", { "content-encoding": "gzip" })]) {
        const { body, status } = yield* answerOf(answering, request)
        assert.strictEqual(status, 200)
        assert.strictEqual((body["error"] as RpcError).code, -32600)
      }
    }))

  it.effect("TASK-302 a short body is refused that is nested too deep, as its data would be kept", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      const data = "[".repeat(5_000) + "]".repeat(5_000)
      const params = { message: { messageId: "deep", role: "ROLE_USER", parts: [{ data: "DATA" }] } }
      const { body } = yield* answerOf(
        answering,
        post(JSON.stringify(rpc("SendMessage", params)).replace("\"DATA\"", data))
      )
      assert.strictEqual((body["error"] as RpcError).code, -32600)
    }))

  it.effect("A2A-2 who has no valid credential is told where sign-in is described", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      const metadata = "resource_metadata=\"https://drive.test/.well-known/oauth-protected-resource/a2a\""
      const none = yield* answerOf(answering, post({}, { authorization: null }))
      assert.strictEqual(none.headers.get("www-authenticate"), `Bearer realm="filedrive", scope="agent", ${metadata}`)
      const basic = yield* answerOf(answering, post({}, { authorization: "Basic YTpi" }))
      assert.strictEqual(basic.status, 401)
      const wrong = yield* answerOf(answering, post({}, bearer("fdt_wrong")))
      assert.deepStrictEqual([wrong.status, wrong.body["code"]], [401, "invalid_token"])
      assert.match(wrong.headers.get("www-authenticate")!, /^Bearer .*error="invalid_token".*resource_metadata=/)
      const reader = yield* answerOf(answering, post({}, bearer("fdt_reader")))
      assert.deepStrictEqual([reader.status, reader.body["code"]], [403, "insufficient_scope"])
      assert.match(reader.headers.get("www-authenticate")!, /error="insufficient_scope", scope="read agent"/)
    }))

  it.effect.each([
    { headers: { "a2a-version": "1.0" }, query: "", taken: true },
    { headers: { "a2a-version": null }, query: "?A2A-Version=1.0", taken: true },
    { headers: { "a2a-version": "" }, query: "?A2A-Version=1.0", taken: true },
    { headers: { "a2a-version": null }, query: "", taken: false },
    { headers: { "a2a-version": "0.3" }, query: "?A2A-Version=1.0", taken: false },
    { headers: { "a2a-version": "1" }, query: "", taken: false },
    { headers: { "a2a-version": "1.0.0" }, query: "", taken: true },
    { headers: { "a2a-version": " 1.0.27 " }, query: "", taken: true },
    { headers: { "a2a-version": null }, query: "?A2A-Version=1.0.1", taken: true },
    { headers: { "a2a-version": "1.0.x" }, query: "", taken: false },
    { headers: { "a2a-version": "1.0." }, query: "", taken: false },
    { headers: { "a2a-version": "1.0.1.2" }, query: "", taken: false },
    { headers: { "a2a-version": "1.01" }, query: "", taken: false },
    { headers: { "a2a-version": "1.1.0" }, query: "", taken: false },
    { headers: { "a2a-version": "1.1" }, query: "", taken: false },
    { headers: { "a2a-version": "2.0" }, query: "", taken: false }
  ])("A2A-3 $headers $query", ({ headers, query, taken }) =>
    Effect.gen(function*() {
      const { body } = yield* answerOf(yield* agent(), post(rpc("ListTasks", {}), headers, query))
      if (taken) return assert.property(body, "result")
      const { code, data } = body["error"] as RpcError
      assert.deepStrictEqual([code, ...data], [
        -32009,
        errorInfo("VERSION_NOT_SUPPORTED", { supportedVersions: "1.0" })
      ])
    }))

  it.effect("A2A-4 A2A-10 every error has one detail", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      const done = (yield* call(answering, "SendMessage", message("hello"))).result.task
      const cases: ReadonlyArray<
        readonly [method: string, params: unknown, code: number, detail: Readonly<Record<string, unknown>>]
      > = [
        ["GetTask", { id: unknownTask }, -32001, errorInfo("TASK_NOT_FOUND", { taskId: unknownTask })],
        ["GetTask", { id: "no uuid" }, -32001, errorInfo("TASK_NOT_FOUND", { taskId: "no uuid" })],
        ["CancelTask", { id: unknownTask }, -32001, errorInfo("TASK_NOT_FOUND", { taskId: unknownTask })],
        ["CancelTask", { id: done.id }, -32002, errorInfo("TASK_NOT_CANCELABLE", { taskId: done.id })],
        [
          "SendMessage",
          message("x", { taskId: unknownTask }),
          -32001,
          errorInfo("TASK_NOT_FOUND", { taskId: unknownTask })
        ],
        ["SendMessage", message("x", { taskId: done.id }), -32004, errorInfo("UNSUPPORTED_OPERATION")],
        [
          "GetTaskPushNotificationConfig",
          { taskId: done.id, id: "w" },
          -32001,
          errorInfo("TASK_NOT_FOUND", { webhookId: "w" })
        ],
        [
          "ListTaskPushNotificationConfigs",
          { taskId: unknownTask },
          -32001,
          errorInfo("TASK_NOT_FOUND", { taskId: unknownTask })
        ],
        ["Nonsense", {}, -32601, errorInfo("METHOD_NOT_FOUND", { method: "Nonsense" })],
        ["SubscribeToTask", { id: done.id }, -32004, errorInfo("UNSUPPORTED_OPERATION")]
      ]
      for (const [method, params, code, detail] of cases) {
        const { error } = yield* call(answering, method, params)
        assert.deepStrictEqual(Object.keys(error), ["code", "message", "data"])
        assert.strictEqual(error.code, code, method)
        assert.deepStrictEqual([...error.data], [detail], method)
      }
      const { error } = yield* call(answering, "ListTasks", { pageSize: 0 })
      assert.deepStrictEqual(error, {
        code: -32602,
        message: "pageSize must be from 1 to 100.",
        data: [{
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{ field: "pageSize", description: "pageSize must be from 1 to 100." }]
        }]
      })
    }))

  it.effect("A2A-10 another token of the account has no part in a task", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      const held = { ...message("hold"), configuration: { returnImmediately: true } }
      const { id } = (yield* call(answering, "SendMessage", held)).result.task
      const uses: ReadonlyArray<readonly [method: string, params: object]> = [
        ["GetTask", { id }],
        ["CancelTask", { id }],
        ["SendMessage", message("x", { taskId: id })],
        ["CreateTaskPushNotificationConfig", { taskId: id, url: "https://example.com/" }],
        ["GetTaskPushNotificationConfig", { taskId: id, id: "w" }],
        ["ListTaskPushNotificationConfigs", { taskId: id }],
        ["DeleteTaskPushNotificationConfig", { taskId: id, id: "w" }]
      ]
      for (const [method, params] of uses) {
        assert.strictEqual((yield* call(answering, method, params, "fdt_other")).error.code, -32001, method)
      }
      assert.strictEqual((yield* call(answering, "ListTasks", {}, "fdt_other")).result.totalSize, 0)
    }))

  it.effect("A2A-5 a fault's cause is told to nobody", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      const { error } = yield* call(answering, "SendMessage", message("fault"))
      assert.deepStrictEqual([error.code, error.message], [-32603, "Something went wrong on our side; try again."])
      const [{ metadata, reason }] = error.data as readonly [{ metadata: { reference: string }; reason: string }]
      assert.match(metadata.reference, /^[0-9a-f-]{36}$/)
      assert.strictEqual(reason, "INTERNAL_ERROR")
      const away = yield* call(answering, "SendMessage", message("away"))
      assert.strictEqual(away.error.code, -32603)
      assert.include(away.error.data[0], { reason: "INTERNAL_ERROR" })
      assert.notInclude(JSON.stringify([error, away.error]), "secret cause")
    }))
})
