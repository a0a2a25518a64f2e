/**
 * The thread that the embedded database runs in, begun before the drive that will use it. It loads PostgreSQL while the process still loads
 * its own modules, and then waits for the directory. It loads nothing of the drive.
 */
import { env, execArgv } from "node:process"
import { Worker } from "node:worker_threads"

const ownModule = new URL("./PgliteWorker.ts", import.meta.url)

const options = { name: "filedrive-database", resourceLimits: { maxYoungGenerationSizeMb: 8 } }

/** Threads take over the flags of their process, and Node allows this one for programs in a string alone (`node --input-type=module -e`). */
const isOfString = (): boolean => {
  // Node itself reads these flags there; they are no setting of the drive.
  const flags = [...execArgv, env["NODE_OPTIONS"] ?? ""]
  return flags.some((flag) => /(?:^|\s)--input-type\b/.test(flag))
}

const begin = (module: URL): Worker =>
  isOfString()
    ? new Worker(`import(${JSON.stringify(module.href)})`, { ...options, eval: true })
    : new Worker(module, options)

/** Begun, and not taken yet. */
let early: Worker | undefined

/** It has failed: the thread that is begun when one is needed fails too, and tells why. */
const forget = () => {
  early = undefined
}

/** Begins the thread of the next embedded database. It keeps no process running. */
export const beginThread = (): void => {
  if (early !== undefined) return
  early = begin(ownModule).on("error", forget).on("exit", forget)
  early.unref()
}

/** A thread that waits for `open` and keeps the process running: the one that was begun, or a new one. Tests give another `module`. */
export const takeThread = (module?: URL): Worker => {
  if (early === undefined || module !== undefined) return begin(module ?? ownModule)
  const thread = early.off("error", forget).off("exit", forget)
  early = undefined
  thread.ref()
  return thread
}
