/** `POST {endpoint}/{bucket}`: a file sent with a signed form. */
import { Duration } from "effect"
import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { type Digests, digestsOf } from "../Digests.ts"
import { collect, type Collecting } from "./CollectBody.ts"
import { PlaceTaken } from "./DirectoryObjects.ts"
import { hasCode, writeNew } from "./Durable.ts"
import { receive } from "./FileSink.ts"
import * as FormHead from "./FormHead.ts"
import { partName } from "./Layout.ts"
import { type ObjectMeta, onePart } from "./ObjectMeta.ts"
import type { SentForm } from "./OpenForms.ts"
import { isPackable, pack } from "./Packed.ts"
import { newEtag } from "./PackedObjects.ts"
import { corsHeaders, header, type Reply, type S3Exchange } from "./S3Exchange.ts"
import type { StallWatch, Watch } from "./StallWatch.ts"
import { StorageError } from "./StorageError.ts"
import type { Stored } from "./Stored.ts"
import { type Target, type VerifiedForm, verifyForm } from "./Verification.ts"

/** Room that boundaries' closing leaves for a line break. */
const lineBreakBytes = 2

export const postForm = async (store: Stored, exchange: S3Exchange, { bucket, key }: Target): Promise<Reply> => {
  if (key !== "") throw new StorageError("MethodNotAllowed", "Forms are sent to the bucket.")
  const boundary = FormHead.boundaryOf(header(exchange, "content-type"))
  const watch = store.stalls.watch(16 * 1024, () => exchange.body.destroy())
  try {
    const { fields, first, headBytes } = await readHead(exchange.body, boundary, watch, store.stalls)
    const form = verifyForm(store.signing, bucket, fields, store.nowMillis())
    const digests = digestsOf(Object.entries(exchange.headers), fields)
    const at = { bucket, key: form.key }
    const closing = FormHead.closing(boundary)
    refuseByLength(header(exchange, "content-length"), headBytes + form.sizeBytes + closing.length)
    const isPacked = isPackable(form.key, form.sizeBytes)
    return await store.formSendings.run(store.layout.form(at), async (path, signal) => {
      const sent = { at, expiryMillis: form.expiryMillis, hasPermission: form.hasPermission }
      if (!await store.forms.isOpen(sent, isPacked)) throw overAlready()
      const hold = await store.room.hold(form.sizeBytes)
      const sending: Sending = {
        path,
        signal,
        sent,
        form,
        digests,
        body: { source: exchange.body, sizeBytes: form.sizeBytes, first, closing, onProgress: watch.progress },
        onWritten: hold.arrived
      }
      try {
        const etag = await (isPacked ? packForm(store, sending) : takeForm(store, sending))
        return { status: 204, headers: { ...corsHeaders, etag: `"${etag}"` } }
      } finally {
        hold.release()
      }
    })
  } finally {
    watch.stop()
  }
}

interface Sending {
  /** A path where nothing exists yet; it is removed when the sending ends. */
  readonly path: string
  readonly signal: AbortSignal
  readonly sent: SentForm
  readonly form: VerifiedForm
  readonly digests: Digests | undefined
  readonly body: Omit<Collecting, "signal">
  readonly onWritten: (bytes: number) => void
}

/** Stores a small file: when all of it has arrived, it is written in one piece with its description. Returns the etag. */
const packForm = async (
  { forms, nowMillis, objects }: Stored,
  { body, digests, form, path, sent, signal }: Sending
): Promise<string> => {
  const bytes = await collect({ ...body, signal })
  digests?.add(bytes)
  const flaw = digests?.flaw()
  if (flaw !== undefined) throw flaw
  const etag = newEtag()
  const { headers, key, sizeBytes } = form
  const description = { headers, sizeBytes, etag, storedMillis: nowMillis() }
  const content = pack(bytes, description)
  await writeNew(path, content)
  if (!await forms.store(sent, path)) throw overAlready()
  objects.arrived(sent.at, { ...description, key, parts: onePart(sizeBytes) }, content)
  return etag
}

/** Receives a larger file into a directory of its own. Returns the etag. */
const takeForm = async (
  store: Stored,
  { body, digests, form, onWritten, path, sent, signal }: Sending
): Promise<string> => {
  try {
    await mkdir(path, { mode: 0o700 })
    await receive({
      ...body,
      path: join(path, partName(1)),
      seal: true,
      digests,
      modifiedMillis: store.nowMillis(),
      onWritten,
      signal
    })
    return (await publishOnce(store, path, sent, form)).etag
  } catch (error) {
    await rm(path, { recursive: true, force: true })
    // Another process that receives the form again has removed the directory.
    throw hasCode(error, "ENOENT") ? store.formSendings.sentAgain() : error
  }
}

const overAlready = () => new StorageError("AccessDenied", "This form was used or revoked already.")

/** Moves a form's object to its final path, where no form has put one before. */
const publishOnce = async (
  store: Stored,
  directory: string,
  sent: SentForm,
  form: VerifiedForm
): Promise<ObjectMeta> => {
  const { at } = sent
  if (!await store.forms.isOpen(sent, false)) throw overAlready()
  try {
    const meta = await store.objects.publish(directory, at, {
      headers: form.headers,
      parts: onePart(form.sizeBytes),
      nowMillis: store.nowMillis(),
      replaces: false
    })
    const isTaken = await store.forms.use(sent).catch(async (error: unknown) => {
      // Nothing is stored, so that the form can be sent again.
      await store.objects.remove(at)
      throw error
    })
    if (isTaken) return meta
    await store.objects.remove(at)
    throw overAlready()
  } catch (error) {
    // Of many sendings at once, the first to arrive here counts; another process may have begun a newer one.
    throw error instanceof PlaceTaken || hasCode(error, "ENOENT") ? overAlready() : error
  }
}

/** When the length of the whole body is known, a wrong one is refused before the file is read. */
export const refuseByLength = (told: string | undefined, rightBytes: number): void => {
  if (told === undefined) return
  const bytes = Number(told)
  if (bytes < rightBytes) throw new StorageError("EntityTooSmall", "The file is shorter than the form says.")
  if (bytes > rightBytes + lineBreakBytes) {
    throw new StorageError("EntityTooLarge", "The file is longer than the form says.")
  }
}

export interface Head {
  readonly fields: ReadonlyMap<string, string>
  /** The file's first bytes, received with the fields. */
  readonly first: Buffer
  /** Bytes before the file. */
  readonly headBytes: number
}

/** How long the fields may take. */
const headLifetime = Duration.seconds(30)

const headTooSlow = () => new StorageError("RequestTimeout", "The fields before the file took too long to arrive.")

/** Reads the fields, and leaves `source` paused where the file begins. */
export const readHead = (source: Readable, boundary: string, watch: Watch, stalls: StallWatch): Promise<Head> =>
  new Promise((resolve, reject) => {
    let start: Buffer = Buffer.alloc(0)
    // Nothing of it is verified yet: so the sender gets no more time than that.
    const stopWaiting = stalls.within(headLifetime, () => refuse(headTooSlow()))
    const stop = () => {
      stopWaiting()
      source.pause()
      source.off("data", take).off("end", ended).off("close", cut).off("error", cut)
    }
    const refuse = (refusal: unknown) => {
      stop()
      reject(refusal)
    }
    const take = (chunk: Buffer) => {
      watch.progress(chunk.length)
      start = start.length === 0 ? chunk : Buffer.concat([start, chunk])
      try {
        const head = FormHead.parse(start, boundary)
        if (head === undefined ? start.length > FormHead.headMaxBytes : head.fileStart > FormHead.headMaxBytes) {
          throw new StorageError("MaxPostPreDataLengthExceeded", "The fields before the file are too long.")
        }
        if (head === undefined) return
        stop()
        resolve({ fields: head.fields, first: start.subarray(head.fileStart), headBytes: head.fileStart })
      } catch (refusal) {
        refuse(refusal)
      }
    }
    const ended = () => refuse(new StorageError("MalformedPOSTRequest", "The form holds no file."))
    const cut = () => refuse(new StorageError("RequestTimeout", "The body was cut off."))
    source.on("data", take).on("end", ended).on("close", cut).on("error", cut)
    if (source.destroyed) cut()
  })
