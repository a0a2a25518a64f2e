/**
 * Tickets sign somebody in once, within 15 minutes: whoever can write to the server's data directory may make one. A ticket is a file
 * named by its hash; whoever removes the file has used it, so two can't.
 */
import { createHash, randomBytes } from "node:crypto"
import { mkdir, stat, unlink, writeFile } from "node:fs/promises"
import { join } from "node:path"

export const lifetimeMillis = 15 * 60_000

const directoryOf = (dataDirectory: string): string => join(dataDirectory, "sign-in")

const fileOf = (dataDirectory: string, ticket: string): string =>
  join(directoryOf(dataDirectory), createHash("sha256").update(ticket).digest("hex"))

/** A new ticket. */
export const make = async (dataDirectory: string): Promise<string> => {
  const ticket = randomBytes(32).toString("base64url")
  await mkdir(directoryOf(dataDirectory), { recursive: true, mode: 0o700 })
  await writeFile(fileOf(dataDirectory, ticket), "", { mode: 0o600, flag: "wx" })
  return ticket
}

/** Uses a ticket up. False when there is none, or it is older than 15 minutes. */
export const use = async (dataDirectory: string, ticket: string, nowMillis = Date.now()): Promise<boolean> => {
  const file = fileOf(dataDirectory, ticket)
  try {
    const { mtimeMs } = await stat(file)
    await unlink(file)
    return nowMillis - mtimeMs <= lifetimeMillis
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false
    throw error
  }
}
