/** What this host can open, and what to install for the rest. */
import { Effect } from "effect"
import { checkConfinement } from "./Confinement.ts"
import type { Finding } from "./Finding.ts"
import { checkLibraries } from "./Libraries.ts"
import { checkFfmpeg, checkFfprobe } from "./Programs.ts"

/** Looks at everything that files are opened with. */
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

/** The findings for people, ending with a sentence of what they come to. */
export const report = (findings: ReadonlyArray<Finding>): string => {
  const missing = findings.filter(({ advice, name }) => advice !== null && name !== "confinement").map(({ name }) =>
    name
  )
  const sum = missing.length === 0
    ? "This host can open everything that filedrive looks into."
    : `Without all of ${missing.join(", ")} the drive works; what they open is not looked into.`
  return [...findings.map(line), "", sum, ""].join("\n")
}
