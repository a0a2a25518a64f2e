/**
 * One PGlite a process, opened from a template on disk: making a database from
 * nothing takes a second or two, from the template a third of that.
 */
import { PgliteMemory } from "@filedrive/adapter-node/pglite-memory"
import { Context, Effect, Layer, Scope } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import * as path from "node:path"

const modules = path.resolve("node_modules")

/** The template of this version of PGlite, or undefined where the process has no directory to keep one. */
const templateFile = (): string | undefined => {
  if (!existsSync(modules)) {
    return undefined
  }
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite")
  const manifest = readFileSync(path.resolve(entry, "../../package.json"), "utf8")
  const { version } = JSON.parse(manifest) as { readonly version: string }
  return path.join(modules, ".cache/filedrive", `pglite-${version}.tar`)
}

const save = async (file: string, dump: Blob) => {
  await mkdir(path.dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, new Uint8Array(await dump.arrayBuffer()))
  // In one step: other processes may be writing or reading it.
  await rename(unfinished, file)
}

const open = Effect.gen(function*() {
  const file = templateFile()
  if (file !== undefined && existsSync(file)) {
    const dump = new Blob([yield* Effect.promise(() => readFile(file))])
    return Context.get(yield* Layer.build(PgliteMemory.layer({ dump })), PgliteMemory)
  }
  const memory = Context.get(yield* Layer.build(PgliteMemory.layer()), PgliteMemory)
  if (file !== undefined) {
    const dump = yield* memory.dump
    yield* Effect.promise(() => save(file, dump))
  }
  return memory
})

let opened: Promise<PgliteMemory["Service"]> | undefined

/** Lives as long as the process, so that only the first test layer waits for it. */
export const sharedMemory = Layer.effect(
  PgliteMemory,
  Effect.promise(() => opened ??= Effect.runPromise(Effect.provideService(open, Scope.Scope, Scope.makeUnsafe())))
)
