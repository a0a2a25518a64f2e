/** That a caller's address arrives on node:http, and what a proxy says of it on every way in. */
import { assert, describe, it } from "@effect/vitest"
import { type DriveOptions, listen } from "@filedrive/adapter-node"
import { DriveClient } from "@filedrive/testing"
import { fetchOf, temporaryDrive, userOf } from "./hosts.ts"

const options: DriveOptions = {
  trustedProxies: 1,
  // It stands still: a slow machine gains nobody a call.
  clock: () => Date.UTC(2026, 0, 1),
  rateLimits: { account: { calls: 2, perSeconds: 3_600 }, address: { calls: 5, perSeconds: 3_600 } }
}

const from = (client: DriveClient, address?: string) =>
  client.call("/select-user-files", undefined, address === undefined ? {} : { "x-forwarded-for": address })

const statusesOf = async (client: DriveClient, addresses: ReadonlyArray<string | undefined>) => {
  const statuses = []
  for (const address of addresses) statuses.push((await from(client, address)).status)
  return statuses
}

describe("rate limits of hosts", () => {
  it("RATE-9 on node:http an account's calls and an address's are limited", async () => {
    const server = await listen((request, response) => drive.nodeHandler(request, response), { port: 0 })
    const { close, drive } = await temporaryDrive({ ...options, url: server.origin })
    try {
      const one = new DriveClient({ url: server.origin, ...(await userOf(drive)()) })
      const other = new DriveClient({ url: server.origin, ...(await userOf(drive)()) })
      // The exchange and these come from this machine: three calls of five.
      assert.deepStrictEqual(await statusesOf(one, [undefined, undefined]), [200, 200])
      assert.deepStrictEqual(await statusesOf(one, ["192.0.2.1", "192.0.2.2"]), [429, 429])
      assert.deepStrictEqual(await statusesOf(other, [undefined, undefined, "192.0.2.1"]), [200, 429, 200])
      assert.strictEqual((await from(other)).headers.get("retry-after"), "720")
    } finally {
      await server.stop()
      await close()
    }
  })

  it("RATE-9 on fetch a proxy names the address", async () => {
    const { close, drive } = await temporaryDrive({ ...options, url: "http://drive.test" })
    try {
      const anonymous = new DriveClient({ url: "http://drive.test", apiToken: "none", fetch: fetchOf(drive) })
      const call = async (address: string) =>
        (await anonymous.raw("/select-user-files", { headers: { "x-forwarded-for": address } })).status
      for (let at = 0; at < 5; at++) assert.strictEqual(await call("192.0.2.1"), 401)
      assert.strictEqual(await call("192.0.2.1"), 429)
      assert.strictEqual(await call("192.0.2.2"), 401)
    } finally {
      await close()
    }
  })
})
