/** The documentation can be reviewed line by line, and its links lead to files that exist. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root } from "../scripts/workspace.ts"

const lineMaxLength = 160

const documents = [...globSync("docs/**/*.md", { cwd: root }), "README.md", "AGENTS.md"].toSorted()

const isTableRow = (line: string): boolean => line.trimStart().startsWith("|")

describe.each(documents)("%s", (document) => {
  const text = readFileSync(join(root, document), "utf8")

  it(`has no line above ${lineMaxLength} characters, tables aside`, () => {
    const lines = text.split("\n").map((line, index) => ({ line, place: `${document}:${index + 1}` }))
    const long = lines.filter(({ line }) => line.length > lineMaxLength && !isTableRow(line))
    assert.deepStrictEqual(long.map(({ place }) => place), [])
  })

  it("links to files that exist", () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, path]) => path!)
    const local = links.filter((path) => !/^[a-z]+:/.test(path))
    assert.deepStrictEqual(local.filter((path) => !existsSync(join(root, dirname(document), path))), [])
  })
})
