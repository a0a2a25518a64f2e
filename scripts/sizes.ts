/**
 * What each entry weighs in a host's bundle when it is loaded: with the workspace's other packages, without the libraries a host
 * brings and without what is loaded later, by `import()`.
 */
import type * as Pages from "@filedrive/pages"
import { build, type Metafile } from "esbuild"
import { join, relative } from "node:path"
import { gzipSync } from "node:zlib"
import { type Package, root } from "./workspace.ts"

/**
 * Most bytes, gzipped, that an entry may weigh. Raise one only with a reason in the commit. What runs in a browser has a promised limit;
 * for the others it is some 2 % above what they weigh, since builds of zlib differ by a few bytes.
 */
const limits: Readonly<Record<string, number>> = {
  "@filedrive/core": 322_000,
  "@filedrive/agent": 161_000,
  "@filedrive/agent/protocol": 275_000,
  "@filedrive/agent/mcp": 278_000,
  "@filedrive/agent/oauth": 279_000,
  "@filedrive/agent/models": 5_000,
  "@filedrive/media": 39_700,
  "@filedrive/media/diagnostics": 6_400,
  "@filedrive/media/kinds": 8_900,
  "@filedrive/images": 11_300,
  "@filedrive/client": 12_600,
  "@filedrive/client/calls": 3_300,
  "@filedrive/client/react": 2_700,
  "@filedrive/client/uppy": 1_700,
  "@filedrive/pages": 19_500,
  "@filedrive/adapter-node": 416_000,
  "@filedrive/adapter-node/postgres": 8_800,
  "@filedrive/adapter-node/postgres-pool": 13_200,
  "@filedrive/adapter-node/pglite": 13_900,
  "@filedrive/adapter-node/pglite-memory": 9_400,
  "@filedrive/adapter-node/preload": 600,
  "@filedrive/adapter-node/disk": 29_400,
  "@filedrive/adapter-node/s3": 19_900,
  "@filedrive/adapter-node/remote": 5_000,
  "@filedrive/adapter-node/server": 13_400,
  "@filedrive/adapter-express": 760,
  "@filedrive/testing": 426_000,
  "@filedrive/testing/suites": 52_300
}

/** The output of an entry, and all that it imports at once. */
const loadedWith = (entry: string, outputs: Metafile["outputs"]): ReadonlySet<string> => {
  const loaded = new Set([entry])
  for (const path of loaded) {
    for (const { external, kind, path: imported } of outputs[path]!.imports) {
      if (kind === "import-statement" && external !== true) loaded.add(imported)
    }
  }
  return loaded
}

/** Packages that are weighed as a browser's bundler sees them. */
const ofBrowsers = new Set(["@filedrive/client"])

const gzippedBytes = async (source: string, isOfBrowsers: boolean): Promise<number> => {
  const { metafile: { outputs }, outputFiles } = await build({
    entryPoints: [source],
    absWorkingDir: root,
    outdir: "out",
    metafile: true,
    splitting: true,
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    ...isOfBrowsers ? { platform: "browser", target: "es2022" } : { platform: "node", target: "node22.19" },
    plugins: [{
      name: "libraries-outside",
      setup: ({ onResolve }) =>
        onResolve(
          { filter: /^[^./]/ },
          // With `#` begins what a package imports of itself.
          ({ path }) => /^(#|@filedrive\/)/.test(path) ? undefined : { path, external: true }
        )
    }]
  })
  const [entry] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === relative(root, source))!
  const loaded = loadedWith(entry, outputs)
  const chunks = outputFiles.filter(({ path }) => loaded.has(relative(root, path)))
  return gzipSync(Buffer.concat(chunks.map(({ contents }) => contents))).length
}

/** Most bytes, gzipped, that a page may weigh with all that it loads. */
const pageLimit = 60_000

/** What each page weighs in a browser: its document with its style, and its scripts. */
const pageRows = async () => {
  const { document, load, pages, textsOf }: typeof Pages = await import(join(root, "packages/pages/dist/index.js"))
  const built = await load()
  return Object.entries(built.pages).map(([name, page]) => {
    const { html } = document({
      name: name as keyof typeof pages,
      page,
      settings: {
        api: "/api",
        mount: "",
        auth: "/auth",
        hasAgent: true,
        hostName: null,
        language: "de",
        texts: textsOf(name as keyof typeof pages, "de"),
        links: [],
        logoutUrl: null
      },
      theme: "",
      logo: null,
      assets: "/api/pages"
    })
    const scripts = [page.script, ...page.modules].map((asset) =>
      Buffer.from(built.assets[asset]!.gzip, "base64").length
    )
    const bytes = gzipSync(html).length + scripts.reduce((sum, one) => sum + one, 0)
    return {
      entry: `the page ${name}`,
      "gzip bytes": bytes,
      limit: pageLimit,
      "": bytes <= pageLimit ? "ok" : "TOO BIG"
    }
  })
}

/** Prints a row for each entry of the built packages, and for each page; false when one is over its limit or has none. */
export const checkSizes = async (packages: ReadonlyArray<Package>): Promise<boolean> => {
  const rows = await Promise.all(
    packages.flatMap(({ directory, entries, manifest }) =>
      entries.map(async ([subpath, source]) => {
        const entry = join(manifest.name, subpath)
        const built = join(directory, source.replace("./src/", "dist/").replace(/\.ts$/, ".js"))
        const bytes = await gzippedBytes(built, ofBrowsers.has(manifest.name))
        const limit = limits[entry] ?? 0
        return { entry, "gzip bytes": bytes, limit, "": bytes <= limit ? "ok" : "TOO BIG" }
      })
    )
  )
  rows.push(...await pageRows())
  console.table(rows)
  return rows.every((row) => row["gzip bytes"] <= row.limit)
}
