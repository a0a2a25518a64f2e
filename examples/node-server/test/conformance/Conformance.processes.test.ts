/** The example server under the conformance tool of MCP's own project, in every revision that the tool knows. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DriveClient } from "@filedrive/testing"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Ready, type ServerProcess, startServer } from "../ServerProcess.ts"
import { Browserless } from "./Browserless.ts"
import * as Conformance from "./Conformance.ts"
import * as NotApplicable from "./NotApplicable.ts"
import { freePort, TokenProxy } from "./TokenProxy.ts"

const revisions = ["2025-06-18", "2025-11-25", "2026-07-28"]

const proxy = new TokenProxy()
let server: ServerProcess
let ready: Ready
let known: ReadonlyArray<Conformance.Scenario>
let data: string

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "filedrive-conformance-data-"))
  await proxy.listen()
  const port = await freePort()
  server = startServer({ PORT: String(port), FILEDRIVE_DATA: data, FILEDRIVE_ORIGIN: proxy.origin })
  ready = await server.ready
  const { apiToken } = ready.accounts[0]!
  proxy.lead(port, apiToken)
  await new DriveClient({ url: proxy.origin, apiToken }).upload({
    fileName: "note.txt",
    bytes: new TextEncoder().encode("read me")
  })
  known = await Conformance.scenarios("server")
}, 120_000)

afterAll(async () => {
  server?.signal("SIGTERM")
  await server?.ended
  proxy.close()
  await rm(data, { recursive: true, force: true })
})

/** What is neither passed nor a remark. */
const open = (checks: ReadonlyArray<Conformance.Check>) =>
  checks.filter(({ status }) => status !== "SUCCESS" && status !== "INFO")

describe("conformance of the server", () => {
  it("MCP-17 each revision and scenario that the tool knows is checked, or says why it does not apply", () => {
    assert.isAtLeast(known.length, 60)
    const dates = new Set(known.flatMap((one) => one.revisions).filter((one) => one !== "extension"))
    assert.deepStrictEqual([...dates].toSorted(), [...Object.keys(NotApplicable.revisions), ...revisions].toSorted())
    const names = new Set(known.map(({ name }) => name))
    const unknown = Object.keys(NotApplicable.scenarios).filter((key) => !names.has(key.split(" ")[0]!))
    assert.deepStrictEqual(unknown, [])
    // What belongs to an extension runs in no revision.
    const unchecked = known.filter((one) => !one.revisions.some((revision) => revisions.includes(revision)))
    assert.deepStrictEqual(unchecked.filter(({ name }) => NotApplicable.scenarios[name] === undefined), [])
  })

  const unused = new Set(Object.keys(NotApplicable.checks))

  it.each(revisions)("MCP-17 the scenarios of %s pass", async (revision) => {
    const found = await Conformance.checkServer(`${proxy.origin}/mcp`, revision)
    const expected = known.filter((one) => one.revisions.includes(revision)).map(({ name }) => name)
    assert.deepStrictEqual([...found.keys()].toSorted(), expected.toSorted())
    for (const [name, checks] of found) {
      const what = `${name}: ${JSON.stringify(open(checks), null, 1)}`
      const passed = checks.filter(({ id, status }) => status === "SUCCESS" && !id.startsWith("wire-schema")).length
      const reason = NotApplicable.scenarios[name] ?? NotApplicable.scenarios[`${name} ${revision}`]
      if (reason === undefined) {
        const left = open(checks).filter(({ id }) => NotApplicable.checks[id] === undefined)
        assert.deepStrictEqual(left, [], what)
        assert.isAbove(checks.filter(({ status }) => status === "SUCCESS").length, 0, what)
        for (const { id } of open(checks)) unused.delete(id)
      } else {
        // One that passes applies: take it from the list.
        assert.isTrue(open(checks).length > 0 || passed === 0, `${name} passes`)
        // Whatever it asked for, each message was one of the revision's.
        const messages = checks.filter(({ id }) => id === "wire-schema-valid")
        assert.isTrue(messages.every(({ status }) => status === "SUCCESS"), what)
      }
    }
  }, 120_000)

  it("MCP-17 no check is excused that passes", () => {
    assert.deepStrictEqual([...unused], [])
  })
})

describe("conformance of the authorization server", () => {
  it("OAUTH-52 each scenario passes: the metadata, and a code for a token", async () => {
    const names = (await Conformance.scenarios("authorization")).map(({ name }) => name)
    const port = await freePort()
    const person = new Browserless(proxy.origin)
    await person.signIn(ready.accounts[0]!.apiToken)
    const clientId = await person.register(`http://127.0.0.1:${port}/callback`)
    const request = { issuer: proxy.origin, resource: `${proxy.origin}/mcp`, clientId, port }
    const found = await Conformance.checkAuthorization(request, (url) => person.allow(url))
    assert.deepStrictEqual([...found.keys()].toSorted(), names.toSorted())
    for (const [name, checks] of found) {
      assert.deepStrictEqual(open(checks), [], name)
      assert.isAbove(checks.filter(({ status }) => status === "SUCCESS").length, 0, name)
    }
  }, 120_000)
})
