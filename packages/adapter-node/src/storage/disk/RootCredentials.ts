/** The credentials a disk store signs with: made at its first start, kept in its root. */
import { randomBytes } from "node:crypto"
import { link, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import type { Credentials } from "../Signature.ts"
import { hasCode, syncDirectory, unlessMissing, writeSynced } from "./Durable.ts"
import type { Layout } from "./Layout.ts"

/** The file exists but can't be used. The message continues a sentence that names the directory. */
export class CredentialsUnusable extends Error {}

const whatToDo = "restore it from a backup, or remove it: the next start makes another, and links, forms and part URLs "
  + "that were given out before stop working"

const unreadable = (error: unknown): never => {
  if (hasCode(error, "ENOENT")) throw error
  const code = (error as { readonly code?: unknown } | null)?.code
  throw new CredentialsUnusable(`its credentials.json can't be read by this process (${String(code)})`, {
    cause: error
  })
}

const parse = (text: string): Credentials => {
  try {
    const { accessKeyId, secretAccessKey } = JSON.parse(text) as Partial<Credentials>
    if (typeof accessKeyId === "string" && accessKeyId !== "" && typeof secretAccessKey === "string") {
      if (secretAccessKey !== "") return { accessKeyId, secretAccessKey }
    }
  } catch {
    // Reported below: a message of JSON.parse may quote the secret.
  }
  throw new CredentialsUnusable(`its credentials.json is damaged: ${whatToDo}`)
}

/** Of several processes starting at once, one makes the credentials and all use them. */
export const load = async (layout: Layout): Promise<Credentials> => {
  const path = join(layout.root, "credentials.json")
  const kept = await unlessMissing(readFile(path, "utf8").catch(unreadable))
  if (kept !== undefined) return parse(kept)
  const made: Credentials = {
    accessKeyId: randomBytes(10).toString("hex").toUpperCase(),
    secretAccessKey: randomBytes(32).toString("base64url")
  }
  const draft = layout.temporary()
  try {
    await writeSynced(draft, JSON.stringify(made))
    await link(draft, path)
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error
  } finally {
    await rm(draft, { force: true })
  }
  await syncDirectory(layout.root)
  return load(layout)
}
