/** Senders for real: forty at once, on two servers with one database and one store, that are killed in the middle. */
import { assert, it } from "@effect/vitest"
import { AccountsAdmin, CurrentAccount, Database, Events, ObjectStore, Quota } from "@filedrive/core"
import { Effect, Option, Stream } from "effect"
import { randomInt } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { EventQuery } from "../../../core/src/events/EventQuery.ts"
import { NewRequest } from "../../../core/src/requests/Request.ts"
import { Requests } from "../../../core/src/requests/Requests.ts"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { type Child, start } from "../database/ChildProcess.ts"
import { formBody } from "../formBody.ts"
import { driveHere } from "../WorkerDrive.ts"

const script = fileURLToPath(new URL("./DropServer.ts", import.meta.url))

const senders = 40
const filesEach = 6
const largestBytes = 2_000
/** Room for some two thirds of what the senders have. */
const maxBytes = 160_000

interface Reply {
  readonly status: number
  // oxlint-disable-next-line no-explicit-any
  readonly body: any
}

/** Two servers, each of which is started again when it was killed. */
const makeServers = (start: () => Child) => {
  const up = async () => {
    const child = start()
    await child.printed(1)
    return { child, origin: child.lines[0]! }
  }
  const servers = [up(), up()]
  return {
    /** One of those that are up, or the next that is. */
    origin: async () => (await Promise.race([servers[randomInt(2)]!, servers[randomInt(2)]!])).origin,
    kill: async (at: number) => {
      const { child } = await servers[at]!
      await child.kill()
      servers[at] = up()
      await servers[at]
    },
    end: async () => {
      for (const server of servers) await (await server).child.kill()
    }
  }
}

type Servers = ReturnType<typeof makeServers>

/** Sends to one server or the other until one answers; a server that is killed does not. */
const untilAnswered = async (servers: Servers, send: (origin: string) => Promise<Response>): Promise<Reply> => {
  while (true) {
    try {
      const response = await send(await servers.origin())
      const text = await response.text()
      if (response.status < 500) return { status: response.status, body: text === "" ? null : asJson(text) }
    } catch {
      // The connection was refused, or broke: the call is repeated, as a sender's page would.
    }
  }
}

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Sends bytes to a link; the server that signed it may have been killed, and then the sender begins again. */
const store = async (link: string, init: RequestInit) => {
  try {
    await (await fetch(link, init)).arrayBuffer()
  } catch {
    // What was stored tells the next step.
  }
}

const post = (servers: Servers, route: string, body: object) =>
  untilAnswered(servers, (origin) =>
    fetch(`${origin}/api${route}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    }))

interface Sent {
  readonly id: string
  readonly clientKey: string
  readonly fileSize: number
}

/** Sends one file by a form or in parts; null when there is no room for it. */
const sendFile = async (
  servers: Servers,
  dropToken: string,
  clientKey: string,
  fileSize: number
): Promise<Sent | null> => {
  const file = { dropToken, clientKey, type: "Other", fileName: clientKey, fileSize }
  const bytes = new Uint8Array(fileSize).fill(1)
  const isInParts = randomInt(2) === 0
  while (true) {
    const begun = await post(servers, isInParts ? "/create-drop-upload" : "/drop-file-urls", file)
    if (begun.body.code === "request_full" || begun.body.code === "storage_limit_reached") return null
    // They all send from one address, and others of them hold its share: the sender tries again.
    if (begun.body.code === "too_many_forms") continue
    assert.strictEqual(begun.status, 200, JSON.stringify(begun.body))
    if (isInParts) {
      for (const part of begun.body.signedParts) {
        await store(part.url, { method: "PUT", body: bytes })
      }
      const complete = await post(servers, "/complete-drop-upload", { dropToken, token: begun.body.token })
      if (complete.status === 409) continue
      assert.strictEqual(complete.status, 200, JSON.stringify(complete.body))
    } else {
      const { uploadForm, uploadUrl } = begun.body
      await store(uploadUrl, { method: "POST", body: formBody(uploadForm, bytes) })
    }
    const inserted = await post(servers, "/insert-drop-file", file)
    // A server was killed while it took the bytes: they are sent again.
    if (inserted.body.code === "object_not_found") continue
    assert.strictEqual(inserted.status, 200, JSON.stringify(inserted.body))
    return { id: inserted.body.id, clientKey, fileSize }
  }
}

interface Sender {
  readonly dropToken: string
  readonly name: string
  readonly sent: ReadonlyArray<Sent>
}

const deliver = async (servers: Servers, requestId: string, name: string, progress: () => void): Promise<Sender> => {
  const started = await post(servers, "/start-drop", { requestId, senderName: name })
  assert.strictEqual(started.status, 200, JSON.stringify(started.body))
  const { dropToken } = started.body
  const sent: Array<Sent> = []
  for (let n = 0; n < filesEach; n++) {
    const file = await sendFile(servers, dropToken, `${name} ${n}`, 1 + randomInt(largestBytes))
    if (file !== null) sent.push(file)
    progress()
  }
  // One is taken back now and then.
  if (sent.length > 0 && randomInt(4) === 0) {
    const { id } = sent.pop()!
    assert.strictEqual((await post(servers, "/remove-drop-file", { dropToken, fileId: id })).status, 200)
  }
  return { dropToken, name, sent }
}

const storm = async (servers: Servers, requestId: string) => {
  let steps = 0
  const waiting: Array<readonly [number, () => void]> = []
  const reached = (count: number) =>
    new Promise<void>((resolve) => steps >= count ? resolve() : void waiting.push([count, resolve]))
  const progress = () => {
    steps++
    for (const [count, resolve] of waiting) if (steps >= count) resolve()
  }
  const kills = (async () => {
    for (const [round, count] of [20, 60, 100, 140, 180].entries()) {
      await reached(count)
      await servers.kill(round % 2)
    }
  })()
  const all = await Promise.all(
    Array.from({ length: senders }, (_, n) => deliver(servers, requestId, `sender ${n}`, progress))
  )
  await kills
  return all
}

it.live(
  "REQ-56 REQ-71 forty senders on two servers that are killed fill a request to the last byte and never past it, and nothing is lost or left",
  () => {
    const root = mkdtempSync(join(tmpdir(), "filedrive-drops-"))
    return Effect.gen(function*() {
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(root, { recursive: true, force: true })))
      const { schema, sql, tables: t } = yield* Database
      const url = yield* Effect.promise(postgresUrl)
      const { id: owner } = Option.getOrThrow(
        yield* AccountsAdmin.use((admin) => admin.create({ plan: "pro", quotaBytes: maxBytes + 1_000 }))
      )
      const as = Effect.provideService(CurrentAccount.CurrentAccount, {
        id: owner,
        tokenId: null,
        limits: CurrentAccount.unlimited
      })
      const request = yield* Requests.use((all) => all.create(NewRequest.make({ title: "Photos", maxBytes } as never)))
        .pipe(as)
      const servers = makeServers(() => start([url, schema, root], [], script))
      yield* Effect.addFinalizer(() => Effect.promise(servers.end))

      const all = yield* Effect.promise(() => storm(servers, request.id))
      const received = all.flatMap(({ sent }) => sent).reduce((sum, { fileSize }) => sum + fileSize, 0)
      assert.isAtMost(received, maxBytes)

      // Those who gave up hold nothing more once they are finished; one is left, and fills the request.
      const last = all.find(({ sent }) => sent.length > 0)!
      const others = all.filter((one) => one !== last)
      const spare = last.sent.at(-1)!
      yield* Effect.promise(() => post(servers, "/remove-drop-file", { dropToken: last.dropToken, fileId: spare.id }))
      for (const { dropToken } of others) {
        const finished = yield* Effect.promise(() => post(servers, "/finish-drop", { dropToken }))
        assert.deepStrictEqual(finished, { status: 200, body: { finished: true } })
      }
      const shown = yield* Effect.promise(() => post(servers, "/open-file-request", { requestId: request.id }))
      const remaining: number = shown.body.remainingBytes
      const rest = yield* Effect.promise(() => sendFile(servers, last.dropToken, "the rest", remaining))
      assert(rest !== null)
      assert.strictEqual(rest.fileSize, remaining)
      assert.isNull(yield* Effect.promise(() => sendFile(servers, last.dropToken, "one more", 1)))
      yield* Effect.promise(() => post(servers, "/finish-drop", { dropToken: last.dropToken }))
      yield* Effect.promise(() => post(servers, "/finish-drop", { dropToken: last.dropToken }))

      const [rows] = yield* sql<{ readonly files: number; readonly received: number; readonly open: number }>`
        SELECT (SELECT sum(size)::float8 FROM ${t.files} WHERE account_id = ${owner}) AS files,
          (SELECT received_bytes::float8 FROM ${t.file_requests} WHERE id = ${request.id}) AS received,
          (SELECT count(*)::int FROM ${t.upload_forms} WHERE account_id = ${owner} AND state = 'open')
            + (SELECT count(*)::int FROM ${t.uploads} WHERE account_id = ${owner} AND held > 0) AS open
      `
      assert.deepStrictEqual(rows, { files: maxBytes, received: maxBytes, open: 0 })
      assert.deepStrictEqual(yield* Quota.use((quota) => quota.balance(owner)), { usedBytes: maxBytes, heldBytes: 0 })

      const page = yield* Events.use((events) => events.select(EventQuery.make({ limit: 100, since: "e0" } as never)))
        .pipe(as)
      const told = page.events.flatMap(({ event }) => event.kind === "drop" ? [event] : [])
      assert.strictEqual(told.length, page.events.length)
      const sentOf = (sender: Sender) =>
        sender === last ? [...sender.sent.filter((one) => one !== spare), rest] : sender.sent
      assert.deepStrictEqual(
        new Map(told.map(({ files, sender }) => [sender.name, files.map(({ id }) => id as string).sort()])),
        new Map(
          all.filter((one) => sentOf(one).length > 0).map((one) => [one.name, sentOf(one).map(({ id }) => id).sort()])
        )
      )
      assert.strictEqual(new Set(told.map(({ sender }) => sender.name)).size, told.length)

      // Bytes that belong to no file are listed for deletion, those of forms that a killed server was ending are for the sweep.
      const keys = (yield* ObjectStore.ObjectStore.use((store) => Stream.runCollect(store.list("private", "")))).map((
        { key }
      ) => key)
      const known = yield* sql<{ readonly key: string }>`
        SELECT store_key AS key FROM ${t.files} UNION SELECT store_key FROM ${t.pending_deletions}
        UNION SELECT store_key FROM ${t.upload_forms}
      `
      // The drive's own mark is below no prefix of files.
      const knownKeys = new Set(["filedrive-mark", ...known.map((row) => row.key)])
      assert.deepStrictEqual(keys.filter((key) => !knownKeys.has(key)), [])
      const ids = all.flatMap(({ sent }) => sent.map(({ id }) => id))
      assert.strictEqual(new Set(ids).size, ids.length)
    }).pipe(Effect.scoped, Effect.provide(driveHere(join(root, "storage"))))
  },
  240_000
)
