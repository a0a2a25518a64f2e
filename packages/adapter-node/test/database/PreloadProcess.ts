/** Begins the thread of the embedded database, opens a drive in each directory given, and prints after each how many threads there were. */
import process from "node:process"

let threads = 0
process.on("worker", () => threads++)
await import("../../src/preload.ts")
const { createDrive } = await import("../../src/index.ts")

for (const dataDirectory of process.argv.slice(2)) {
  await createDrive({ dataDirectory }).ready()
  console.log(threads)
}
// Node tells of a thread in a later turn.
setImmediate(() => console.log(`${threads} at the end`))
