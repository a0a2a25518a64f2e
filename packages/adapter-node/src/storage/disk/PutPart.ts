/** `PUT {endpoint}/{bucket}/{key}?partNumber&uploadId&…`: one part of an upload. */
import { Limits } from "@filedrive/core"
import { digestsOf } from "../Digests.ts"
import { isSealed } from "./DiskUploads.ts"
import { receive } from "./FileSink.ts"
import { corsHeaders, header, type Reply, type S3Exchange } from "./S3Exchange.ts"
import { notOpen, StorageError } from "./StorageError.ts"
import type { Stored } from "./Stored.ts"
import { type Target, verifyUrl } from "./Verification.ts"

/** Parts of one owner that are stored already and may be sent again at a time. */
const replacementsAtOnce = 4

/** Whose an object is: what its key has before its last segment. */
const owner = (key: string): string => key.slice(0, key.lastIndexOf("/"))

export const putPart = async (store: Stored, exchange: S3Exchange, target: Target): Promise<Reply> => {
  const { headers, method } = exchange
  const pinned = verifyUrl(store.signing, { ...target, method, headers, nowMillis: store.nowMillis() })
  const length = header(exchange, "content-length")
  if (!pinned.includes("content-length") || length === undefined) {
    throw new StorageError("MissingContentLength", "A part is sent with its length.")
  }
  const query = new Map(target.query)
  const uploadId = query.get("uploadId") ?? ""
  const partNumber = Number(query.get("partNumber"))
  if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > Limits.partsMaxCount) {
    throw new StorageError("InvalidArgument", "The part number is out of range.")
  }
  if (store.layout.upload(uploadId) === undefined) throw notOpen()
  const digests = digestsOf(Object.entries(headers))
  return store.partSendings.run(`${uploadId}.${partNumber}`, async (path, signal) => {
    const take = async (): Promise<Reply> => {
      // Checked here: a call that ends the upload after this ends the sending too.
      const upload = await store.uploads.find(target, uploadId)
      if (upload === undefined) throw notOpen()
      const hold = await store.room.hold(Number(length))
      const watch = store.stalls.watch(16 * 1024, () => exchange.body.destroy())
      try {
        await receive({
          source: exchange.body,
          path,
          sizeBytes: Number(length),
          seal: isSealed(upload),
          digests,
          modifiedMillis: store.nowMillis(),
          onProgress: watch.progress,
          onWritten: hold.arrived,
          signal
        })
        const part = await store.uploads.storePart(uploadId, partNumber, path)
        if (part !== undefined) {
          return { status: 200, headers: { ...corsHeaders, etag: `"${part.etag}"`, "content-length": "0" } }
        }
        // If the upload is still open, another process removed the file for a newer sending.
        throw await store.uploads.find(target, uploadId) === undefined ? notOpen() : store.partSendings.sentAgain()
      } finally {
        watch.stop()
        hold.release()
      }
    }
    // Until it has arrived whole, the stored part stays beside it: so a few at a time, and the others are not read.
    return await store.uploads.hasPart(uploadId, partNumber)
      ? store.replacements.runUnless(`${owner(target.key)} ${partNumber % replacementsAtOnce}`, signal, take)
      : take()
  })
}
