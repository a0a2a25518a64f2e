/**
 * Whether the packages could be published as they are: builds and packs them,
 * looks at what a registry and a compiler would see, and runs a host on the
 * packed files alone.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkSizes } from "./sizes.ts"
import { type Package, packages, root, run } from "./workspace.ts"

const node = process.execPath
const scratch = mkdtempSync(join(tmpdir(), "filedrive-release-"))
const failed: Array<string> = []

const step = async (name: string, work: () => boolean | Promise<boolean>): Promise<void> => {
  console.log(`\n== ${name}`)
  if (!await work()) failed.push(name)
}

const tarball = ({ manifest }: Package): string =>
  join(scratch, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`)

/** The libraries a host must bring, and the one it may leave out that the embedded drive runs on. */
const peers = new Set([
  ...packages.flatMap(({ manifest }) =>
    Object.keys(manifest.peerDependencies ?? {}).filter((name) =>
      manifest.peerDependenciesMeta?.[name]?.optional !== true
    )
  ),
  "@electric-sql/pglite"
])

/** An empty project with the packed packages and those libraries, in the workspace's versions. */
const installHost = (): string => {
  const host = join(scratch, "host")
  const versions = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies as Record<
    string,
    string
  >
  mkdirSync(host)
  writeFileSync(
    join(host, "package.json"),
    JSON.stringify({
      private: true,
      type: "module",
      dependencies: Object.fromEntries([
        ...packages.map((one) => [one.manifest.name, `file:${tarball(one)}`]),
        ...[...peers].filter((name) => versions[name] !== undefined).map((name) => [name, versions[name]])
      ])
    })
  )
  return host
}

try {
  await step("build", () => run(node, ["scripts/build.ts"]))
  if (failed.length === 0) {
    await step(
      "pack",
      () =>
        packages.every(({ directory }) => run("npm", ["pack", "--silent", "--pack-destination", scratch], directory))
    )
    for (const one of packages) {
      await step(`publint ${one.manifest.name}`, () => run("publint", ["run", tarball(one), "--strict"]))
      await step(
        `attw ${one.manifest.name}`,
        () => run("attw", [tarball(one), "--profile", "esm-only", "--format", "ascii"])
      )
    }
    await step("knip", () => run("knip", ["--no-progress"]))
    await step("sizes", () => checkSizes(packages))
    await step("a host on the packed packages", () => {
      const host = installHost()
      cpSync(join(root, "scripts/embed.mjs"), join(host, "embed.mjs"))
      const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
      // The libraries are those of the workspace, so they are mostly at hand; asking a registry can take minutes.
      const installed = run("npm", [...install, "--offline"], host) ||
        run("npm", [...install, "--prefer-offline"], host)
      return installed
        && run(node, ["embed.mjs", join(host, "data")], host)
    })
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

console.log(failed.length === 0 ? "\nReady to release." : `\nNot ready to release: ${failed.join(", ")}.`)
process.exitCode = failed.length === 0 ? 0 : 1
