/** Messages between a drive and its sandboxed processes. A task's bytes follow it on the standard input. */
import type { TaskName } from "./Tasks.ts"

export interface ToSandbox {
  readonly task: TaskName
  readonly options: unknown
  readonly sizeBytes: number
  /** CPU that it may take. */
  readonly cpuMaxSeconds: number
}

/** Sent once, when the program has loaded. */
export interface Ready {
  readonly tag: "ready"
}

export type Reply =
  | { readonly tag: "answered"; readonly answer: unknown }
  /** The task gives the reason why it has no result; the process can be used again. */
  | { readonly tag: "refused"; readonly because: string; readonly missingTool: string | undefined }
  /** A decoder failed, and the state of the process is unknown. */
  | { readonly tag: "failed"; readonly reason: string }

/**
 * With the memory of the process after its reply, the CPU that it and its programs took, and whether
 * an error in it was not caught.
 */
export type FromSandbox = Reply & {
  readonly memoryBytes: number
  readonly cpuSeconds: number
  readonly hasStrayed: boolean
}

/** The limits at which a process ends itself, whatever its main thread is busy with. */
export interface WatchOptions {
  /** The drive's process, which this one must not outlive. */
  readonly drivePid: number
  readonly memoryMaxBytes: number
}
