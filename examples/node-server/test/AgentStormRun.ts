/** What a storm of tasks is to have led to, and what wakes those that wait. */
import { assert } from "@effect/vitest"
import { type Account, type Caller, kinds, pause, sent, type Told } from "./AgentStorm.ts"

export interface Given {
  readonly n: number
  readonly kind: string
  readonly account: Account
  readonly id: string
}

export const hasEnded = (state: string): boolean => /COMPLETED|FAILED|CANCELED/.test(state)

/** Puts into each drive what the tasks are about. */
export const prepare = async (call: Caller, accounts: ReadonlyArray<Account>): Promise<void> => {
  for (const { apiToken } of accounts) {
    await call.drive(apiToken, async (client) => {
      await client.upload({ fileName: "seed.txt", bytes: Buffer.from("seed"), type: "Text" })
      await client.ok("/create-file-request", { title: "Inbox" })
    })
  }
}

/** Gives the tasks, one every 80 ms, each at whichever server answers. */
export const giveAll = (
  call: Caller,
  accounts: ReadonlyArray<Account>,
  total: number,
  hook: string
): Promise<ReadonlyArray<Given>> =>
  Promise.all(Array.from({ length: total }, async (_, n) => {
    await pause(n * 80)
    const kind = kinds[n % kinds.length]!
    const account = accounts[Math.floor(n / kinds.length) % accounts.length]!
    const { id } = await sent(call, account, n, kind.parts(n), hook)
    return { n, kind: kind.name, account, id: id as string }
  }))

/** Lets happen what the tasks wait for, once each says that it waits. Resolves with their states when all have ended. */
export const untilEnded = async (call: Caller, tasks: ReadonlyArray<Given>): Promise<ReadonlySet<string>> => {
  const waking = {
    wait: (n: number, token: string) =>
      call.drive(token, async (client) => {
        const bytes = Buffer.from("w")
        const id = await client.upload({ fileName: `w${n}.txt`, bytes, type: "Text" })
        await client.ok("/move-files", { fileIds: [id], folder: `/W${n}` })
      }),
    drops: (_: number, token: string) =>
      call.drive(token, async (client) => {
        const post = async (route: string, body: object) =>
          (await client.raw(route, {
            body: JSON.stringify(body),
            headers: { "content-type": "application/json" }
          })).body
        const { requests } = await client.ok("/select-file-requests")
        const { id: requestId } = requests.find(({ title }) => title === "Inbox")!
        const { dropToken } = await post("/start-drop", { requestId, senderName: "Grace" })
        const file = {
          dropToken,
          type: "Text",
          fileName: "d.txt",
          fileSize: 1,
          mimeType: "text/plain",
          clientKey: "d"
        }
        await client.sendForm(await post("/drop-file-urls", file), Buffer.from("x"))
        await post("/insert-drop-file", file)
        await post("/finish-drop", { dropToken })
      })
  }
  const states = new Map<string, string>()
  const woken = new Set<string>()
  while (states.size < tasks.length) {
    for (const { account: { apiToken }, id, kind, n } of tasks.filter(({ id }) => !states.has(id))) {
      const { status } = await call.rpc(apiToken, "GetTask", { id })
      if (hasEnded(status.state)) states.set(id, status.state)
      else if ((kind === "wait" || kind === "drops") && status.message !== undefined && !woken.has(id)) {
        woken.add(id)
        await waking[kind](n, apiToken)
      }
    }
    await pause(200)
  }
  return new Set(states.values())
}

/** Each task has taken effect once: what is in the drives is what the tasks of each kind make. */
export const assertDrives = async (
  call: Caller,
  accounts: ReadonlyArray<Account>,
  tasks: ReadonlyArray<Given>
): Promise<void> => {
  for (const account of accounts) {
    const own = (...names: ReadonlyArray<string>) =>
      tasks.filter((task) => task.account === account && names.includes(task.kind))
    await call.drive(account.apiToken, async (client) => {
      const { folders, playlists } = await client.ok("/select-collections")
      assert.sameMembers(playlists.map(({ title }) => title), [
        ...own("playlist").map(({ n }) => `Mix${n}`),
        ...own("direct").map(({ n }) => `Direct${n}`)
      ])
      const paths = folders.map(({ path }) => path).filter((path) => /^\/F\d/.test(path))
      assert.sameMembers(paths, own("folder").map(({ n }) => `/F${n}`))
      const { requests } = await client.ok("/select-file-requests")
      const titles = requests.map(({ title }) => title).filter((title) => title !== "Inbox")
      assert.sameMembers(titles, own("request").map(({ n }) => `R${n}`))
      // An image that was being made when its server was killed has failed, and is given back.
      const { generations } = await client.ok("/select-generation-history")
      assert.strictEqual(generations.length, own("image").length)
      const made = generations.filter(({ status }) => status === "done").length
      assert.strictEqual((await client.ok("/get-image-allowance")).used, made)
      assert.strictEqual((await client.ok("/search-files", { types: ["Image"] })).files.length, made)
      const { files } = await client.ok("/search-files", { text: "raw", limit: 100 })
      assert.sameMembers(files.map(({ fileName }) => fileName), own("raw").map(({ n }) => `raw${n}.txt`))
      const [seed] = (await client.ok("/search-files", { text: "seed" })).files
      assert.sameMembers(seed!.tags.map(({ text }) => text), own("tag").map(({ n }) => `t${n}`))
    })
  }
}

/** Each task is reported to its webhook until it has ended, and never as it was before what was reported already. */
export const assertReports = async (told: Told, tasks: ReadonlyArray<Given>): Promise<void> => {
  const reported = (id: string) => told.byTask.get(id) ?? []
  while (!tasks.every(({ id }) => reported(id).some(({ state }) => hasEnded(state)))) await pause(200)
  for (const { id } of tasks) {
    const order = reported(id).map(({ state, time }) => time + (hasEnded(state) ? 0.5 : 0))
    assert.deepStrictEqual(order, order.toSorted((a, b) => a - b))
    assert.include(reported(id).map(({ state }) => state), "TASK_STATE_WORKING")
  }
}
