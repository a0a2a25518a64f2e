/**
 * Makes the files that `npm start` runs: the example server with everything it loads at its start, and the thread of the embedded database.
 * What is loaded late stays in its own modules, as do the programs of the sandbox.
 */
import { build, type Plugin } from "esbuild"
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { packages, root } from "./workspace.ts"

/** The thread that a start waits for is made into a file too; the other programs are started from their sources. */
const thread = "PgliteWorker"

/** A module's own address is what it is in the sources, so that it finds what lies beside it. */
const keepAddresses: Plugin = {
  name: "addresses",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/(packages|examples)\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8")
      if (!text.includes("import.meta.")) return undefined
      const parts = text.split(`new URL("./${thread}.ts", import.meta.url)`)
        .map((part) =>
          part.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
            .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
        )
      return { contents: parts.join(`new URL("./${thread}.js", import.meta.url)`), loader: "ts" }
    })
}

/** What a library loads late stays where it is, and is resolved when it is loaded. */
const keepLate: Plugin = {
  name: "late",
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ importer, kind, path }) => {
      if (kind !== "dynamic-import" || path.startsWith("@filedrive/") || path.startsWith("node:")) return undefined
      if (!path.startsWith(".")) return { path, external: true }
      if (!importer.includes("/node_modules/")) return undefined
      return { path: pathToFileURL(resolve(dirname(importer), path)).href, external: true }
    })
}

/** As an ECMAScript module Node's `http` loads its WebSocket client, whoever imports it: a twentieth of a second. */
const withoutWebSocket: Plugin = {
  name: "http",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^(node:)?http$/ }, () => ({ path: "http", namespace: "builtin" }))
    onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("node:${path}")`,
      loader: "js"
    }))
  }
}

/** CommonJS modules among them ask for Node's own. */
const requireOfModules =
  `import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url)`

/**
 * A path with its time and size, as `madeServer.mjs` compares them. A file that changed after `began` may have been read before it
 * changed: it gets a time that no file has, so that the next start makes the bundle again.
 */
const inputSince = (began: number) => (path: string) => {
  const { mtimeMs, size } = statSync(join(root, path))
  return [path, mtimeMs < began ? mtimeMs : -1, size] as const
}

/** What decides which files are found, besides these themselves. */
const settings = (): ReadonlyArray<string> =>
  [
    "node_modules/.package-lock.json",
    "scripts/bundleServer.ts",
    ...packages.map(({ directory }) => relative(root, join(directory, "package.json")))
  ].filter((path) => existsSync(join(root, path)))

const dayMillis = 86_400_000

/** Those of former sources, which no server has begun to run for a day. */
const removeOld = (cache: string, kept: string): void => {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    if (name !== kept && Date.now() - statSync(path).mtimeMs > dayMillis) rmSync(path, { recursive: true, force: true })
  }
}

/** Makes the files in a directory below `cache`, which is returned. Several processes may do so at once. */
export const bundleServer = async (cache: string): Promise<string> => {
  mkdirSync(cache, { recursive: true })
  const unfinished = mkdtempSync(join(cache, "unfinished-"))
  try {
    const began = Date.now()
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: {
        early: "examples/node-server/src/early.ts",
        server: "examples/node-server/src/server.ts",
        // What the server loads, for compiling it ahead.
        drive: "packages/adapter-node/src/index.ts",
        [thread]: `packages/adapter-node/src/database/${thread}.ts`
      },
      outdir: unfinished,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node24",
      conditions: ["@filedrive/source"],
      external: ["pg-native"],
      plugins: [keepAddresses, keepLate, withoutWebSocket],
      banner: { js: requireOfModules },
      legalComments: "none",
      metafile: true,
      logLevel: "silent"
    })
    writeFileSync(join(unfinished, "package.json"), JSON.stringify({ type: "module" }))
    const paths = Object.keys(metafile.inputs).filter((path) => !path.startsWith("builtin:"))
    const inputs = [...settings(), ...paths].map(inputSince(began))
    const name = createHash("sha256").update(JSON.stringify(inputs)).digest("hex").slice(0, 16)
    const directory = join(cache, name)
    if (!existsSync(directory)) renameSync(unfinished, directory)
    const list = join(cache, `${name}.json`)
    writeFileSync(list, JSON.stringify({ directory: name, inputs }))
    renameSync(list, join(cache, "made.json"))
    removeOld(cache, name)
    return directory
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}
