/** A file drive from browsers and programs. */
import { platform } from "#platform"

export * from "./calls.ts"
export type {
  Client,
  Delivery,
  DownloadOptions,
  DownloadToOptions,
  EventsOptions,
  FollowedEvent,
  FollowedNote,
  PublicClient,
  Uploader
} from "./Client.ts"
export { createClient, createPublicClient } from "./createClient.ts"
export type {
  Directory,
  QueueEntry,
  QueueFile,
  QueueItem,
  QueueList,
  QueueOptions,
  QueueProgress,
  QueueResult,
  QueueSummary,
  UploadQueue
} from "./upload/Queue.ts"
export type {
  Progress,
  StreamOfLength,
  Upload,
  UploadedFile,
  UploadOptions,
  UploadSource,
  UploadState
} from "./upload/Upload.ts"
export { indexedDbStore, localStorageStore } from "./web/stores.ts"

/** In Node, Deno and Bun: a store in one file, for programs that run one at a time. */
export const fileStore = platform.fileStore
