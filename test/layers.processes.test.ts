/**
 * What a layer is called says what it asks for: `layer` is complete, `layerNoDeps` still asks for services of its own folder.
 * The compiler is asked, for every exported layer of every package. docs/design.md, "Layers".
 */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../scripts/workspace.ts"
import { breach } from "./Breach.ts"

interface ExportedLayer {
  /** Relative to the workspace. */
  readonly file: string
  /** As it is reached in its module: `Files.layerNoDeps`. */
  readonly name: string
}

const declared =
  /^export (?:const|function) (layer\w*|[A-Z]\w*Layer)\b|^export class (\w+)|^ {2}static readonly (layer\w*)/gm

/** The layers of a module, those of its classes among them. */
const layersIn = (file: string, text: string): ReadonlyArray<ExportedLayer> => {
  let owner = ""
  return Array.from(text.matchAll(declared)).flatMap(([, constant, named, member]) => {
    if (named !== undefined) owner = named
    const name = constant ?? (member === undefined ? undefined : `${owner}.${member}`)
    return name === undefined ? [] : [{ file, name }]
  })
}

const core = "packages/core/src/"

/** What is made once, below all features: a layer may ask for it in its own folder, too. The queue brings its registry. */
const ground = ["accounts/AccountTransaction", "accounts/Quota", "database/Database", "jobs/JobRegistry"]

const types = `
import type { Layer } from "effect"
type LayerOf<T> = T extends (...options: never) => infer L ? L : T
type Asked<T> = LayerOf<T> extends Layer.Layer<infer _A, infer _E, infer R> ? R : "no layer"
type KeyOf<R> = R extends { readonly key: infer Key extends string } ? Key : "another service"
type Ground = ${ground.map((key) => `"@filedrive/core/${key}"`).join(" | ")}
type In<Room extends string> = \`@filedrive/core/\${Room}\${string}\`
type Asks<T, Room extends string> = Exclude<Extract<KeyOf<Asked<T>>, In<Room>>, Ground>
type Complete<Keys> = [Keys] extends [never] ? true : { readonly asksFor: Keys }
type Incomplete<Keys> = [Keys] extends [never] ? { readonly isComplete: true } : true
/** In a folder of the core: a service of that folder. */
type OfRoom<T, Room extends string> = Asks<T, Room>
/** Above the features: any service but those that a host brings. */
type OfCore<T> = Exclude<Asks<T, "">, In<"ports/"> | In<"jobs/Jobs">>
/** In the other packages: anything. */
type OfAny<T> = KeyOf<Asked<T>>
/** With a \`layer\` beside it: anything that \`layer\` brings. */
type Brought<T, Layer> = KeyOf<Exclude<Asked<T>, Asked<Layer>>>
`.trim().replaceAll(/^type /gm, "export type ")

/** A line that compiles if the layer is called what it is. */
const lineOf = ({ file, name }: ExportedLayer, module: string, all: ReadonlyArray<ExportedLayer>): string => {
  const layer = `typeof ${module}.${name}`
  const whole = name.replace(/NoDeps$/, "")
  const isPart = whole !== name
  const room = /^packages\/core\/src\/([a-z]+\/)/.exec(file)?.[1]
  const asked = isPart && all.some((one) => one.file === file && one.name === whole)
    ? `Brought<${layer}, typeof ${module}.${whole}>`
    : room !== undefined
    ? `OfRoom<${layer}, "${room}">`
    : file.startsWith(core)
    ? `OfCore<${layer}>`
    : `OfAny<${layer}>`
  return `export const ${module}_${name.replace(".", "_")}: ${isPart ? "Incomplete" : "Complete"}<${asked}> = true`
}

/** Those of the layers that are not called what they are, each with what the compiler says; `path` leads to a module. */
const misnamed = (layers: ReadonlyArray<ExportedLayer>, planted: Readonly<Record<string, string>> = {}) => {
  const files = [...new Set(layers.map(({ file }) => file))]
  const moduleOf = (file: string) => `M${files.indexOf(file)}`
  const path = (file: string) => file in planted ? `../${file}` : join(root, file)
  const lines = [
    ...types.split("\n"),
    ...files.map((file) => `import type * as ${moduleOf(file)} from "${path(file)}"`)
  ]
  const first = lines.length + 1
  lines.push(...layers.map((one) => lineOf(one, moduleOf(one.file), layers)))
  using workspace = breach({ ...planted, "test/layers.ts": `${lines.join("\n")}\n` })
  const errors = [...workspace.types(".").output.matchAll(/^test\/layers\.ts\((\d+),\d+\): error (.*)$/gm)]
  return errors.map(([, line, says]) => {
    const layer = layers[Number(line) - first]
    return layer === undefined ? says! : `${layer.file}: ${layer.name}: ${says}`
  })
}

const all = globSync("packages/*/src/**/*.ts", { cwd: root })
  .filter((file) => !file.endsWith(".test.ts"))
  .toSorted()
  .flatMap((file) => layersIn(file, readFileSync(join(root, file), "utf8")))

describe("layers", { timeout: 120_000 }, () => {
  it("are complete, or named layerNoDeps", () => {
    assert.isAbove(all.length, 100)
    assert.deepStrictEqual(misnamed(all), [])
  })

  it("that are misnamed are refused", () => {
    const file = `${core}notes/Notes.ts`
    const text = `
import { Context, Effect, Layer } from "effect"
class Repo extends Context.Service<Repo, { readonly a: 1 }>()("@filedrive/core/notes/Repo") {}
export class Files extends Context.Service<Files, { readonly a: 1 }>()("@filedrive/core/files/Files") {}
export class Notes extends Context.Service<Notes, { readonly a: 1 }>()("@filedrive/core/notes/Notes") {
  static readonly layer = Layer.effect(Notes, Effect.as(Repo, Notes.of({ a: 1 })))
  static readonly layerNoDeps = Layer.effect(Notes, Effect.as(Repo, Notes.of({ a: 1 })))
  static readonly layerWith = (a: 1) => Layer.effect(Notes, Effect.as(Files, Notes.of({ a })))
}
export const layer = Layer.effectDiscard(Repo)
`
    const outside = "packages/media/src/Notes.ts"
    const textOutside = `
import { Context, Layer } from "effect"
class Files extends Context.Service<Files, { readonly a: 1 }>()("@filedrive/core/files/Files") {}
export const layer = Layer.effectDiscard(Files)
export const layerEmpty = Layer.empty
`
    const layers = [...layersIn(file, text), ...layersIn(outside, textOutside)]
    assert.lengthOf(layers, 6)
    const told = misnamed(layers, { [file]: text, [outside]: textOutside }).join("\n")
    assert.include(told, `Notes.ts: Notes.layer: TS2322: Type 'boolean' is not assignable to type '{ readonly asksFor:`)
    for (const part of ["Notes.layerNoDeps: ", "notes/Repo", "Notes.ts: layer: ", "files/Files"]) {
      assert.include(told, part)
    }
    for (const part of ["layerWith", "layerEmpty"]) assert.notInclude(told, part)
  })
})
