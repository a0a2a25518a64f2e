/** The conformance tool of MCP as a program: what it can check, and what it found. */
import { spawn } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"))

export interface Scenario {
  readonly name: string
  /** Revisions like `2025-11-25`, or `extension`. */
  readonly revisions: ReadonlyArray<string>
}

export interface Check {
  readonly id: string
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO"
  readonly errorMessage?: string
}

/** Runs the program with its output read line by line. Resolves when it has ended, however it ended. */
const run = (args: ReadonlyArray<string>, onLine: (line: string) => void = () => undefined): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] })
    let text = ""
    let rest = ""
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
      const lines = (rest + chunk).split("\n")
      rest = lines.pop()!
      for (const line of lines) onLine(line)
    })
    child.on("error", reject).on("close", () => resolve(text))
  })

/** The scenarios for a server or an authorization server, as the program lists them. */
export const scenarios = async (of: "server" | "authorization"): Promise<ReadonlyArray<Scenario>> => {
  const text = await run(["list", `--${of}`])
  return [...text.matchAll(/^ {2}- (\S+) \[([^\]]+)\]$/gm)].map(([, name, revisions]) => ({
    name: name!,
    revisions: revisions!.split(",")
  }))
}

/** What it found, by scenario. */
export type Found = ReadonlyMap<string, ReadonlyArray<Check>>

/** A directory of results is named by its scenario and the time. */
const readResults = async (directory: string): Promise<Found> => {
  const found = new Map<string, ReadonlyArray<Check>>()
  for (const name of await readdir(directory)) {
    const scenario = name.replace(/^(?:authorization-)?server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "")
    found.set(scenario, JSON.parse(await readFile(join(directory, name, "checks.json"), "utf8")))
  }
  return found
}

const inDirectory = async <A>(use: (directory: string) => Promise<A>): Promise<A> => {
  const directory = await mkdtemp(join(tmpdir(), "filedrive-conformance-"))
  try {
    return await use(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Runs every scenario of a revision against the server at `url`. */
export const checkServer = (url: string, revision: string): Promise<Found> =>
  inDirectory(async (directory) => {
    await run(["server", "--url", url, "--suite", "all", "--spec-version", revision, "--output-dir", directory])
    return readResults(directory)
  })

export interface Authorization {
  readonly issuer: string
  readonly clientId: string
  readonly resource: string
  /** Of the callback that the program listens at. */
  readonly port: number
}

/** Runs every scenario for an authorization server; `visit` does what a person would do at the address that the program prints. */
export const checkAuthorization = (
  { clientId, issuer, port, resource }: Authorization,
  visit: (url: string) => Promise<unknown>
): Promise<Found> =>
  inDirectory(async (directory) => {
    const visits: Array<Promise<unknown>> = []
    const args = ["--url", issuer, "--client-id", clientId, "--resource", resource, "--port", String(port)]
    await run(["authorization", ...args, "--output-dir", directory], (line) => {
      if (line.startsWith(`${issuer}/oauth/authorize?`)) visits.push(visit(line))
    })
    await Promise.all(visits)
    return readResults(directory)
  })
