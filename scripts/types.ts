/** Type-checks every project of the workspace, the Effect diagnostics included. */
import { globSync } from "node:fs"
import { compiler, root, run } from "./workspace.ts"

const tsc = compiler()
const projects = [...globSync("packages/{*,*/page,*/browser}/tsconfig.json", { cwd: root }).toSorted(), "tsconfig.json"]
const failed = projects.filter((project) => !run(tsc, ["--pretty", "-p", project]))
if (failed.length > 0) {
  console.error(`Types are wrong in ${failed.join(", ")}.`)
  process.exitCode = 1
}
