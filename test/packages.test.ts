/** What the page of a published package shows: its purpose, how to begin, its licence, links to the rest. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { packages, root } from "../scripts/workspace.ts"

const repository = "https://github.com/filedrive/filedrive"
const read = (...path: ReadonlyArray<string>) => readFileSync(join(...path), "utf8")
const ownReadme = read(root, "README.md")

describe.each(packages.map(({ directory, manifest }) => ({ name: manifest.name, directory })))(
  "$name",
  ({ directory, name }) => {
    const manifest = JSON.parse(read(directory, "package.json"))
    const readme = read(directory, "README.md")
    const folder = `packages/${name.split("/")[1]}`

    it("HOST-132 says what it is, where its sources and its documentation are, and where to report what is wrong", () => {
      assert.isAbove(manifest.description.length, 40)
      assert.isAtLeast(manifest.keywords.length, 5)
      assert.strictEqual(manifest.license, "MIT")
      assert.deepStrictEqual(manifest.repository, { type: "git", url: `git+${repository}.git`, directory: folder })
      assert.strictEqual(manifest.homepage, `${repository}/tree/main/${folder}#readme`)
      assert.deepStrictEqual(manifest.bugs, { url: `${repository}/issues` })
    })

    it("HOST-132 brings its licence and its README, which has the install line with every library that must be there", () => {
      assert.includeMembers(manifest.files, ["dist", "LICENSE"])
      assert.strictEqual(read(directory, "LICENSE"), read(root, "LICENSE"))
      assert.isTrue(readme.startsWith(`# ${name}\n`))
      assert.isBelow(readme.split("\n").length, 45)
      const install = readme.split("\n").find((line) => line.startsWith("npm install "))!.split(" ")
      const optional = new Set(Object.keys(manifest.peerDependenciesMeta ?? {}))
      const needed = Object.keys(manifest.peerDependencies ?? {}).filter((peer) => !optional.has(peer))
      assert.includeMembers(install, [name, ...needed])
      assert.include(ownReadme, `[\`${name}\`](${folder}/README.md)`)
    })

    it("HOST-132 its README's links lead to documents and packages that exist", () => {
      const links = [...readme.matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)].map(([, url]) => url!)
      assert.isNotEmpty(links)
      for (const link of links) {
        const path = link.replace(`${repository}/blob/main/`, "").replace(
          "https://www.npmjs.com/package/@filedrive/",
          "packages/"
        )
        assert.isTrue(existsSync(join(root, path)), link)
      }
      assert.deepStrictEqual(readme.split("\n").filter((line) => line.length > 160), [])
    })
  }
)

/** The names of what npm installs with a package: what it and they depend on, and the peers that they don't declare optional. */
const installedWith = (name: string): ReadonlySet<string> => {
  const { packages: locked } = JSON.parse(read(root, "package-lock.json"))
  const names = new Set([name])
  for (const one of names) {
    const found = locked[`node_modules/${one}`]
    const { dependencies, peerDependencies, peerDependenciesMeta = {} } = found.link === true
      ? locked[found.resolved]
      : found
    const peers = Object.keys(peerDependencies ?? {}).filter((peer) => peerDependenciesMeta[peer]?.optional !== true)
    for (const needed of [...Object.keys(dependencies ?? {}), ...peers]) names.add(needed)
  }
  return names
}

describe("parts that a host takes alone", () => {
  it("HOST-121 no package brings redis, which a library of Effect's asks for and the drive does not use", () => {
    for (const { manifest } of packages) {
      const names = installedWith(manifest.name)
      assert.strictEqual(
        names.has("effect"),
        !["@filedrive/client", "@filedrive/pages"].includes(manifest.name),
        manifest.name
      )
      assert.notInclude(names, "redis", manifest.name)
    }
  })

  it("CLIENT-1 the client brings nothing", () => {
    assert.deepStrictEqual([...installedWith("@filedrive/client")], ["@filedrive/client"])
  })

  it("HOST-240 README.md and docs/embedding.md count the packages that its command installs", () => {
    const [, command] = /^npm install (@filedrive\/adapter-node .*)$/m.exec(ownReadme)!
    const installed = new Set(command!.split(" ").flatMap((name) => [...installedWith(name)]))
    const [, counted] = / MB in (\d+) packages/.exec(ownReadme)!
    const [, tabled] = /^\| node:http \|.* (\d+), \d+ \|/m.exec(read(root, "docs/embedding.md"))!
    assert.deepStrictEqual({ counted, tabled }, { counted: `${installed.size}`, tabled: `${installed.size}` })
  })

  it("HOST-133 every subpath is in the table of docs/embedding.md", () => {
    const documented = [...read(root, "docs/embedding.md").matchAll(/^\| `(@filedrive\/[^`]+\/[^`]+)` \|/gm)].map((
      [, path]
    ) => path)
    const subpaths = packages.flatMap(({ entries, manifest }) =>
      entries.filter(([subpath]) => subpath !== ".").map(([subpath]) => join(manifest.name, subpath))
    )
    assert.sameMembers(documented, subpaths)
  })
})
