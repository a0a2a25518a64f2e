/** The credentials a disk store signs with: made at its first start, kept in its root. */
import { randomBytes } from "node:crypto"
import { link, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import type { Credentials } from "../Signature.ts"
import { hasCode, syncDirectory, unlessMissing, writeSynced } from "./Durable.ts"
import type { Layout } from "./Layout.ts"

/** Of several processes starting at once, one makes the credentials and all use them. */
export const load = async (layout: Layout): Promise<Credentials> => {
  const path = join(layout.root, "credentials.json")
  const kept = await unlessMissing(readFile(path, "utf8"))
  if (kept !== undefined) return JSON.parse(kept)
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
