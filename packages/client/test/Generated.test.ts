/** What is made of the OpenAPI document, and what a browser's bundle has. */
import { build } from "esbuild"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "vitest"
import { generated, tableModule, typesModule } from "../../../scripts/clientApi.ts"

const read = (name: string) => readFileSync(join(generated, name), "utf8")

describe("the generated modules", () => {
  it("CLIENT-8 are those of the document: else run node --conditions=@filedrive/source scripts/clientApi.ts", () => {
    assert.strictEqual(read("table.ts"), tableModule())
    assert.strictEqual(read("DriveCalls.ts"), typesModule())
  })
})

const bundle = async (entry: string) => {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../src", entry)],
    bundle: true,
    minify: true,
    splitting: true,
    metafile: true,
    write: false,
    outdir: "out",
    format: "esm",
    target: "es2022",
    platform: "browser",
    conditions: ["@filedrive/source"]
  })
  const [name] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint !== undefined)!
  // What it loads at once: what it shares with modules that are loaded later is a file of its own.
  const loaded = new Set([name])
  for (const path of loaded) {
    for (const { kind, path: imported } of metafile.outputs[path]!.imports) {
      if (kind === "import-statement") loaded.add(imported)
    }
  }
  const files = outputFiles.filter(({ path }) => [...loaded].some((name) => path.endsWith(`/${name}`)))
  return {
    inputs: Object.keys(metafile.inputs),
    bytes: gzipSync(Buffer.concat(files.map(({ contents }) => contents))).length
  }
}

describe("a browser's bundle", () => {
  it.each([["index.ts", 12_600], ["calls.ts", 3_300]])(
    "CLIENT-1 of %s has nothing of Node and nothing of others, and is small",
    async (entry, most) => {
      const { bytes, inputs } = await bundle(entry)
      assert.deepStrictEqual(
        inputs.filter((path) => !path.includes("packages/client/src/") || path.includes("/node/")),
        []
      )
      assert.isBelow(bytes, most)
    }
  )
})
