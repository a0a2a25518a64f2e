/** The workspace's packages, and the tools that scripts run on them. */
import { execFileSync, spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

export const root = resolve(import.meta.dirname, "..")

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

export interface Package {
  /** Absolute path. */
  readonly directory: string
  readonly manifest: Manifest
  /** Exported subpath to its source file, relative to the package. */
  readonly entries: ReadonlyArray<readonly [subpath: string, source: string]>
}

const read = (path: string): Package => {
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest
  const entries = Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) =>
    typeof target === "string" || target["@filedrive/source"] === undefined
      ? []
      : [[subpath, target["@filedrive/source"]] as const]
  )
  return { directory: dirname(path), manifest, entries }
}

const inOrder = (packages: ReadonlyArray<Package>): ReadonlyArray<Package> => {
  const ordered: Array<Package> = []
  const visit = (one: Package) => {
    if (ordered.includes(one)) return
    for (const other of packages) {
      if (one.manifest.dependencies?.[other.manifest.name] !== undefined) visit(other)
    }
    ordered.push(one)
  }
  packages.forEach(visit)
  return ordered
}

/** The packages that are published, each after those it depends on. */
export const packages = inOrder(
  globSync("packages/*/package.json", { cwd: root }).toSorted().map((path) => read(join(root, path)))
    .filter((one) => one.manifest.private !== true)
)

/** TypeScript with the Effect diagnostics. It needs no install script: the compiler is asked where it lives. */
export const compiler = (): string =>
  execFileSync(join(root, "node_modules/.bin/effect-tsgo"), ["get-exe-path"], { encoding: "utf8" }).trim()

/** Runs a tool with its output shown, and tells whether it succeeded. */
export const run = (command: string, args: ReadonlyArray<string>, cwd = root): boolean =>
  spawnSync(command, args, {
    cwd,
    stdio: "inherit",
    env: { ...process.env, PATH: `${root}/node_modules/.bin:${process.env["PATH"]}` }
  })
    .status === 0
