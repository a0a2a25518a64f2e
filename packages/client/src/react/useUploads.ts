/** Uploads that components show. */
import { useEffect, useState, useSyncExternalStore } from "react"
import type { Uploader } from "../Client.ts"
import {
  QueueUploads,
  type Uploads,
  type UploadsActions,
  type UploadsOptions,
  type UploadsState
} from "./QueueUploads.ts"

/** Uploads of a client, or of a delivery, that outlive the components that show them. */
export const createUploads = (uploader: Uploader, options: UploadsOptions = {}): Uploads =>
  new QueueUploads(uploader, options)

/**
 * Uploads with their progress and their files. Given a client, or a delivery, they are the component's own, and are cancelled when it is gone;
 * given what `createUploads` made, they are shown.
 */
export const useUploads = (from: Uploader | Uploads, options: UploadsOptions = {}): UploadsState & UploadsActions => {
  const [owned, setOwned] = useState(() => own(from, options))
  // Another client: its uploads are others.
  const current = owned.from === from ? owned : own(from, options)
  if (current !== owned) setOwned(current)
  const { isOwn, uploads } = current
  const state = useSyncExternalStore(uploads.subscribe, uploads.read, uploads.readInitial)
  useEffect(() => {
    if (isOwn) uploads.options = options
  })
  useEffect(() => {
    if (!isOwn) return
    return () => {
      // What can't be given back now the drive frees by itself.
      uploads.cancel().catch(() => {})
    }
  }, [uploads, isOwn])
  const { add, cancel, pause, resume, retry } = uploads
  return { ...state, add, cancel, pause, resume, retry }
}

const own = (from: Uploader | Uploads, options: UploadsOptions) => {
  const isShared = from instanceof QueueUploads
  return { from, isOwn: !isShared, uploads: isShared ? from : new QueueUploads(from as Uploader, options) }
}
