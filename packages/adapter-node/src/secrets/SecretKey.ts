/** The keys that seal secrets: those of the host, or one that is made once and kept in the data directory. */
import { Effect } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { link, open, readFile, unlink } from "node:fs/promises"
import { dirname } from "node:path"
import { makeDirectories } from "../makeDirectories.ts"

/** Bytes of a key. */
const keyBytes = 32

/** The bytes of a key in base64 (of either alphabet); null for a text that is not one. */
export const parseKey = (text: string): Uint8Array | null => {
  const isBase64 = /^[\w+/-]{43}=?$/.test(text)
  const bytes = isBase64 ? Buffer.from(text, "base64") : null
  return bytes?.length === keyBytes ? new Uint8Array(bytes) : null
}

export const parseKeyOrThrow = (text: string): Uint8Array => {
  const key = parseKey(text)
  if (key === null) throw new Error(`A key must be ${keyBytes} bytes in base64.`)
  return key
}

/** Writes a file that is there whole or not at all, readable by its owner only; one that is there already stays. */
const writeOnce = async (path: string, text: string): Promise<void> => {
  await makeDirectories(dirname(path))
  const draft = `${path}.${randomUUID()}`
  const file = await open(draft, "wx", 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    await unlink(draft)
  }
}

const keptText = (path: string): Promise<string | null> =>
  readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null
    throw error
  })

const readKey = async (path: string): Promise<Uint8Array | null> => {
  const text = await keptText(path)
  if (text === null) return null
  const key = parseKey(text.trim())
  if (key === null) throw new Error(`${path} must contain ${keyBytes} bytes in base64.`)
  return key
}

/** The key in this file, which is made when it is not there. Dies when it can't be read or made. */
export const keptKey = (path: string): Effect.Effect<Uint8Array> =>
  Effect.promise(async () => {
    const key = await readKey(path)
    if (key !== null) return key
    await writeOnce(path, `${randomBytes(keyBytes).toString("base64")}\n`)
    return (await readKey(path))!
  })

/** The keys to use, newest first: those given and, for what was sealed before they were, the one in the file; without any, the file's. */
export const keysOf = (
  given: ReadonlyArray<Uint8Array>,
  path: string
): Effect.Effect<readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]> => {
  const [newest, ...older] = given
  if (newest === undefined) return Effect.map(keptKey(path), (key) => [key])
  return Effect.map(Effect.promise(() => readKey(path)), (kept) => [newest, ...older, ...kept === null ? [] : [kept]])
}
