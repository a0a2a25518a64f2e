/** What each entry weighs in a host's bundle: with the workspace's other packages, without the libraries a host brings. */
import { build } from "esbuild"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Package } from "./workspace.ts"

/** Most bytes, gzipped, that an entry may weigh. Raise one only with a reason in the commit. */
const limits: Readonly<Record<string, number>> = {
  "@filedrive/core": 168_000,
  "@filedrive/adapter-node": 237_500,
  "@filedrive/adapter-node/postgres": 4_400,
  "@filedrive/adapter-node/pglite-memory": 5_700,
  "@filedrive/adapter-express": 86_000,
  "@filedrive/testing": 245_500,
  "@filedrive/testing/suites": 85_000
}

const gzippedBytes = async (source: string): Promise<number> => {
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node22.19",
    plugins: [{
      name: "libraries-outside",
      setup: ({ onResolve }) =>
        onResolve(
          { filter: /^[^./]/ },
          ({ path }) => path.startsWith("@filedrive/") ? undefined : { path, external: true }
        )
    }]
  })
  return gzipSync(outputFiles[0]!.contents).length
}

/** Prints a row for each entry of the built packages; false when one is over its limit or has none. */
export const checkSizes = async (packages: ReadonlyArray<Package>): Promise<boolean> => {
  const rows = await Promise.all(
    packages.flatMap(({ directory, entries, manifest }) =>
      entries.map(async ([subpath, source]) => {
        const entry = join(manifest.name, subpath)
        const bytes = await gzippedBytes(join(directory, source.replace("./src/", "dist/").replace(/\.ts$/, ".js")))
        const limit = limits[entry] ?? 0
        return { entry, "gzip bytes": bytes, limit, "": bytes <= limit ? "ok" : "TOO BIG" }
      })
    )
  )
  console.table(rows)
  return rows.every((row) => row["gzip bytes"] <= row.limit)
}
