#!/usr/bin/env node
// In its own checkout the sources run as they are; installed, there is only what was built of them.
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const sources = fileURLToPath(new URL("../src/cli.ts", import.meta.url))

if (existsSync(sources)) {
  const flags = ["--conditions=@filedrive/source", "--disable-warning=ExperimentalWarning"]
  const { status } = spawnSync(process.execPath, [...flags, sources, ...process.argv.slice(2)], { stdio: "inherit" })
  process.exitCode = status ?? 1
} else {
  await import("../dist/cli.js")
}
