/**
 * Whether the packages could be published as they are: builds and packs them,
 * looks at what a registry and a compiler would see, and runs a host on the
 * packed files alone.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { compileHost, installHost, loadEntries, runHost } from "./packedHost.ts"
import { checkSizes } from "./sizes.ts"
import { type Package, packages, run } from "./workspace.ts"

const node = process.execPath
const scratch = mkdtempSync(join(tmpdir(), "filedrive-release-"))
const failed: Array<string> = []

const step = async (name: string, work: () => boolean | Promise<boolean>): Promise<void> => {
  console.log(`\n== ${name}`)
  if (!await work()) failed.push(name)
}

const tarball = ({ manifest }: Package): string =>
  join(scratch, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`)

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
    const host = join(scratch, "host")
    await step("a host of the packed packages", () => installHost(host, tarball))
    await step("the host's program", () => runHost(host))
    await step("entries loaded by every kind of program", () => loadEntries(host))
    await step("declarations without the optional libraries", () => compileHost(host))
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

console.log(failed.length === 0 ? "\nReady to release." : `\nNot ready to release: ${failed.join(", ")}.`)
process.exitCode = failed.length === 0 ? 0 : 1
