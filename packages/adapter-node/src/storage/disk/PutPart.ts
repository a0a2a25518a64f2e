/** `PUT {endpoint}/{bucket}/{key}?partNumber&uploadId&…`: one part of an upload. */
import { Limits } from "@filedrive/core"
import { corsHeaders, type Exchange, header, type Reply } from "./Exchange.ts"
import { receive } from "./FileSink.ts"
import { Refusal } from "./Refusal.ts"
import type { Stored } from "./Stored.ts"
import { isSealed } from "./Uploads.ts"
import { type Target, verifyUrl } from "./Verification.ts"

export const putPart = async (store: Stored, exchange: Exchange, target: Target): Promise<Reply> => {
  const { headers, method } = exchange
  const pinned = verifyUrl(store.signing, { ...target, method, headers, nowMillis: store.nowMillis() })
  const length = header(exchange, "content-length")
  if (!pinned.includes("content-length") || length === undefined) {
    throw new Refusal("MissingContentLength", "A part is sent with its length.")
  }
  const query = new Map(target.query)
  const uploadId = query.get("uploadId") ?? ""
  const partNumber = Number(query.get("partNumber"))
  if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > Limits.partsMaxCount) {
    throw new Refusal("InvalidArgument", "The part number is out of range.")
  }
  const gone = () => new Refusal("NoSuchUpload", "The upload is not open.")
  const upload = await store.uploads.find(target, uploadId)
  if (upload === undefined) throw gone()
  const hold = await store.room.hold(Number(length))
  const watch = store.stalls.watch(16 * 1024, () => exchange.body.destroy())
  try {
    const path = store.layout.temporary()
    await receive({
      source: exchange.body,
      path,
      sizeBytes: Number(length),
      seal: isSealed(upload),
      modifiedMillis: store.nowMillis(),
      onProgress: watch.progress,
      onWritten: hold.arrived
    })
    const part = await store.uploads.storePart(uploadId, partNumber, path)
    if (part === undefined) throw gone()
    return { status: 200, headers: { ...corsHeaders, etag: `"${part.etag}"`, "content-length": "0" } }
  } finally {
    watch.stop()
    hold.release()
  }
}
