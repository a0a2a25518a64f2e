/**
 * Writes the table of docs/design.md ("Jobs") from the definitions of the kinds of jobs:
 *
 *   node scripts/jobsTable.ts
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { argv } from "node:process"
import { driveJobs } from "../packages/core/src/DriveJobs.ts"
import { root } from "./workspace.ts"

type Kinds = typeof driveJobs

const header = "| kind | does | when | at once in a process |\n|---|---|---|---|\n"

/** The table, with a line break at its end. */
export const tableOf = (kinds: Kinds): string => {
  const rows = kinds.map(({ concurrency, concurrencyOfAccount, description, kind, when }) => {
    const ofAccount = concurrencyOfAccount === null ? "" : `; of an account ${concurrencyOfAccount}`
    return `| \`${kind}\` | ${description} | ${when} | ${concurrency}${ofAccount} |\n`
  })
  return header + rows.join("")
}

/** The document with this table in the place of the one it has; without one, as it is. */
export const withTable = (document: string, table: string): string =>
  document.replace(/^\| kind \| does \|.*\n(?:\|.*\n)*/m, () => table)

if (argv[1] === import.meta.filename) {
  const path = join(root, "docs/design.md")
  writeFileSync(path, withTable(readFileSync(path, "utf8"), tableOf(driveJobs)))
}
