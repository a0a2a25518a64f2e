/**
 * A thread that ends its process when that takes too much memory or CPU, or has
 * outlived the drive that started it. A decoder in native code reacts to no
 * timer and no `terminate`, but to SIGKILL.
 */
import { parentPort, workerData } from "node:worker_threads"
import { cpuSeconds } from "../CpuTime.ts"
import { isOwnSession, killSession } from "../lowerPriority.ts"
import { tooMuchSignal } from "./Kills.ts"
import type { WatchOptions } from "./Messages.ts"

const intervalMillis = 50
const { drivePid, memoryMaxBytes } = workerData as WatchOptions

/** The CPU that the process and its programs may have used when its task must have ended. */
let cpuLimit = Infinity
parentPort!.on("message", (cpuMaxSeconds: number) => (cpuLimit = cpuSeconds() + cpuMaxSeconds))

/** What does not end by its own signal is killed at the next interval. Windows has no such signal. */
let isEnding = !isOwnSession

setInterval(() => {
  const tooMuch = process.memoryUsage.rss() > memoryMaxBytes || cpuSeconds() > cpuLimit
  if (!tooMuch && process.ppid === drivePid) return
  killSession(process.pid, isEnding ? "SIGKILL" : tooMuchSignal)
  isEnding = true
}, intervalMillis)
