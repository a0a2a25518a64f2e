/** The command `filedrive`. */
import { Effect } from "effect"
import { examine, isWell, report } from "./doctor/Doctor.ts"
import { imageReport } from "./doctor/Images.ts"

const usage = `Usage: filedrive doctor [--storage | --accept-storage]

  doctor             print what this host can open, and what to install for the
                     rest; exits with 1 when something is missing. Then, which
                     models generate images by the keys of the environment
  doctor --storage   compare storage with the database: print which files are
                     lost or damaged and which objects are orphaned; exits with
                     1 when there are any, or they can't be compared. The drive
                     is found by the environment: FILEDRIVE_DATA, DATABASE_URL,
                     FILEDRIVE_SCHEMA, S3_…, AWS_…
  doctor --accept-storage
                     after a restore of the database or of the storage: files
                     whose bytes lie elsewhere get them back, then the drive
                     removes again what its database does not know
`

/** Commands on a drive's storage, by their option. */
const onStorage = ["--storage", "--accept-storage"]

const [command, ...rest] = process.argv.slice(2)

if (command === "doctor" && rest.length === 0) {
  const findings = await Effect.runPromise(examine)
  process.stdout.write(`${report(findings)}\n${imageReport(process.env)}`)
  process.exitCode = isWell(findings) ? 0 : 1
} else if (command === "doctor" && rest.length === 1 && onStorage.includes(rest[0]!)) {
  const { acceptStorage, compare } = await import("./doctor/Storage.ts")
  const run = rest[0] === "--storage" ? compare : acceptStorage
  const isWell = await run(process.env, {
    line: (text) => process.stdout.write(`${text}\n`),
    progress: (text) => process.stderr.write(`${text}\n`)
  })
  process.exitCode = isWell ? 0 : 1
} else if (command === "--help" || command === "help") {
  process.stdout.write(usage)
} else {
  process.stderr.write(usage)
  process.exitCode = 2
}
