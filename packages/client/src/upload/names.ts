/** The names of what uploads and queues are told. */
import type { Names } from "../knownOnly.ts"
import type { Directory, QueueItem, QueueOptions } from "./Queue.ts"
import type { UploadOptions } from "./Upload.ts"

/** What all files of a queue may have. */
const ofFiles = { mimeType: 1, type: 1, folder: 1, folderId: 1, tags: 1, description: 1 } as const

const ofFile = { fileName: 1, key: 1, ...ofFiles } as const

const ofSending = { parallel: 1, onProgress: 1, signal: 1 } as const

export const itemNames: Names<QueueItem> = { source: 1, ...ofFile }

export const directoryNames: Names<Directory> = { directory: 1 }

export const uploadNames: Names<UploadOptions> = { ...ofFile, ...ofSending, onState: 1 }

export const queueNames: Names<QueueOptions> = {
  ...ofFiles,
  ...ofSending,
  files: 1,
  name: 1,
  onFile: 1,
  onChange: 1
}
