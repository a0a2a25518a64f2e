/** The official client of A2A with the example server, as its users run both. */
import { type SendMessageRequest, type Task, TaskState } from "@a2a-js/sdk"
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DriveClient } from "@filedrive/testing"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Ready, type ServerProcess, startServer } from "./ServerProcess.ts"

interface Push {
  readonly headers: IncomingHttpHeaders
  readonly task: {
    readonly id: string
    readonly status: {
      readonly state: string
      readonly message?: { readonly parts: ReadonlyArray<{ readonly text?: string }> }
    }
  }
}

/** A webhook, and what it was sent. */
class Hook {
  readonly pushes: Array<Push> = []
  readonly #server: Server
  #heard = Promise.withResolvers<void>()
  constructor() {
    this.#server = createServer((request, response) => {
      let text = ""
      request.setEncoding("utf8").on("data", (chunk: string) => text += chunk).on("end", () => {
        this.pushes.push({ headers: request.headers, task: JSON.parse(text).task })
        response.end()
        const heard = this.#heard
        this.#heard = Promise.withResolvers()
        heard.resolve()
      })
    })
  }
  listen(): Promise<void> {
    return new Promise((resolve) => void this.#server.listen(0, "127.0.0.1", resolve))
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }
  /** Resolves when the task was reported in this state. */
  async until(id: string, state: string): Promise<Push> {
    for (;;) {
      const heard = this.#heard.promise
      const push = this.pushes.find(({ task }) => task.id === id && task.status.state === state)
      if (push !== undefined) return push
      await heard
    }
  }
  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

const clientOf = ({ siteUrl }: Ready, token: string): Promise<Client> => {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set("authorization", `Bearer ${token}`)
    return fetch(input, { ...init, headers })
  }
  return new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver()
  }).createFromUrl(siteUrl)
}

let messages = 0

type Part = NonNullable<SendMessageRequest["message"]>["parts"][number]

const text = (value: string): Part => ({
  content: { $case: "text", value },
  metadata: undefined,
  filename: "",
  mediaType: ""
})

const send = async (
  client: Client,
  parts: ReadonlyArray<Part>,
  configuration: Partial<NonNullable<SendMessageRequest["configuration"]>> = {}
): Promise<Task> =>
  await client.sendMessage({
    tenant: "",
    metadata: undefined,
    message: {
      messageId: `m-${++messages}`,
      role: 1,
      contextId: "",
      taskId: "",
      parts: [...parts],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: []
    },
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately: false,
      ...configuration
    }
  }) as Task

const replyOf = (task: Task): string => {
  const content = task.artifacts.find(({ name }) => name === "Reply")?.parts[0]?.content
  return content?.$case === "text" ? content.value : ""
}

describe("the agent of the example server", () => {
  const hook = new Hook()
  let directory: string
  let server: ServerProcess
  let ready: Ready
  let client: Client
  let drive: DriveClient

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "filedrive-agent-"))
    server = startServer({ FILEDRIVE_DATA: join(directory, "data"), FILEDRIVE_ALLOW_PRIVATE_ADDRESSES: "1" })
    ready = await server.ready
    const [{ apiToken }] = ready.accounts as [Ready["accounts"][number]]
    client = await clientOf(ready, apiToken)
    drive = new DriveClient({ url: ready.siteUrl, apiToken })
    await hook.listen()
  })
  afterAll(async () => {
    hook.close()
    server.signal("SIGTERM")
    await server.ended
    await rm(directory, { recursive: true, force: true })
  })

  const pushed = (taskId = "", url = hook.url) => ({
    tenant: "",
    id: "",
    taskId,
    url,
    token: "tok-1",
    authentication: { scheme: "Bearer", credentials: "cred-1" }
  })

  it("A2A-14 a request in words is done, and its reply is the status and an artifact", async () => {
    const task = await send(client, [text("create a folder /Work")])
    assert.strictEqual(task.status!.state, TaskState.TASK_STATE_COMPLETED, replyOf(task))
    assert.include(replyOf(task), "/Work")
    const { folders } = await drive.ok("/select-collections")
    assert.include(folders.map(({ path }) => path), "/Work")
    const usage = await send(client, [text("how much storage do I use?")])
    assert.deepStrictEqual(usage.status!.message!.parts[0]!.content, usage.artifacts[0]!.parts[0]!.content)
  })

  it("A2A-14 bytes of a message are a file of the drive", async () => {
    const raw: Part = {
      content: { $case: "raw", value: Buffer.from("hello from the agent") },
      metadata: undefined,
      filename: "hello.txt",
      mediaType: "text/plain"
    }
    const task = await send(client, [text("how many text files are there?"), raw])
    assert.strictEqual(task.status!.state, TaskState.TASK_STATE_COMPLETED, replyOf(task))
    const { files } = await drive.ok("/search-files", { text: "hello" })
    assert.deepStrictEqual(files.map(({ fileName, isPublic }) => [fileName, isPublic]), [["hello.txt", false]])
  })

  it("A2A-14 a task is reported to its webhook, with its secrets and without its history", async () => {
    const { id } = await send(client, [text("how many photos are there?")], {
      returnImmediately: true,
      taskPushNotificationConfig: pushed()
    })
    const { headers, task } = await hook.until(id, "TASK_STATE_COMPLETED")
    assert.include(headers, {
      "content-type": "application/json",
      "x-a2a-notification-token": "tok-1",
      "authorization": "Bearer cred-1"
    })
    assert.notProperty(task, "history")
    const { configs } = await client.listTaskPushNotificationConfig({
      tenant: "",
      taskId: id,
      pageSize: 0,
      pageToken: ""
    })
    assert.deepStrictEqual(configs.map(({ authentication, token, url }) => [url, token, authentication!.credentials]), [
      [hook.url, "", ""]
    ])
  })

  it("A2A-14 a task waits for files in a folder, goes on when one lands there, and may be cancelled", async () => {
    const wait = () =>
      send(client, [text("tell me when a file lands in /Inbox")], { taskPushNotificationConfig: pushed() })
    const waiting = await wait()
    assert.strictEqual(waiting.status!.state, TaskState.TASK_STATE_WORKING, replyOf(waiting))
    const file: Part = {
      content: { $case: "data", value: { tool: "create_folder", args: { path: "/Inbox" } } },
      metadata: undefined,
      filename: "",
      mediaType: ""
    }
    await send(client, [file])
    const id = await drive.upload({ fileName: "landed.txt", bytes: Buffer.from("x"), type: "Text" })
    await drive.ok("/move-files", { fileIds: [id], folder: "/Inbox" })
    const { task } = await hook.until(waiting.id, "TASK_STATE_COMPLETED")
    assert.include(task.status.message!.parts[0]!.text!, "landed.txt")
    const again = await wait()
    const canceled = await client.cancelTask({ tenant: "", id: again.id, metadata: undefined })
    assert.strictEqual(canceled.status!.state, TaskState.TASK_STATE_CANCELED)
    await hook.until(again.id, "TASK_STATE_CANCELED")
  })

  it("A2A-10 A2A-14 another token of the account sees none of them", async () => {
    const { token } = await drive.ok("/create-api-token", { name: "other" })
    const other = await clientOf(ready, token)
    const list = (one: Client) =>
      one.listTasks({
        tenant: "",
        contextId: "",
        status: TaskState.TASK_STATE_UNSPECIFIED,
        pageToken: "",
        pageSize: 2,
        statusTimestampAfter: undefined
      })
    const own = await list(client)
    assert.strictEqual(own.tasks.length, 2)
    assert.notStrictEqual(own.nextPageToken, "")
    assert.strictEqual((await list(other)).totalSize, 0)
    const refused = await other.getTask({ tenant: "", id: own.tasks[0]!.id }).then(
      () => null,
      (error: Error) => error.name
    )
    assert.strictEqual(refused, "TaskNotFoundError")
  })
})

/** A language model that answers with these messages, one after the other. */
const modelServer = async (...answers: ReadonlyArray<object>) => {
  const asked: Array<{ readonly authorization: string | undefined; readonly body: any }> = []
  const model = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => body += chunk).on("end", () => {
      asked.push({ authorization: request.headers.authorization, body: JSON.parse(body) })
      const message = answers[Math.min(asked.length, answers.length) - 1]
      const answer = { id: "c", model: "m", choices: [{ index: 0, message, finish_reason: "stop" }], usage: null }
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => void model.listen(0, "127.0.0.1", resolve))
  return { asked, url: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`, close: () => model.close() }
}

const calling = (name: string, given: string) => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id: `call-${name}`, type: "function", function: { name, arguments: given } }]
})

describe("the example server with a language model", () => {
  it("MODEL-10 the model of the environment does a task with the drive's tools, and is told what it did wrong", async () => {
    const model = await modelServer(
      calling("create_folder", "{\"path\":"),
      calling("format_disk", "{}"),
      calling("create_folder", "{\"path\":\"/Model\"}"),
      { role: "assistant", content: "The folder /Model is there." }
    )
    const directory = await mkdtemp(join(tmpdir(), "filedrive-model-"))
    const server = startServer({
      FILEDRIVE_DATA: join(directory, "data"),
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "sk-test",
      FILEDRIVE_MODEL: "test-model"
    })
    try {
      const ready = await server.ready
      const [{ apiToken }] = ready.accounts as [Ready["accounts"][number]]
      const task = await send(await clientOf(ready, apiToken), [text("a folder called Model, please")])
      assert.deepStrictEqual([task.status!.state, replyOf(task)], [
        TaskState.TASK_STATE_COMPLETED,
        "The folder /Model is there."
      ])
      const { folders } = await new DriveClient({ url: ready.siteUrl, apiToken }).ok("/select-collections")
      assert.deepStrictEqual(folders.map(({ path }) => path), ["/Model"])
      assert.deepStrictEqual([model.asked.length, model.asked[0]!.authorization], [4, "Bearer sk-test"])
      const { messages, model: name, tools } = model.asked[3]!.body
      assert.strictEqual(name, "test-model")
      assert.include(tools.map((tool: any) => tool.function.name), "create_folder")
      const results = messages.filter(({ role }: any) => role === "tool").map(({ content }: any) => JSON.parse(content))
      assert.lengthOf(results, 3)
      for (const refused of results.slice(0, 2)) assert.isString(refused.error.error ?? refused.error)
      assert.deepInclude(results[2], { path: "/Model" })
    } finally {
      server.signal("SIGTERM")
      await server.ended
      model.close()
      await rm(directory, { recursive: true, force: true })
    }
  })
})
