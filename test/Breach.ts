/** A small workspace under this one's settings, to plant breaches in. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { compiler, root } from "../scripts/workspace.ts"

const settings = [
  ".oxlintrc.json",
  "dprint.json",
  "package.json",
  "tsconfig.base.json",
  "tsconfig.json",
  "packages/core/tsconfig.json",
  "packages/adapter-node/tsconfig.json"
]

export interface Verdict {
  readonly refused: boolean
  readonly output: string
}

/** Writes `files` into a fresh workspace and hands it over; removed when `Symbol.dispose` runs. */
export const breach = (files: Readonly<Record<string, string>>) => {
  const directory = mkdtempSync(join(tmpdir(), "filedrive-breach-"))
  for (const file of settings) cpSync(join(root, file), join(directory, file))
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  const tool = (command: string, args: ReadonlyArray<string>): Verdict => {
    const ended = spawnSync(command, args, { cwd: directory, encoding: "utf8" })
    if (ended.error !== undefined) throw ended.error
    return { refused: ended.status !== 0, output: ended.stdout + ended.stderr }
  }
  const bin = (name: string) => join(root, "node_modules/.bin", name)
  return {
    directory,
    types: (project: string) => tool(compiler(), ["-p", project]),
    lint: () => tool(bin("oxlint"), ["--deny-warnings"]),
    format: () => tool(bin("dprint"), ["check"]),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true })
  }
}
