/** What passes between a drive and its sandboxed processes. A task's bytes follow it on the standard input. */
import type { TaskName } from "./Tasks.ts"

export interface ToSandbox {
  readonly task: TaskName
  readonly options: unknown
  readonly sizeBytes: number
  /** CPU that it may take. */
  readonly cpuMaxSeconds: number
}

/** Said once, when the program has loaded. */
export interface Ready {
  readonly tag: "ready"
}

export type Reply =
  | { readonly tag: "answered"; readonly answer: unknown }
  /** The task says why it has no answer; the process is as good as before. */
  | { readonly tag: "refused"; readonly because: string; readonly missingTool: string | undefined }
  /** A decoder gave up, in who knows what state. */
  | { readonly tag: "failed"; readonly reason: string }

/**
 * With the memory that the process has when it has replied, the CPU that it and the programs it ran took, and whether
 * something was thrown in it that nobody caught.
 */
export type FromSandbox = Reply & {
  readonly memoryBytes: number
  readonly cpuSeconds: number
  readonly hasStrayed: boolean
}

/** What ends a process of itself, whatever its main thread is busy with. */
export interface WatchOptions {
  /** The drive's process, which this one shall not outlive. */
  readonly drivePid: number
  readonly memoryMaxBytes: number
}
