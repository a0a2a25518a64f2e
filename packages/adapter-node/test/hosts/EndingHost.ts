/**
 * A host that never closes its drive: `node EndingHost.ts <what it does> <directory> [database url]`. Prints a line for each step. It
 * ends when no work keeps it running.
 */
import { createDrive, serve } from "@filedrive/adapter-node"
import { setTimeout as wait } from "node:timers/promises"
import { printLine } from "../printLine.ts"

const [what, dataDirectory, url] = process.argv.slice(2) as [string, string, string?]

const drive = createDrive({ dataDirectory, log: "off", ...(url === undefined ? {} : { database: { url } }) })

const userOf = async (handle: string) => {
  const user = await drive.accounts.create({ handle }) ?? await drive.accounts.findByHandle(handle)
  return drive.as(user!.userId)
}

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

const acts: Readonly<Record<string, () => Promise<unknown>>> = {
  /** Opens it, and does nothing. */
  opens: () => drive.ready(),
  /** Puts a file and opens one in the sandbox, so that a process of it stays warm. */
  puts: async () => {
    const me = await userOf("ada")
    const { id } = await me.files.put(picture, { fileName: "a.png" })
    printLine(id)
    await me.readFile({ fileId: id })
    await drive.runJobs()
  },
  /** Puts files at once, for which more connections are opened than are then used. */
  putsManyAtOnce: async () => {
    const me = await userOf("ada")
    await Promise.all(Array.from({ length: 18 }, (_, n) => me.files.put(new Uint8Array(9), { fileName: `${n}` })))
    // A pool closes its unused connections after a minute. The process doesn't stay for that.
    setTimeout(() => {
      printLine(`kept running by ${process.getActiveResourcesInfo().join(", ")}`)
      process.exit(3)
    }, 45_000).unref()
  },
  /** Puts a file from a source that does not keep the process running. */
  putsSlowly: async () => {
    const me = await userOf("ada")
    const source = async function*() {
      for (let n = 0; n < 5; n++) {
        await wait(200, undefined, { ref: false })
        yield new Uint8Array(1_000)
      }
    }
    const put = me.files.put(source(), { fileName: "slow.bin", fileSize: 5_000 })
    void put.then(({ id }) => printLine(id))
  },
  /** Follows the events of the drive until it has read one, which is made by a timer that does not keep the process running. */
  follows: async () => {
    const me = await userOf("ada")
    void (async () => {
      for await (const { kind } of drive.events({ after: "now" })) {
        printLine(kind)
        break
      }
    })()
    setTimeout(() => void me.files.put(new Uint8Array(3), { fileName: "b" }), 500).unref()
  },
  /** Serves until its input tells it to stop. */
  serves: async () => {
    const server = await serve(drive, { port: 0 })
    printLine(server.origin)
    process.once("SIGTERM", () => void server.stop())
  },
  /** Prints the names of its files. */
  lists: async () => {
    const me = await userOf("ada")
    for await (const { fileName } of me.files.list()) printLine(fileName)
    printLine("listed")
  }
}

await acts[what]!()
printLine("through")
