/** Files sent by the drive's own client. */
import { createClient } from "@filedrive/client"
import type { ClientSending } from "../ClientSending.ts"

const piece = new Uint8Array(256 * 1024).fill(102)

/** Bytes that are made while they are read. */
const made = async function*(bytes: number) {
  for (let left = bytes; left > 0; left -= piece.length) yield left < piece.length ? piece.subarray(0, left) : piece
}

export const byClient = async (
  { account, atOnce, name, origin, what }: ClientSending
): Promise<ReadonlyArray<string>> => {
  const client = createClient({ url: origin, session: async () => account.session })
  if ("path" in what) return [(await client.upload(what.path, { fileName: name, key: name, parallel: atOnce })).id]
  if ("stream" in what) {
    const source = { stream: made(what.bytes), size: what.bytes, name }
    return [(await client.upload(source, { key: name })).id]
  }
  const bytes = new Uint8Array(what.bytes).fill(102)
  const ids: Array<string> = []
  const queue = client.uploads.queue({
    files: atOnce,
    onFile: ({ file }) => {
      if (file !== undefined) ids.push(file.id)
    }
  })
  queue.add(Array.from({ length: what.files }, (_, at) => ({ source: bytes, fileName: `${name}-${at}` })))
  const { failures } = await queue.done
  if (failures.length > 0) throw new Error(`${failures.length} files failed: ${failures[0]!.error}`)
  return ids
}
