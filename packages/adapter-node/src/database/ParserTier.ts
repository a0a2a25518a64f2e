/**
 * Keeps V8 from optimising PostgreSQL's parser. Of PostgreSQL in WebAssembly it is by far the largest function (105 kB), and is called by
 * every statement that is new: so V8 would optimise it soon after the start, which takes 500 MB of memory for a moment, of which it keeps a
 * part, and half a second of processor time. As V8 first compiles it, it is fast enough.
 *
 * V8 compiles each function when it is first called, and counts its calls only where these flags say so at that moment. So the parser is
 * called for the first time without them, with an empty statement; what other functions that statement needs have been called before.
 */
import { setFlagsFromString } from "node:v8"

const flags = ["wasm-tier-up", "wasm-dynamic-tiering"]

/** Versions of V8 that are known to heed these flags: those of Node 24 and 25. That of Node 22 optimises the parser all the same. */
const isKnown = (version: string): boolean => {
  const major = Number.parseInt(version, 10)
  return major === 13 || major === 14
}

/** Whether whoever started the process has decided how WebAssembly is compiled. Node takes no such flags from the environment. */
const isDecided = (): boolean => /liftoff|wasm[-_](tier|dynamic|lazy)/.test(process.execArgv.join(" "))

/**
 * Five times as much as V8 has by default. While it starts, PostgreSQL runs much that it never needs again, and to optimise that takes a
 * fifth of a second of processor time at each start, and memory. What statements need is optimised all the same, a little later.
 */
const tieringBudget = 65_000_000

/** Makes functions of modules that are instantiated from now on run for longer before they are optimised. */
export const optimiseLater = (): void => {
  if (isKnown(process.versions.v8) && !isDecided()) setFlagsFromString(`--wasm-tiering-budget=${tieringBudget}`)
}

/** Messages of PostgreSQL's wire protocol: `Sync`, and `Parse` of an empty statement without a name. */
const sync = Uint8Array.of(0x53, 0, 0, 0, 4)
const parseNothing = Uint8Array.of(0x50, 0, 0, 0, 8, 0, 0, 0, 0)

/**
 * Calls the parser so that V8 won't optimise it. To be called before the first statement, with what passes messages to PostgreSQL and
 * returns when they are carried out.
 */
export const compileParser = (execute: (message: Uint8Array) => unknown): void => {
  if (!isKnown(process.versions.v8) || isDecided()) return
  execute(sync)
  // They are the process's. Only this thread's code can run meanwhile, and what other threads call for the first time just now.
  for (const flag of flags) setFlagsFromString(`--no-${flag}`)
  try {
    execute(parseNothing)
  } finally {
    for (const flag of flags) setFlagsFromString(`--${flag}`)
  }
  execute(sync)
}
