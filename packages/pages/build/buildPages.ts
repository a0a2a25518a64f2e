/** Bundles the sources in `browser` for browsers, one script and one style a page. */
import { build, type Metafile } from "esbuild"
import { basename, join, resolve } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import type { BuiltAsset, BuiltPage, BuiltPages } from "../src/BuiltPages.ts"
import { pages } from "../src/pages.ts"

const root = resolve(import.meta.dirname, "../../..")

/** Browsers of the last three years. */
const target = ["es2022", "chrome111", "firefox113", "safari16.4"]

const compressed = (text: string): BuiltAsset => ({
  mimeType: "text/javascript",
  text,
  brotli: brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text)
    }
  }).toString("base64"),
  gzip: gzipSync(text, { level: 9 }).toString("base64")
})

/** All that an output imports at once, without what is loaded later. */
const importedBy = (path: string, outputs: Metafile["outputs"]): ReadonlyArray<string> => {
  const found = new Set([path])
  for (const one of found) {
    for (const { kind, path: imported } of outputs[one]!.imports) {
      if (kind === "import-statement") found.add(imported)
    }
  }
  return [...found].filter((one) => one !== path)
}

const plainPath = "packages/pages/browser/plain/plain.css"

const buildPlain = async (): Promise<{ readonly style: string; readonly inputs: ReadonlyArray<string> }> => {
  const { metafile: { inputs }, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [plainPath],
    outdir: "out",
    bundle: true,
    minify: true,
    charset: "utf8",
    target,
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "silent"
  })
  return { style: outputFiles[0]!.text.trim(), inputs: Object.keys(inputs) }
}

/** The pages, and the files they were made of, relative to the workspace. */
export const buildPages = async (): Promise<
  { readonly built: BuiltPages; readonly inputs: ReadonlyArray<string> }
> => {
  const { metafile: { inputs, outputs }, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.keys(pages).map((name) => [name, `packages/pages/browser/${name}/main.tsx`])
    ),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    outdir: "out",
    bundle: true,
    splitting: true,
    minify: true,
    charset: "utf8",
    format: "esm",
    target,
    jsx: "automatic",
    jsxImportSource: "preact",
    conditions: ["@filedrive/source"],
    legalComments: "none",
    define: { "process.env.NODE_ENV": `"production"` },
    metafile: true,
    write: false,
    logLevel: "silent"
  })
  const texts = new Map(outputFiles.map(({ path, text }) => [join("out", basename(path)), text.trim()]))
  const scripts = [...texts].filter(([path]) => path.endsWith(".js"))
  const built: Record<string, BuiltPage> = {}
  for (const [path, { cssBundle, entryPoint }] of Object.entries(outputs)) {
    const [, name] = /^packages\/pages\/browser\/(\w+)\/main\.tsx$/.exec(entryPoint ?? "") ?? []
    if (name === undefined || !path.endsWith(".js")) continue
    built[name] = {
      script: basename(path),
      modules: importedBy(path, outputs).map((one) => basename(one)),
      style: cssBundle === undefined ? "" : texts.get(cssBundle)!
    }
  }
  const plain = await buildPlain()
  return {
    built: {
      plainStyle: plain.style,
      assets: Object.fromEntries(scripts.map(([path, text]) => [basename(path), compressed(text)])),
      pages: built
    },
    inputs: [...new Set([...Object.keys(inputs), ...plain.inputs]), "packages/pages/build/buildPages.ts"]
  }
}
