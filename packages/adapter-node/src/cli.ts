/** The command `filedrive`. */
import { Effect } from "effect"
import { examine, isWell, report } from "./doctor/Doctor.ts"

const usage = `Usage: filedrive doctor

  doctor   print what this host can open, and what to install for the rest;
           exits with 1 when something is missing
`

const [command, ...rest] = process.argv.slice(2)

if (command === "doctor" && rest.length === 0) {
  const findings = await Effect.runPromise(examine)
  process.stdout.write(report(findings))
  process.exitCode = isWell(findings) ? 0 : 1
} else if (command === "--help" || command === "help") {
  process.stdout.write(usage)
} else {
  process.stderr.write(usage)
  process.exitCode = 2
}
