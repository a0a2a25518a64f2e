import { afterAll, assert, describe, it } from "@effect/vitest"
import { serve } from "@filedrive/adapter-node"
import { DriveClient } from "@filedrive/testing"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { temporaryDrive } from "./hosts.ts"

const closes: Array<() => Promise<void>> = []
afterAll(() => Promise.all(closes.map((close) => close())))

const start = async () => {
  const { close, drive } = await temporaryDrive()
  closes.push(close)
  return drive
}

const text = "fdt_a-token-that-stands-in-some-configuration"

interface EarlyCall {
  readonly answered: Promise<ReadonlyArray<IncomingMessage>>
}

/** Makes a call, and waits until the server has received it; not for its answer. */
const callEarly = async (site: string): Promise<EarlyCall> => {
  const asked = request(`${site}/api/openapi.json`, { headers: { expect: "100-continue" } }).end()
  const answered = once(asked, "response") as Promise<ReadonlyArray<IncomingMessage>>
  await once(asked, "continue")
  return { answered }
}

describe("serving a drive", () => {
  it("HOST-44 a token that is made while the server starts is good for a call that came before", async () => {
    const drive = await start()
    let early: Promise<unknown> | undefined
    const server = await serve(drive, {
      port: 0,
      prepare: async () => {
        early = new DriveClient({ url: drive.urls.site, apiToken: text }).session()
        early.catch(() => undefined)
        const { userId } = (await drive.accounts.create({ handle: "ada" }))!
        await drive.tokens.register(userId, text, { name: "configured" })
      }
    })
    assert.property(await early, "gelToken")
    await server.stop()
  })

  it("HOST-77 a drive that is closed before it is served is not: serve fails, and who called is answered 503", async () => {
    for (const isAwaited of [false, true]) {
      const drive = await start()
      let early: EarlyCall | undefined
      const served = serve(drive, {
        port: 0,
        prepare: async () => {
          early = await callEarly(drive.urls.site)
          const closed = drive.close()
          if (isAwaited) await closed
        }
      })
      assert.include(String(await served.then(() => "served", String)), "This drive is closed.")
      const [answer] = await early!.answered
      assert.strictEqual(answer?.resume().statusCode, 503)
      const gone = await fetch(`${drive.urls.site}/healthz`).then(() => "answered", () => "not there")
      assert.strictEqual(gone, "not there")
    }
  })

  it("HOST-77 a server may be stopped after its drive is closed", async () => {
    const drive = await start()
    const server = await serve(drive, { port: 0 })
    await drive.close()
    await drive.endStreams()
    await server.stop()
  })

  it("HOST-48 while the drive starts, /healthz is 200 and /readyz 503, at once", async () => {
    const drive = await start()
    const told: Array<unknown> = []
    const server = await serve(drive, {
      port: 0,
      prepare: async () => {
        for (const path of ["/healthz", "/readyz?now"]) {
          const answer = await fetch(drive.urls.site + path)
          told.push(answer.status, await answer.json())
        }
      }
    })
    assert.deepStrictEqual(told, [
      200,
      { status: "ok" },
      503,
      { error: "Not ready: the drive is starting.", code: "unavailable", retryable: true, away: [] }
    ])
    assert.strictEqual((await fetch(`${drive.urls.site}/readyz`)).status, 200)
    await server.stop()
  })

  it("HOST-11 options that are not known, or can't be used, are refused by name", async () => {
    const drive = await start()
    for (
      const [options, says] of [
        [{ hostname: "0.0.0.0" }, "serve: hostname is not known; there are port, host, "],
        [{ prot: 1 }, "serve: prot is not known"],
        [{ port: "x" }, "serve: port must be a whole number from 0 to 65535."],
        [{ port: 70_000 }, "serve: port must be"],
        [{ maxConnections: "10" }, "serve: maxConnections must be a whole number from 1 to 10000000."],
        [{ prepare: true }, "serve: prepare must be a function."]
      ] as const
    ) {
      const refused = await serve(drive, options as never).then(() => "served", String)
      assert.include(refused, says)
    }
  })

  it("HOST-44 where that fails so does the server, and calls that waited are answered 503", async () => {
    const drive = await start()
    let early: EarlyCall | undefined
    const served = serve(drive, {
      port: 0,
      prepare: async () => {
        early = await callEarly(drive.urls.site)
        throw new Error("no such account")
      }
    })
    assert.include(String(await served.catch((error: unknown) => error)), "no such account")
    const [answer] = await early!.answered
    assert.strictEqual(answer?.resume().statusCode, 503)
  })
})
