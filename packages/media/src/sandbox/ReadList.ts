/** The files that a sandboxed process may read: its program and libraries, and the system's files for every program. None of the drive's data. */
import { existsSync, realpathSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** Where the libraries are that tasks load, and what these load. Those not installed are left out. */
const libraries = [
  "@filedrive/core",
  "effect",
  "sharp",
  "@imagemagick/magick-wasm",
  "pdfjs-dist/legacy/build/pdf.mjs",
  "music-metadata",
  "@unimusic/chromaprint",
  "chardet",
  "exifreader"
]

/** Shared libraries, fonts for drawings, and the like. They contain no user's data. */
const systems: ReadonlyArray<string> = [
  ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64", "/nix/store"],
  ["/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf"],
  ["/etc/fonts", "/usr/share/fonts", "/usr/share/fontconfig", "/usr/local/share/fonts", "/var/cache/fontconfig"],
  ["/usr/share/zoneinfo", "/etc/localtime", "/usr/bin/ldd"],
  ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"],
  ["/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/sys/devices/system/cpu"]
].flat()

const ancestors = (path: string): ReadonlyArray<string> => {
  const parent = dirname(path)
  return parent === path ? [path] : [path, ...ancestors(parent)]
}

/** The package that a module is of: all that is installed with it or, of one that is not installed but worked on, itself. */
const packageOf = (module: string): string | undefined => {
  const isInstalled = module.split(sep).includes("node_modules")
  return ancestors(dirname(module)).find((directory) =>
    isInstalled ? directory.endsWith(`${sep}node_modules`) : existsSync(join(directory, "package.json"))
  )
}

const found = (name: string): ReadonlyArray<string> => {
  try {
    const path = packageOf(realpathSync(fileURLToPath(import.meta.resolve(name))))
    return path === undefined ? [] : [path]
  } catch {
    return [] // It is not installed: the task that needs it reports that.
  }
}

/** Every existing path, as given and resolved. */
const bothWays = (paths: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(paths.flatMap((path) => existsSync(path) ? [path, realpathSync(path)] : []))
]

/** Modules of the drive and its libraries, and Node itself. */
export const ownReads = (): ReadonlyArray<string> => {
  const here = realpathSync(fileURLToPath(new URL("..", import.meta.url)))
  const modules = ancestors(here).map((directory) =>
    directory.endsWith(`${sep}node_modules`) ? directory : join(directory, "node_modules")
  )
  return bothWays([here, join(here, "..", "package.json"), ...modules, ...libraries.flatMap(found), process.execPath])
}

export const systemReads = (): ReadonlyArray<string> => {
  // The process that runs this has another number than the sandboxed one.
  const [own, others] = [
    systems.filter((path) => path === "/proc/self"),
    systems.filter((path) => path !== "/proc/self")
  ]
  return process.platform === "linux" ? [...own, ...bothWays(others)] : []
}

/** The files that a program needs: itself, and the libraries that are delivered beside it. */
export const programReads = (path: string): ReadonlyArray<string> => {
  const real = existsSync(path) ? realpathSync(path) : path
  return bothWays([path, real, ...["lib", "lib64"].map((name) => join(dirname(real), "..", name))])
}
