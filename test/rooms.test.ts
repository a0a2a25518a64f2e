/** Where lines of the core belong, as far as the files themselves show it. */
import { assert, it } from "@effect/vitest"
import { globSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { root } from "../scripts/workspace.ts"

const core = "packages/core/src"

it("every folder of the core is a feature in the list, or one of those below and above all features", () => {
  const list = readFileSync(join(root, core, "Features.ts"), "utf8")
  const rooms = readdirSync(join(root, core), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const others = ["agent", "database", "facts", "http", "limits", "ports", "shared"]
  const listed = [...list.matchAll(/^import .* from "\.\/([a-z]+)\/[A-Za-z]+Feature\.ts"$/gm)].map(([, room]) => room)
  assert.sameMembers([...listed, ...others], rooms.map((room) => room.name))
})

it("a Repo exports its service and nothing else", () => {
  const repos = globSync(`${core}/**/*Repo.ts`, { cwd: root })
  assert.isNotEmpty(repos)
  for (const repo of repos) {
    const exported = [...readFileSync(join(root, repo), "utf8").matchAll(/^export (.*)$/gm)].map(([, what]) => what!)
    assert.lengthOf(exported, 1, `${repo}: ${exported.join(", ")}`)
    assert.match(exported[0]!, new RegExp(`^class ${basename(repo, ".ts")}\\b`))
  }
})
