/** Reports which files this host can open, and what to install for the others. */
import { Effect } from "effect"
import { checkConfinement } from "./Confinement.ts"
import type { Finding } from "./Finding.ts"
import { checkLibraries } from "./Libraries.ts"
import { checkFfmpeg, checkFfprobe } from "./Programs.ts"

/** Checks everything that files are opened with. */
export const examine: Effect.Effect<ReadonlyArray<Finding>> = Effect.map(
  Effect.all([checkFfmpeg, checkFfprobe, checkLibraries, checkConfinement]),
  (findings) => findings.flat()
)

export const isWell = (findings: ReadonlyArray<Finding>): boolean => findings.every(({ advice }) => advice === null)

const line = ({ advice, found, name, opens }: Finding): string => {
  const state = found === null ? "missing" : advice === null ? "ok" : "partly"
  const rest = found === null ? opens : `${found}: ${opens}`
  return `${state.padEnd(8)} ${name}${found === null ? ": " : " "}${rest}${
    advice === null ? "" : `\n         ${advice}`
  }`
}

/** The findings for people, with a summary at the end. */
export const report = (findings: ReadonlyArray<Finding>): string => {
  const missing = findings.filter(({ advice, name }) => advice !== null && name !== "confinement").map(({ name }) =>
    name
  )
  const sum = missing.length === 0
    ? "This host can open every kind of file that filedrive extracts."
    : `Without all of ${missing.join(", ")} the drive works, but does not open the files they are for.`
  return [...findings.map(line), "", sum, ""].join("\n")
}
