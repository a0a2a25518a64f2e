/** A client at rest, in a process of its own. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, it } from "vitest"
import { type ServedDrive, servedDrive } from "./servedDrive.ts"

let served: ServedDrive
beforeAll(async () => {
  served = await servedDrive()
})
afterAll(() => served.close())

const program = `
import { createClient } from "@filedrive/client"
const [url, apiToken] = process.argv.slice(1)
const client = createClient({ url, apiToken })
const { id } = await client.upload(new Uint8Array(100_000), { fileName: "a.bin" })
await (await client.download(id)).arrayBuffer()
const queue = client.uploads.queue()
queue.add([new File(["a"], "a.txt")])
await queue.done
for await (const event of client.events({ kinds: ["file"] })) if (event.kind === "file") break
console.log("idle")
`

it("CLIENT-12 keeps no process alive", async () => {
  const { apiToken } = await served.user()
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--conditions=@filedrive/source", "--input-type=module", "--eval", program, served.url, apiToken],
    // It would be killed, and the call fail.
    { cwd: import.meta.dirname, timeout: 60_000 }
  )
  assert.strictEqual(stdout, "idle\n")
}, 90_000)
