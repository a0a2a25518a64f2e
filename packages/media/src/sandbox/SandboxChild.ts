/**
 * The program of a sandboxed process: it runs one task after the other, as
 * {@link file://./SandboxProcess.ts} requests them.
 */
import { Worker } from "node:worker_threads"
import { cpuSeconds } from "../CpuTime.ts"
import { killSession } from "../lowerPriority.ts"
import type { FromSandbox, Ready, Reply, ToSandbox, WatchOptions } from "./Messages.ts"
import { SandboxError } from "./SandboxError.ts"
import type { Task } from "./Task.ts"
import { libraries, type TaskName, tasks } from "./Tasks.ts"

const watch = new Worker(new URL("./SandboxWatch.ts", import.meta.url), {
  workerData: JSON.parse(process.argv[2]!) as WatchOptions,
  name: "filedrive-sandbox-watch"
})

/** The next `sizeBytes` of the standard input. */
const take = async (sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = new Uint8Array(sizeBytes)
  for (let filled = 0; filled < sizeBytes;) {
    const chunk = process.stdin.read() as Buffer | null
    if (chunk === null) {
      await new Promise((resolve) => process.stdin.once("readable", resolve))
    } else {
      bytes.set(chunk, filled)
      filled += chunk.length
    }
  }
  return bytes
}

/** How long a task may continue whose library dropped a promise or threw an error that is not caught: it may never end. */
const strayMillis = 5_000

let hasStrayed = false
let giveUp: (reply: Reply) => void = () => {}

const reasonOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

// Unhandled rejections arrive here too. An error that is not caught counts to the file of the running task.
process.on("uncaughtException", (error) => {
  hasStrayed = true
  const current = giveUp
  setTimeout(() => current({ tag: "failed", reason: reasonOf(error) }), strayMillis)
})
// Without the watch nothing would end a task that takes too much.
watch.once("exit", () => killSession(process.pid))

const perform = async ({ cpuMaxSeconds, options, sizeBytes, task }: ToSandbox): Promise<Reply> => {
  const bytes = await take(sizeBytes)
  watch.postMessage(cpuMaxSeconds)
  try {
    const work = await tasks[task]() as Task<unknown, unknown>
    return { tag: "answered", answer: await work(bytes, options) }
  } catch (error) {
    return error instanceof SandboxError
      ? { tag: "refused", because: error.message, missingTool: error.missingTool }
      : { tag: "failed", reason: reasonOf(error) }
  }
}

const answer = (message: ToSandbox): Promise<Reply> =>
  Promise.race([perform(message), new Promise<Reply>((resolve) => giveUp = resolve)])

process.on("message", async (message: ToSandbox) => {
  const before = cpuSeconds()
  const reply = await answer(message)
  const taken = { memoryBytes: process.memoryUsage.rss(), cpuSeconds: cpuSeconds() - before }
  process.send!({ ...reply, ...taken, hasStrayed } satisfies FromSandbox)
})
// An exit would wait for running native code, and stop the watch before.
process.on("disconnect", () => killSession(process.pid))
const loads = JSON.parse(process.argv[3]!) as ReadonlyArray<TaskName>
// A module that can't be loaded is reported by the task that needs it.
await Promise.allSettled(loads.flatMap((name) => [tasks[name](), libraries[name]?.()]))
process.send!({ tag: "ready" } satisfies Ready)
