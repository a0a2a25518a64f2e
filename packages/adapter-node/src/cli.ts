/** The command `filedrive`. */
import { Effect } from "effect"
import { createInterface } from "node:readline/promises"
import { examine, isWell, report } from "./doctor/Doctor.ts"
import { imageReport } from "./doctor/Images.ts"

const usage = `Usage: filedrive doctor [--storage [--copy-out DIR] | --accept-storage [--yes]]

  doctor             print what this host can open, and what to install for the
                     rest; exits with 1 when something is missing. Then, which
                     models generate images by the keys of the environment
  doctor --storage   compare storage with the database: print which files are
                     lost or damaged and which objects are orphaned; exits with
                     1 when there are any, or they can't be compared. The drive
                     is found by the environment: FILEDRIVE_DATA, DATABASE_URL,
                     FILEDRIVE_SCHEMA, S3_…, AWS_…
  doctor --storage --copy-out DIR
                     also write the bytes of each orphaned object to a file in
                     DIR that is named by the object's key
  doctor --accept-storage
                     after a restore of the database or of the storage: files
                     whose bytes lie elsewhere get them back, then the drive
                     removes again what its database does not know, and public
                     links that it does not know end. On a terminal it first
                     asks, unless --yes is given
`

const confirm = async (question: string): Promise<boolean> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = terminal.question(`${question} [y/N] `)
    // The end of the input answers nothing.
    const end = new Promise<string>((resolve) => terminal.once("close", () => resolve("")))
    return /^y(?:es)?$/i.test((await Promise.race([answer, end])).trim())
  } finally {
    terminal.close()
  }
}

const output = {
  line: (text: string) => void process.stdout.write(`${text}\n`),
  progress: (text: string) => void process.stderr.write(`${text}\n`)
}

/** A command on a drive's storage, which returns whether all is well; undefined for other words. */
const onStorage = async ([option, ...rest]: ReadonlyArray<string>): Promise<boolean | undefined> => {
  if (option === "--storage") {
    const [copyOut, directory] = rest
    if (rest.length !== 0 && (rest.length !== 2 || copyOut !== "--copy-out")) return undefined
    const { compare } = await import("./doctor/Storage.ts")
    return compare(process.env, output, directory)
  }
  if (option === "--accept-storage") {
    const isSure = rest[0] === "--yes"
    if (rest.length > (isSure ? 1 : 0)) return undefined
    const { acceptStorage } = await import("./doctor/AcceptStorage.ts")
    const isTerminal = process.stdin.isTTY && process.stdout.isTTY
    return acceptStorage(process.env, output, isTerminal && !isSure ? confirm : null)
  }
  return undefined
}

const [command, ...rest] = process.argv.slice(2)

if (command === "doctor" && rest.length === 0) {
  const findings = await Effect.runPromise(examine)
  process.stdout.write(`${report(findings)}\n${imageReport(process.env)}`)
  process.exitCode = isWell(findings) ? 0 : 1
} else if (command === "--help" || command === "help") {
  process.stdout.write(usage)
} else {
  const isWell = command === "doctor" ? await onStorage(rest) : undefined
  if (isWell === undefined) process.stderr.write(usage)
  process.exitCode = isWell === undefined ? 2 : isWell ? 0 : 1
}
