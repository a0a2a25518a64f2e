/** The command `filedrive`. */
import { Effect } from "effect"
import { examine, isWell, report } from "./doctor/Doctor.ts"
import { imageReport } from "./doctor/Images.ts"

const usage = `Usage: filedrive doctor [--storage]

  doctor             print what this host can open, and what to install for the
                     rest; exits with 1 when something is missing. Then, which
                     models generate images by the keys of the environment
  doctor --storage   compare storage with the database: print which files are
                     lost or damaged and which objects are orphaned; exits with
                     1 when there are any, or they can't be compared. The drive
                     is found by the environment: FILEDRIVE_DATA, DATABASE_URL,
                     FILEDRIVE_SCHEMA, S3_…, AWS_…
`

const [command, ...rest] = process.argv.slice(2)

if (command === "doctor" && rest.length === 0) {
  const findings = await Effect.runPromise(examine)
  process.stdout.write(`${report(findings)}\n${imageReport(process.env)}`)
  process.exitCode = isWell(findings) ? 0 : 1
} else if (command === "doctor" && rest.length === 1 && rest[0] === "--storage") {
  const { compare } = await import("./doctor/Storage.ts")
  process.exitCode = await compare(process.env, {
      line: (text) => process.stdout.write(`${text}\n`),
      progress: (text) => process.stderr.write(`${text}\n`)
    }) ?
    0 :
    1
} else if (command === "--help" || command === "help") {
  process.stdout.write(usage)
} else {
  process.stderr.write(usage)
  process.exitCode = 2
}
