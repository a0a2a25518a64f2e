/**
 * Chromaprint's fingerprints. Its WebAssembly comes from the package
 * `@unimusic/chromaprint`, whose own JavaScript needs a browser; so the module is
 * called here directly.
 */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

/** Mono, at this rate, is what the algorithm works on. */
export const printRate = 11_025
/** How much of a track is analysed, as by `fpcalc` by default. */
export const printSeconds = 120

/** Chromaprint's second algorithm, which `fpcalc` and AcoustID use. */
const algorithm = 1
const chunkSamples = 1 << 15

/** The functions of the module that are called. Pointers are numbers. */
interface Exports {
  readonly memory: WebAssembly.Memory
  readonly emscripten_stack_init?: () => void
  readonly __wasm_call_ctors: () => void
  readonly malloc: (bytes: number) => number
  readonly free: (pointer: number) => void
  readonly chromaprint_new: (algorithm: number) => number
  readonly chromaprint_free: (context: number) => void
  readonly chromaprint_start: (context: number, sampleRate: number, channels: number) => number
  readonly chromaprint_feed: (context: number, samples: number, count: number) => number
  readonly chromaprint_finish: (context: number) => number
  readonly chromaprint_get_raw_fingerprint: (context: number, values: number, count: number) => number
}

/** The imports of the module: few, as it opens nothing and prints nothing. */
const imports = (module: WebAssembly.Module, memory: () => WebAssembly.Memory): WebAssembly.Imports => {
  const ends = (name: string) => () => {
    throw new Error(`Chromaprint called ${name}`)
  }
  const known: Readonly<Record<string, (...args: ReadonlyArray<number>) => number>> = {
    __cxa_throw: ends("__cxa_throw"),
    _abort_js: ends("abort"),
    emscripten_resize_heap: (bytes = 0) => {
      const missing = bytes - memory().buffer.byteLength
      memory().grow(Math.ceil(missing / 65_536))
      return 1
    }
  }
  const wanted: Record<string, Record<string, WebAssembly.ImportValue>> = {}
  for (const { module: group, name } of WebAssembly.Module.imports(module)) {
    wanted[group] = { ...wanted[group], [name]: known[name] ?? (() => 0) }
  }
  return wanted
}

const instantiate = async (): Promise<Exports> => {
  const wasm = fileURLToPath(import.meta.resolve("@unimusic/chromaprint/dist/chromaprint.wasm"))
  const module = await WebAssembly.compile(await readFile(wasm))
  const instance = await WebAssembly.instantiate(module, imports(module, () => exports.memory))
  const exports = instance.exports as unknown as Exports
  exports.emscripten_stack_init?.()
  exports.__wasm_call_ctors()
  return exports
}

let loaded: Promise<Exports> | undefined

/** Rejects with `ERR_MODULE_NOT_FOUND` or `ENOENT` where the package is not installed. */
const load = (): Promise<Exports> => loaded ??= instantiate()

const succeed = (result: number): void => {
  if (result !== 1) throw new Error("Chromaprint refused the sound")
}

/** Its numbers, unsigned 32-bit, of mono samples at {@link printRate}; none when there are too few. */
export const fingerprint = async (samples: Int16Array): Promise<ReadonlyArray<number>> => {
  const wasm = await load()
  const context = wasm.chromaprint_new(algorithm)
  const chunk = wasm.malloc(chunkSamples * 2)
  const found = wasm.malloc(8)
  try {
    succeed(wasm.chromaprint_start(context, printRate, 1))
    for (let fed = 0; fed < samples.length; fed += chunkSamples) {
      const next = samples.subarray(fed, fed + chunkSamples)
      // The memory may have grown into another buffer.
      new Int16Array(wasm.memory.buffer).set(next, chunk >> 1)
      succeed(wasm.chromaprint_feed(context, chunk, next.length))
    }
    succeed(wasm.chromaprint_finish(context))
    succeed(wasm.chromaprint_get_raw_fingerprint(context, found, found + 4))
    const [values = 0, count = 0] = new Uint32Array(wasm.memory.buffer, found, 2)
    const numbers = Array.from(new Uint32Array(wasm.memory.buffer, values, count))
    if (values !== 0) wasm.free(values)
    return numbers
  } finally {
    wasm.free(found)
    wasm.free(chunk)
    wasm.chromaprint_free(context)
  }
}
