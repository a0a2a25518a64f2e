/** A host on the packed packages alone, in a project of its own. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { compiler, type Package, packages, root, run } from "./workspace.ts"

const node = process.execPath

/** The libraries a host must bring, and the one it may leave out that the embedded drive runs on. */
const peers = new Set([
  ...packages.flatMap(({ manifest }) =>
    Object.keys(manifest.peerDependencies ?? {}).filter((name) =>
      manifest.peerDependenciesMeta?.[name]?.optional !== true
    )
  ),
  "@electric-sql/pglite"
])

/** Entries made for a library that a host may leave out, and that this host leaves out. */
const forOptionalLibraries = new Set([
  "@filedrive/client/react",
  "@filedrive/client/uppy",
  "@filedrive/testing/suites"
])

const entries = packages
  .flatMap((one) => one.entries.map(([subpath]) => join(one.manifest.name, subpath)))
  .filter((entry) => !forOptionalLibraries.has(entry))

/** Makes the directory: an empty project with the packed packages and those libraries, in the workspace's versions. */
export const installHost = (host: string, tarball: (one: Package) => string): boolean => {
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
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  // The libraries are those of the workspace, so they are mostly at hand; asking a registry can take minutes.
  return run("npm", [...install, "--offline"], host) || run("npm", [...install, "--prefer-offline"], host)
}

/** Stores a file in an embedded drive and reads it again. */
export const runHost = (host: string): boolean => {
  cpSync(join(root, "scripts/embed.mjs"), join(host, "embed.mjs"))
  return run(node, ["embed.mjs", join(host, "data")], host)
}

/** Programs of a text, as `node -e` and some workers run, have a global `__filename` that is no file: entries load there as in files. */
export const loadEntries = (host: string): boolean => {
  const imports = `Promise.all(${JSON.stringify(entries)}.map((entry) => import(entry)))`
  const programs = [
    imports,
    `${JSON.stringify(entries)}.map((entry) => require(entry))`,
    `new (require("node:worker_threads").Worker)(${JSON.stringify(imports)}, { eval: true })`
  ]
  return programs.every((program) => run(node, ["-e", program], host))
}

/** Compiles a program of all of these entries, and the declarations of every library with it. */
export const compileHost = (host: string): boolean => {
  writeFileSync(join(host, "entries.ts"), entries.map((entry) => `import ${JSON.stringify(entry)}\n`).join(""))
  return run(
    compiler(),
    [
      ..."--noEmit --strict --skipLibCheck false --target es2024 --module nodenext --types node --typeRoots".split(" "),
      join(root, "node_modules/@types"),
      "entries.ts"
    ],
    host
  )
}
