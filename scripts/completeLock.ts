/**
 * Adds to package-lock.json the packages of other platforms that it names but
 * doesn't hold, and reports whether any was missing.
 *
 * npm leaves them out when the registry of the machine that installs doesn't
 * have them, and `npm ci` then refuses the lock everywhere. Their versions are
 * exact where they are asked for, and their names say what platform they are of.
 *
 *     node scripts/completeLock.ts     # after npm install
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./workspace.ts"

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: ReadonlyArray<string>
  readonly cpu?: ReadonlyArray<string>
  readonly libc?: ReadonlyArray<string>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export type Packages = Readonly<Record<string, Locked>>

const systems = new Set([
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32"
])
const processors = new Set(["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"])
const libraries: Readonly<Record<string, string>> = {
  glibc: "glibc",
  gnu: "glibc",
  gnueabihf: "glibc",
  musl: "musl",
  musleabihf: "musl"
}

const platform = (name: string): Pick<Locked, "os" | "cpu" | "libc"> => {
  const words = name.split(/[/-]/)
  const os = words.filter((word) => systems.has(word))
  const cpu = words.filter((word) => processors.has(word))
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`Of what platform is ${name}? Add it to the lock by hand.`)
  const libc = os[0] === "linux" ? words.flatMap((word) => libraries[word] ?? []) : []
  return { cpu, os, ...(libc.length === 0 ? {} : { libc }) }
}

/** Where Node looks for a package that the one at `from` asks for, nearest first. */
const places = (from: string, name: string): ReadonlyArray<string> => {
  const folders = from.split("/node_modules/")
  const above = folders.map((_, n) =>
    `${folders.slice(0, folders.length - n).join("/node_modules/")}/node_modules/${name}`
  )
  return [...above, `node_modules/${name}`]
}

/** Entries that a complete lock would have besides. */
export const missing = (packages: Packages): Packages => {
  const found: Record<string, Locked> = {}
  for (const [path, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (places(path, name).some((place) => packages[place] !== undefined)) continue
      if (!/^\d+\.\d+\.\d+[^ ]*$/.test(version)) {
        throw new Error(`${path} asks for ${name} ${version}, which is no exact version.`)
      }
      found[`node_modules/${name}`] = { version, ...(dev === true ? { dev } : {}), optional: true, ...platform(name) }
    }
  }
  return found
}

if (import.meta.main) {
  const path = join(root, "package-lock.json")
  const lock = JSON.parse(readFileSync(path, "utf8")) as { packages: Packages }
  const added = missing(lock.packages)
  lock.packages = Object.fromEntries(
    Object.entries({ ...lock.packages, ...added }).toSorted(([a], [b]) => a.localeCompare(b, "en"))
  )
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${Object.keys(added).length} packages added`)
}
