/** What tokens may do by their permissions, for every tool: a table made from the declarations. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { CurrentAccount, DriveTools } from "@filedrive/core"
import type { MemoryDrive } from "@filedrive/testing"
import { type App, connect, newDrive, register } from "../oauth/Apps.ts"
import { agent, api, listed, mcp } from "./Surfaces.ts"
import { argumentsOf, toldOf } from "./ToolArguments.ts"
import { FileServer, itemsOf, makeWorld, type World } from "./World.ts"

const { permissions } = CurrentAccount

/** Those that destroy what others of these need come last. */
const last = [
  "trash_files",
  "delete_review_note",
  "delete_file_review",
  "delete_tag",
  "delete_files",
  "delete_folder",
  "purge_trashed_files"
]
const ranks = { reads: 0, changes: 1, deletes: 2 }
const rankOf = ({ effect, name }: DriveTools.DriveTool) => ranks[effect] * 10 + last.indexOf(name) / 10
const tools = DriveTools.driveTools.toSorted((one, other) => rankOf(one) - rankOf(other))

let drive: MemoryDrive
let app: App
const files = new FileServer()

beforeAll(async () => {
  await files.listen()
  drive = await newDrive({ allowPrivateAddresses: true, media: false })
  app = await register(drive)
}, 60_000)
afterAll(async () => {
  files.close()
  await drive.close()
})

const accessOf = async (world: World, allowed: ReadonlyArray<string>): Promise<string> => {
  const changes = { scope: permissions.join(" "), resource: null }
  return (await connect(drive, app, world.user, { permissions: allowed }, changes)).access_token
}

const isAllowed = (tool: DriveTools.DriveTool, of: ReadonlyArray<string>) =>
  tool.permissions.some((one) => of.includes(one))

describe("permissions", () => {
  it("MCP-15 a token lists exactly the tools that its permissions allow, for all 127 sets of them", async () => {
    const { userId } = await drive.user()
    for (let bits = 1; bits < 2 ** permissions.length; bits++) {
      const set = permissions.filter((_, bit) => (bits >> bit) & 1)
      const { id, token } = await drive.tokens.create(userId, { name: "set", permissions: set })
      const expected = DriveTools.driveTools.filter((tool) => isAllowed(tool, set)).map(({ name }) => name)
      assert.deepStrictEqual(await listed(drive, token), expected, set.join())
      await drive.tokens.revoke(userId, id)
    }
  }, 120_000)

  /** A drive without media tools refuses these to everybody. */
  const refusedAnyhow = new Set(["set_video_thumbnail"])

  /** These take the permission to share besides, for what they publish. */
  const publishes = new Set(["set_playlist_public", "set_gallery_public"])

  /** These take the permission to delete besides, for what another token has begun. */
  const ends = new Set(["cancel_generation", "delete_archive"])

  /** Tools that read, and say nothing of a place. */
  const impersonal = new Set([
    "get_image_allowance",
    "get_user_storage_usage",
    "select_similar_tracks"
  ])

  it("MCP-15 what is listed can be called: with any one of the permissions that a tool names", async () => {
    const world = await makeWorld(drive, files.url)
    const tokens = new Map<string, string>()
    for (const one of permissions) tokens.set(one, await accessOf(world, [one]))
    const mayPublish = await accessOf(world, ["organize", "share"])
    const mayEnd = await accessOf(world, ["read", "delete", "generate"])
    const tokenFor = (tool: string, permission: string) =>
      publishes.has(tool) ? mayPublish : ends.has(tool) ? mayEnd : tokens.get(permission)!
    for (const tool of tools) {
      // What only reads can be called with each; of others the first call may use up what it is about.
      for (const permission of tool.effect === "reads" ? tool.permissions : tool.permissions.slice(0, 1)) {
        const answers = []
        for (const args of argumentsOf(tool, world.outside, world)) {
          const answer = await mcp(drive)(tokenFor(tool.name, permission), tool, args)
          answers.push(answer)
          if (!answer.isRefused && tool.effect !== "reads") break
        }
        const what = `${tool.name} ${permission}: ${answers.map(({ text }) => text).join("\n")}`
        assert.isTrue(answers.every(({ status }) => status === 200), what)
        assert.strictEqual(answers.every(({ isRefused }) => isRefused), refusedAnyhow.has(tool.name), what)
        if (tool.effect === "reads") {
          const tells = answers.some(({ text }) => toldOf(text, world.outside).length > 0)
          assert.strictEqual(tells, !impersonal.has(tool.name), what)
        }
      }
    }
  }, 120_000)

  it(
    "MCP-15 OAUTH-77 what is not listed is refused at each surface, with the scope that is needed, and without effect",
    async () => {
      const world = await makeWorld(drive, files.url)
      const before = await itemsOf(world)
      for (const one of permissions) {
        const allowed = permissions.filter((other) => other !== one)
        for (const set of [[one], allowed]) {
          const token = await accessOf(world, set)
          for (const tool of tools.filter((tool) => !isAllowed(tool, set))) {
            // With what the token has: clients ask for just what they are told.
            const asked = permissions.filter((other) => set.includes(other) || tool.permissions.includes(other))
            const scope = new RegExp(`error="insufficient_scope", scope="${asked.join(" ")}"`)
            let limited = 0
            for (const args of argumentsOf(tool, world.outside, world)) {
              const what = `${tool.name} by ${set.join()}: ${JSON.stringify(args)}`
              const atMcp = await mcp(drive)(token, tool, args)
              assert.deepStrictEqual([atMcp.status, atMcp.code], [403, -32602], what)
              assert.match(atMcp.challenge!, scope, what)
              const atApi = await api(drive)(token, tool, args)
              assert.isTrue(atApi.isRefused, what)
              // The variant is not a valid body.
              if (atApi.status === 400) continue
              assert.deepStrictEqual([atApi.status, atApi.code], [403, "token_limit"], what)
              assert.match(atApi.challenge!, scope, what)
              limited++
            }
            assert.isAbove(limited, 0, tool.name)
          }
        }
      }
      assert.deepStrictEqual(await itemsOf(world), before)
    },
    120_000
  )

  it("OAUTH-77 an agent with nothing but the permission agent is refused every tool, without effect", async () => {
    const world = await makeWorld(drive, files.url)
    const before = await itemsOf(world)
    const token = await accessOf(world, ["agent"])
    for (const tool of tools) {
      const answer = await agent(drive)(token, tool, argumentsOf(tool, world.outside, world).at(-1))
      assert.include(answer.text, `This token may not ${tool.permissions.join(" or ")}.`, tool.name)
      assert.isTrue(answer.isRefused, tool.name)
    }
    assert.deepStrictEqual(await itemsOf(world), before)
  }, 120_000)
})
