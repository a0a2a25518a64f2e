/** Callers that disconnect, on each host that comes with the drive: what was begun for them ends, down to its process. */
import { type DriveOptions, listen } from "@filedrive/adapter-node"
import { DriveClient } from "@filedrive/testing"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, describe, it } from "vitest"
import { fetchOf, temporaryDrive, userOf } from "../hosts/hosts.ts"
import { abandon } from "./AbandonedReads.ts"

const ends: Array<() => Promise<unknown>> = []
afterAll(() => Promise.all(ends.map((end) => end())))

/** Takes traces and forgets them. */
const collector = async (): Promise<string> => {
  const server = createServer((request, response) => void request.resume().on("end", () => response.end("{}")))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  ends.push(() => new Promise((resolve) => void server.close(resolve).closeAllConnections()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** No jobs: the drive would extract the file by itself. */
const options: DriveOptions = { runJobs: false, allowedOrigins: ["https://app.example"] }

const hosts = {
  "node:http": async (options: DriveOptions) => {
    const server = await listen((request, response) => drive.nodeHandler(request, response), { port: 0 })
    const { close, drive } = await temporaryDrive({ url: server.origin, ...options })
    ends.push(() => server.stop().then(close))
    const { apiToken } = await userOf(drive)()
    return new DriveClient({ url: server.origin, apiToken })
  },
  fetch: async (options: DriveOptions) => {
    const { close, drive } = await temporaryDrive({ url: "http://drive.test", ...options })
    ends.push(close)
    const { apiToken } = await userOf(drive)()
    return new DriveClient({ url: "http://drive.test", apiToken, fetch: fetchOf(drive) })
  }
}

describe.skipIf(process.platform !== "linux").each(Object.entries(hosts))(
  "Hanging up on %s (needs Linux: /proc tells which processes run)",
  (_, start) => {
    it("HOST-18 HOSTILE-21 the process that reads for a caller ends when the caller disconnects", async () => {
      await abandon(await start(options), "/read-file", (fileId) => ({ fileId }))
    }, 60_000)

    it("HOST-18 HOSTILE-21 it ends with tracing switched on, too", async () => {
      await abandon(
        await start({ ...options, tracing: { url: await collector() } }),
        "/read-file",
        (fileId) => ({ fileId })
      )
    }, 60_000)
  }
)
