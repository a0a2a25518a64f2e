/** A process that sends a file is killed, wherever it is; the next one goes on with what the file store and storage have. */
import { createClient } from "@filedrive/client"
import { type ChildProcess, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { FaultProxy } from "./FaultProxy.ts"
import { content, type ServedDrive, servedDrive } from "./servedDrive.ts"

const partSize = 64 * 1024 ** 2

const proxy = new FaultProxy()
let url: string
let served: ServedDrive
beforeAll(async () => {
  url = await proxy.listen()
  served = await servedDrive({ urlOf: () => url })
  proxy.to(served.url)
})
afterAll(async () => {
  await proxy.close()
  await served.close()
})

const program = `
import { createClient, fileStore } from "@filedrive/client"
const [url, apiToken, path, records] = process.argv.slice(1)
const client = createClient({ url, apiToken, store: fileStore(records) })
console.log((await client.upload(path, { folder: "/Sent", parallel: 1 })).id)
`

interface Sender {
  readonly child: ChildProcess
  /** The file's id; null of a process that was killed. */
  readonly id: Promise<string | null>
}

const send = (...given: ReadonlyArray<string>): Sender => {
  const child = spawn(
    process.execPath,
    ["--conditions=@filedrive/source", "--input-type=module", "--eval", program, ...given],
    { cwd: import.meta.dirname, stdio: ["ignore", "pipe", "inherit"] }
  )
  let text = ""
  child.stdout.on("data", (bytes) => text += bytes)
  const id = new Promise<string | null>((resolve) =>
    child.on("close", (_, signal) => resolve(signal === "SIGKILL" ? null : text.trim()))
  )
  return { child, id }
}

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

describe("a process that is killed while it sends", () => {
  it.each(
    [
      ["the second part", 2 * partSize + 70_000, "PUT /", 2],
      ["that all parts are there", 2 * partSize + 70_000, "POST /api/complete-multipart-upload", 1],
      ["that the file is there", 2 * partSize + 70_000, "POST /api/insert-file", 1],
      ["a form", 5_000, "POST /storage", 1],
      ["that the file of a form is there", 5_000, "POST /api/insert-file", 1]
    ] as const
  )("CLIENT-147 %s: the next goes on, and there is one file", async (_, size, request, nth) => {
    const { apiToken } = await served.user()
    const bytes = content(size, nth)
    const path = join(served.directory, `${crypto.randomUUID()}.bin`)
    const records = `${path}.records.json`
    await writeFile(path, bytes)
    proxy.passed.length = 0
    const first = send(url, apiToken, path, records)
    let seen = 0
    proxy.fault = ({ method, path }) => {
      if (`${method} ${path}`.startsWith(request) && ++seen === nth) first.child.kill("SIGKILL")
      return undefined
    }
    assert.isNull(await first.id)
    proxy.fault = () => undefined
    assert.include(await readFile(records, "utf8"), "filedrive:")
    const id = await send(url, apiToken, path, records).id
    // A part whose request was cut off never came; each of the others came once.
    if (size > partSize) assert.strictEqual(proxy.count("PUT"), 3)
    const client = createClient({ url, apiToken })
    const { files } = await client.searchFiles({})
    assert.deepStrictEqual(files.map((file) => [file.id, file.folder?.path]), [[id!, "/Sent"]])
    assert.strictEqual(hash(new Uint8Array(await (await client.download(id!)).arrayBuffer())), hash(bytes))
    assert.strictEqual((await client.getUserStorageUsage()).pendingBytes, 0)
    assert.strictEqual(await readFile(records, "utf8"), "{}")
  }, 60_000)
})
