/** Programs that read ZIP files, as people have them. */
import { spawn } from "node:child_process"

/** Read from its directory, and every CRC checked; prints the names, one a line, as JSON. */
const python = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    bad = archive.testzip()
    if bad is not None: sys.exit("bad CRC of " + bad)
    for entry in archive.infolist(): print(json.dumps([entry.filename, entry.file_size]))
`

export interface ZipTool {
  readonly name: string
  /** Checks every byte of the archive; rejects when something is wrong. */
  readonly test: (path: string) => Promise<string>
}

/** Runs a program to its end and returns what it printed; rejects with what it complained about. */
const output = (command: string, args: ReadonlyArray<string>, isKept: boolean) =>
  new Promise<string>((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", isKept ? "pipe" : "ignore", "pipe"] })
    let [printed, complaint] = ["", ""]
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (printed += text))
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (complaint += text))
    child.on("error", reject)
    child.on(
      "close",
      (code) =>
        code === 0 ? resolve(printed) : reject(new Error(`${command} ended with ${code}: ${complaint.slice(0, 2_000)}`))
    )
  })

export const tools: ReadonlyArray<ZipTool> = [
  { name: "unzip", test: (path) => output("unzip", ["-tqq", path], false) },
  { name: "7z", test: (path) => output("7z", ["t", path], false) },
  { name: "bsdtar", test: (path) => output("bsdtar", ["-xOf", path], false) },
  { name: "python", test: (path) => output("python3", ["-c", python, path], true) }
]

/** Names and sizes as Python reads them. */
export const listed = async (path: string): Promise<ReadonlyArray<readonly [name: string, size: number]>> => {
  const lines = await tools.find(({ name }) => name === "python")!.test(path)
  return lines.trim().split("\n").map((line) => JSON.parse(line))
}

/** Why the tests with these programs can't run here; undefined when they can. */
export const missing = async (): Promise<string | undefined> => {
  const probes = [["unzip", "-v"], ["7z", "i"], ["bsdtar", "--version"], ["python3", "-c", "import zipfile"]] as const
  const found = await Promise.allSettled(probes.map(([command, ...args]) => output(command, args, false)))
  const absent = probes.filter((_, at) => found[at]!.status === "rejected").map(([command]) => command)
  return absent.length === 0 ? undefined : `${absent.join(", ")} not installed`
}
