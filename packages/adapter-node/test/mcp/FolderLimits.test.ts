/** A grant for one folder: no tool, at no surface, tells or changes anything of what is outside. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { CurrentAccount, DriveTools } from "@filedrive/core"
import type { MemoryDrive } from "@filedrive/testing"
import { randomUUID } from "node:crypto"
import { connect, newDrive, register } from "../oauth/Apps.ts"
import { agent, api, mcp, post, type Surface } from "./Surfaces.ts"
import { argumentsOf, toldOf, withoutEcho } from "./ToolArguments.ts"
import { FileServer, itemsOf, makeWorld, type Place, type World } from "./World.ts"

const tools = DriveTools.driveTools

let drive: MemoryDrive
let world: World
let token: string
let before: ReadonlyMap<string, unknown>
const files = new FileServer()

beforeAll(async () => {
  await files.listen()
  drive = await newDrive({ allowPrivateAddresses: true, media: false })
  world = await makeWorld(drive, files.url)
  const decision = { permissions: CurrentAccount.permissions, folder: world.inside.folderId }
  const changes = { scope: CurrentAccount.permissions.join(" "), resource: null }
  token = (await connect(drive, await register(drive), world.user, decision, changes)).access_token
  before = outsideOf(await itemsOf(world))
}, 120_000)
afterAll(async () => {
  files.close()
  await drive.close()
})

/** The items that are not of the folder itself. */
const outsideOf = (items: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> =>
  new Map([...items].filter(([, item]) => toldOf(JSON.stringify(item), world.inside).length === 0))

/** Items may come to be in the folder; those that were outside are as they were. */
const assertUntouched = async (what: string) => {
  const now = await itemsOf(world)
  for (const [key, item] of before) assert.deepStrictEqual(now.get(key), item, `${what}: ${key}`)
}

/** Without what differs between two calls that do the same. */
const unmarked = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID").replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")

const surfaces: ReadonlyArray<readonly [name: string, of: (drive: MemoryDrive) => Surface]> = [
  ["MCP", mcp],
  ["the API", api],
  ["the agent", agent]
]

describe("a grant for one folder", () => {
  it("MCP-18 its files, lists and work are there", async () => {
    assert.isAbove(before.size, 30)
    const told = new Set<string>()
    for (const tool of tools.filter(({ effect }) => effect === "reads")) {
      for (const args of argumentsOf(tool, world.inside, world)) {
        const { text } = await mcp(drive)(token, tool, args)
        for (const one of toldOf(text, world.inside)) told.add(one)
        assert.deepStrictEqual(toldOf(text, world.outside), [], tool.name)
      }
    }
    // An archive is seen by the token that asked for it, and by those without a folder.
    const { archiveId, ...seen } = world.inside
    assert.sameMembers([...told], Object.values(seen))
    assert.isFalse(told.has(archiveId))
  }, 60_000)

  for (const [name, of] of surfaces) {
    for (const tool of tools) {
      it(`MCP-18 OAUTH-77 ${tool.name} at ${name} neither tells nor changes what is outside`, async () => {
        const { foreign, outside } = world
        for (const args of [outside, foreign].flatMap((place) => argumentsOf(tool, place, world))) {
          const { status, text } = await of(drive)(token, tool, args)
          assert.isBelow(status, 500)
          const told = [outside, foreign].flatMap((place) => toldOf(withoutEcho(text, args), place))
          assert.deepStrictEqual(told, [], `${JSON.stringify(args)}: ${text}`)
        }
        if (tool.effect !== "reads") await assertUntouched(tool.name)
      }, 60_000)
    }
  }

  // One id of what is outside, beside others of the folder.
  for (const tool of tools) {
    it(`SEC-9 an id from outside is for ${tool.name} like one that does not exist`, async () => {
      const answersTo = async (key: string, id: string) => {
        const answers: Array<unknown> = []
        for (const args of argumentsOf(tool, { ...world.inside, [key]: id }, world)) {
          if (!JSON.stringify(args).includes(id)) continue
          const { status, text } = await api(drive)(token, tool, args)
          answers.push({ args: unmarked(args), status, answer: unmarked(JSON.parse(text)) })
        }
        return answers
      }
      const { path: _, word: __, ...ids } = world.outside
      for (const [key, outside] of Object.entries(ids)) {
        const unknown = await answersTo(key, randomUUID())
        for (const id of new Set([outside, world.foreign[key as keyof Place]])) {
          assert.deepStrictEqual(await answersTo(key, id), unknown, key)
        }
      }
      if (tool.effect !== "reads") await assertUntouched(tool.name)
    }, 60_000)
  }

  it("MCP-18 files outside are not among the resources", async () => {
    const rpc = async (method: string, params: object) =>
      await (await post(drive, "/mcp", token, { jsonrpc: "2.0", id: 1, method, params })).json() as any
    const { result } = await rpc("resources/list", {})
    const uris = result.resources.map(({ uri }: { readonly uri: string }) => uri)
    assert.include(uris, `filedrive://files/${world.inside.text}`)
    assert.deepStrictEqual(toldOf(JSON.stringify(result), world.outside), [])
    for (const id of [world.outside.text, world.outside.image, world.outside.trashed]) {
      const uri = `filedrive://files/${id}`
      assert.deepStrictEqual((await rpc("resources/read", { uri })).error, {
        code: -32002,
        message: "There is no such resource.",
        data: { uri }
      })
    }
  })
})
