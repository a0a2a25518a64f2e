/** Opens an embedded database in the directory given, which is made, and runs statements that are all new to it. */
import { beginOnDisk } from "../../src/database/PgliteDisk.ts"

const fail = (cause?: unknown) => {
  throw cause ?? new Error("The disk is full.")
}
const { pglite } = await beginOnDisk()({
  directory: process.argv[2]!,
  onDiskFull: fail,
  onFail: fail,
  onReserveGiven: () => {}
})
for (let n = 0; n < 400; n++) await pglite.query(`SELECT ${n} AS n, count(*) FROM pg_class WHERE oid > ${n}`)
await pglite.close()
console.log("done")
