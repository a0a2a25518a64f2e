/** The content of a store in memory. Synchronous, so every change is one step. */
import type { ObjectStore as Port } from "@filedrive/core"
import type { DateTime } from "effect"
import * as SparseBytes from "./SparseBytes.ts"

export interface Held extends Port.StoredObject {
  readonly headers: Port.ObjectHeaders
  readonly content: SparseBytes.SparseBytes
}

export interface HeldPart extends Port.StoredPart {
  readonly content: SparseBytes.SparseBytes
}

export interface Upload {
  readonly at: Port.ObjectAddress
  readonly headers: Port.ObjectHeaders
  readonly startTime: DateTime.Utc
  readonly parts: Map<number, HeldPart>
}

export const addressOf = ({ bucket, key }: Port.ObjectAddress) => `${bucket}/${key}`

export const make = () => {
  const objects = new Map<string, Held>()
  const uploads = new Map<string, Upload>()
  let stamps = 0
  const stamp = () => (++stamps).toString(16).padStart(32, "0")

  const find = (at: Port.ObjectAddress, uploadId: string): Upload | undefined => {
    const upload = uploads.get(uploadId)
    return upload !== undefined && addressOf(upload.at) === addressOf(at) ? upload : undefined
  }

  const store = (
    at: Port.ObjectAddress,
    headers: Port.ObjectHeaders,
    content: SparseBytes.SparseBytes,
    now: DateTime.Utc
  ): Held => {
    const held = { sizeBytes: SparseBytes.length(content), etag: stamp(), storedTime: now, headers, content }
    objects.set(addressOf(at), held)
    return held
  }

  return {
    objects,
    uploads,
    find,
    store,

    open: (at: Port.ObjectAddress, headers: Port.ObjectHeaders, now: DateTime.Utc): string => {
      const uploadId = `upload-${stamp()}`
      uploads.set(uploadId, { at, headers, startTime: now, parts: new Map() })
      return uploadId
    },

    storePart: (upload: Upload, partNumber: number, content: SparseBytes.SparseBytes, now: DateTime.Utc): HeldPart => {
      const part = { partNumber, sizeBytes: SparseBytes.length(content), etag: stamp(), storedTime: now, content }
      upload.parts.set(partNumber, part)
      return part
    },

    /** False when a named part is not stored with that etag. */
    complete: (
      uploadId: string,
      upload: Upload,
      named: ReadonlyArray<{ readonly partNumber: number; readonly etag: string }>,
      now: DateTime.Utc
    ): boolean => {
      const parts = named.map(({ etag, partNumber }) => {
        const part = upload.parts.get(partNumber)
        return part?.etag === etag ? part : undefined
      })
      if (parts.length === 0 || !parts.every((part) => part !== undefined)) return false
      uploads.delete(uploadId)
      store(upload.at, upload.headers, parts.flatMap(({ content }) => content), now)
      return true
    }
  }
}
export type MemoryState = ReturnType<typeof make>
