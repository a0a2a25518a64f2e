/** A storm of tasks on servers that are killed: what gives the tasks, what they are waited for with, and what their drives are like after it. */
import { DriveCallFailed, DriveClient } from "@filedrive/testing"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { type Ready, type ServerProcess, startServer } from "./ServerProcess.ts"

export const pause = (millis: number) => new Promise<void>((resolve) => void setTimeout(resolve, millis))

/** A server that is started again whenever it has been killed. */
export class Phoenix {
  readonly #variables: Readonly<Record<string, string>>
  #process!: ServerProcess
  ready: Promise<Ready>
  output = ""
  constructor(variables: Readonly<Record<string, string>>) {
    this.#variables = variables
    this.ready = this.#start()
  }
  #start(): Promise<Ready> {
    this.#process = startServer(this.#variables)
    void this.#process.ended.then(({ stderr, stdout }) => this.output += stdout + stderr)
    const ready = this.#process.ready
    ready.catch(() => undefined)
    return ready
  }
  async kill(): Promise<void> {
    this.#process.signal("SIGKILL")
    await this.#process.ended
    this.ready = this.#start()
  }
  async stop(): Promise<void> {
    this.#process.signal("SIGKILL")
    await this.#process.ended
  }
}

/** What a webhook was told of each task, in the order of its coming. */
export class Told {
  readonly byTask = new Map<string, Array<{ readonly state: string; readonly time: number }>>()
  readonly #server: Server = createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => text += chunk).on("end", () => {
      const { task } = JSON.parse(text)
      const told = this.byTask.get(task.id) ?? []
      told.push({ state: task.status.state, time: Date.parse(task.status.timestamp) })
      this.byTask.set(task.id, told)
      response.end()
    })
  })
  listen(): Promise<void> {
    return new Promise((resolve) => void this.#server.listen(0, "127.0.0.1", resolve))
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }
  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

export interface Account {
  readonly handle: string
  readonly apiToken: string
}

export const accountsOf = (count: number): ReadonlyArray<Account> =>
  Array.from({ length: count }, (_, at) => ({
    handle: `storm${at}`,
    apiToken: `storm-of-tasks-token-of-the-account-${String(at).padStart(4, "0")}`
  }))

/** Calls the agent at whichever server answers, until one does. */
export const caller = (servers: ReadonlyArray<Phoenix>) => {
  let turn = 0
  const anywhere = async <A>(call: (ready: Ready) => Promise<A>): Promise<A> => {
    for (;;) {
      const ready = await Promise.race([
        servers[turn++ % servers.length]!.ready.catch(() => null),
        pause(500).then(() => null)
      ])
      if (ready === null) continue
      try {
        return await call(ready)
      } catch (error) {
        if (!isAway(error)) throw error
        await pause(50)
      }
    }
  }
  const rpc = (apiToken: string, method: string, params: object): Promise<any> =>
    anywhere(async ({ a2aUrl }) => {
      const response = await fetch(a2aUrl, {
        method: "POST",
        headers: { "authorization": `Bearer ${apiToken}`, "a2a-version": "1.0", "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        signal: AbortSignal.timeout(20_000)
      })
      const body: any = await response.json()
      if (response.status >= 500 || body.error?.code === -32603) throw new Away(JSON.stringify(body))
      if (body.result === undefined) throw new Error(JSON.stringify(body))
      return body.result
    })
  const drive = (apiToken: string, use: (client: DriveClient) => Promise<any>): Promise<any> =>
    anywhere(({ siteUrl }) => use(new DriveClient({ url: siteUrl, apiToken })))
  return { rpc, drive }
}

class Away extends Error {}

/** A server that was killed, or is about to be: the next one is asked. `fetch` fails with a TypeError where nobody answers. */
export const isAway = (error: unknown): boolean =>
  error instanceof Away || error instanceof TypeError ||
  (error instanceof DOMException && error.name === "TimeoutError") ||
  (error instanceof DriveCallFailed && error.answer.status >= 500)

export type Caller = ReturnType<typeof caller>

const part = (text: string) => ({ text })
const tool = (name: string, args: object) => ({ data: { tool: name, args } })

/** The kinds of tasks. Each takes effect once, and `n` makes it one of its own. */
export const kinds: ReadonlyArray<{ readonly name: string; readonly parts: (n: number) => ReadonlyArray<object> }> = [
  { name: "search", parts: () => [part("how many text files are there?")] },
  { name: "playlist", parts: (n) => [part(`create a playlist called Mix${n}`)] },
  { name: "folder", parts: (n) => [part(`create a folder /F${n} and move seed.txt to it`)] },
  { name: "request", parts: (n) => [tool("create_file_request", { title: `R${n}` })] },
  { name: "tag", parts: (n) => [part(`tag seed.txt with t${n}`)] },
  { name: "image", parts: (n) => [part(`generate an image of cat${n}`)] },
  {
    name: "raw",
    parts: (n) => [
      { raw: Buffer.from(`bytes ${n}`).toString("base64"), filename: `raw${n}.txt`, mediaType: "text/plain" }
    ]
  },
  { name: "direct", parts: (n) => [tool("create_playlist", { title: `Direct${n}` })] },
  { name: "drops", parts: () => [part("tell me when somebody sends files to the request Inbox")] },
  { name: "wait", parts: (n) => [part(`tell me when a file lands in /W${n}`)] }
]

export const sent = async (
  { rpc }: Caller,
  { apiToken }: Account,
  n: number,
  parts: ReadonlyArray<object>,
  hook: string
) =>
  (await rpc(apiToken, "SendMessage", {
    message: { messageId: `storm-${n}`, role: "ROLE_USER", parts },
    configuration: { returnImmediately: true, taskPushNotificationConfig: { url: hook, token: "storm-secret" } }
  })).task
