/**
 * The program of a sandboxed process: one task after the other, as
 * {@link file://./SandboxProcess.ts} asks for them.
 */
import { Worker } from "node:worker_threads"
import { cpuSeconds } from "../CpuTime.ts"
import { killSession } from "../lowerPriority.ts"
import type { FromSandbox, Ready, Reply, ToSandbox, WatchOptions } from "./Messages.ts"
import { Refusal } from "./Refusal.ts"
import { type Task, tasks } from "./Tasks.ts"

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

const answer = async ({ cpuMaxSeconds, options, sizeBytes, task }: ToSandbox): Promise<Reply> => {
  const bytes = await take(sizeBytes)
  watch.postMessage(cpuMaxSeconds)
  try {
    const perform = await tasks[task]() as Task<unknown, unknown>
    return { tag: "answered", answer: await perform(bytes, options) }
  } catch (error) {
    return error instanceof Refusal
      ? { tag: "refused", because: error.message, missingTool: error.missingTool }
      : { tag: "failed", reason: error instanceof Error ? error.message : String(error) }
  }
}

process.on("message", async (message: ToSandbox) => {
  const before = cpuSeconds()
  const reply = await answer(message)
  const taken = { memoryBytes: process.memoryUsage.rss(), cpuSeconds: cpuSeconds() - before }
  process.send!({ ...reply, ...taken } satisfies FromSandbox)
})
// An exit would wait for native code at work, and stop the watch before.
process.on("disconnect", () => killSession(process.pid))
process.send!({ tag: "ready" } satisfies Ready)
