/**
 * Tickets sign somebody in once, within 15 minutes: whoever can write to the server's data directory may make one. A ticket is a file
 * named by its hash; whoever removes the file has used it, so two can't.
 */
import { createHash, randomBytes } from "node:crypto"
import { mkdir, readdir, stat, unlink, writeFile } from "node:fs/promises"
import { join } from "node:path"

export const lifetimeMillis = 15 * 60_000

const directoryOf = (dataDirectory: string): string => join(dataDirectory, "sign-in")

const fileOf = (dataDirectory: string, ticket: string): string =>
  join(directoryOf(dataDirectory), createHash("sha256").update(ticket).digest("hex"))

/** Milliseconds since a ticket's file was made; null when it is not there. */
const ageOf = async (file: string, nowMillis: number): Promise<number | null> => {
  try {
    return nowMillis - (await stat(file)).mtimeMs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null
    throw error
  }
}

const isGoodAt = (age: number | null): boolean => age !== null && age <= lifetimeMillis

/** Removes those that nobody used in time: every start makes one. */
const sweep = async (directory: string, nowMillis: number) => {
  for (const name of await readdir(directory)) {
    const file = join(directory, name)
    if (!isGoodAt(await ageOf(file, nowMillis))) await remove(file)
  }
}

/** Whether this call has removed the file. */
const remove = async (file: string): Promise<boolean> => {
  try {
    await unlink(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false
    throw error
  }
}

/** A new ticket. */
export const make = async (dataDirectory: string, nowMillis = Date.now()): Promise<string> => {
  const ticket = randomBytes(32).toString("base64url")
  const directory = directoryOf(dataDirectory)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await sweep(directory, nowMillis)
  await writeFile(fileOf(dataDirectory, ticket), "", { mode: 0o600, flag: "wx" })
  return ticket
}

/** Whether a ticket could be used now. */
export const isGood = async (dataDirectory: string, ticket: string, nowMillis = Date.now()): Promise<boolean> =>
  isGoodAt(await ageOf(fileOf(dataDirectory, ticket), nowMillis))

/** Uses a ticket up. False when there is none, or it is older than 15 minutes. */
export const use = async (dataDirectory: string, ticket: string, nowMillis = Date.now()): Promise<boolean> => {
  const file = fileOf(dataDirectory, ticket)
  const age = await ageOf(file, nowMillis)
  return age !== null && await remove(file) && isGoodAt(age)
}
