/**
 * Tests what a confined process can do, as native code in it could: {@link file://./Confinement.ts}. Prints what it was
 * prevented from, or fails when it can't read what it needs.
 */
import { accessSync, constants, readFileSync } from "node:fs"
import { connect } from "node:net"
import type { Held, ProbeOptions } from "./Confinement.ts"

const { needed, pid, port, secret } = JSON.parse(process.argv[2]!) as ProbeOptions

const isKept = (path: string): boolean => {
  try {
    readFileSync(path)
    return false
  } catch {
    return true
  }
}

/** A refusal counts as an answer too: it shows that the port was reached. */
const isKeptFrom = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(false))
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "ECONNREFUSED"))
  })

for (const path of needed) accessSync(path, constants.R_OK)
const held: Held = {
  files: isKept(secret),
  processes: isKept(`/proc/${pid}/environ`),
  network: port === 0 || await isKeptFrom(port)
}
process.stdout.write(JSON.stringify(held), () => process.exit())
