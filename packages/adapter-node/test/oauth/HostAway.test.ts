/** Apps that connect while the host's accounts can't be asked. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { DriveUser, MemoryDrive } from "@filedrive/testing"
import { type App, ask, connect, decide, newDrive, register, sendForm, tieOf } from "./Apps.ts"

const secret = "introspection-secret-of-32-chars"

/** The host's users, while it is up. */
const host = { isAway: false }

let drive: MemoryDrive
let ada: DriveUser
let app: App

beforeAll(async () => {
  drive = await newDrive({
    oauth: { introspectionSecrets: [secret] },
    accounts: {
      find: async (id) => {
        if (host.isAway) throw new Error("The host is away.")
        return { id, handle: "ada", plan: "pro", suspended: false }
      }
    }
  })
  ada = await drive.clientOf("ada")
  app = await register(drive)
})
afterAll(() => drive.close())

describe("a host that can't be asked", () => {
  it("OAUTH-92 consent, tokens and introspection are 503 meanwhile, and use nothing up", async () => {
    const tokens = await connect(drive, app, ada)
    const asked = await ask(app)
    const tie = await tieOf(drive, asked, ada)
    const introspect = () =>
      sendForm(drive, "/oauth/introspect", { token: tokens.access_token }, { authorization: `Bearer ${secret}` })
    const refresh = () =>
      sendForm(drive, "/oauth/token", {
        grant_type: "refresh_token",
        refresh_token: tokens.refresh_token!,
        client_id: app.client.client_id
      })
    host.isAway = true
    // What the host said last counts for some seconds.
    await drive.clock.advance("10 seconds")
    assert.strictEqual((await decide(drive, asked, ada, { tie })).status, 503)
    assert.strictEqual((await introspect()).status, 503)
    assert.strictEqual((await refresh()).status, 503)
    host.isAway = false
    assert.strictEqual((await decide(drive, asked, ada, { tie })).status, 303)
    assert.isTrue((await introspect()).body.active)
    assert.strictEqual((await refresh()).status, 200)
  })
})
