/**
 * Starts the server, and keeps what Node compiles for the next start: loading all modules is half of the time that a start takes.
 * It is kept in the checkout, where only those who may change the program can change it.
 */
import { enableCompileCache } from "node:module"
import { join } from "node:path"

enableCompileCache(join(import.meta.dirname, "../../../node_modules/.cache/filedrive-compiled"))
await import("./early.ts")
await import("./server.ts")
