/**
 * The files that the process may have open at a time: connections, files of storage, the database's. At the limit every call that opens a file
 * fails, and Node drops new connections silently; both work again by themselves when some files are closed.
 */
import { Health } from "@filedrive/core"
import { Clock, Effect, Layer, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { devNull } from "node:os"

/** Files reserved for the database, pools, sandboxes and libraries; half of the limit if that is less. */
const reserve = 1_000

/** The connection itself, and the file or other connection that its call reads or writes. */
const filesOfConnection = 2

/** As many connections at a time as a server of the drive allows by default. */
export const defaultConnections = 10_000

/** A limit that leaves fewer connections causes a warning. */
const fewConnections = 2_000

/** How often the process tries to open a file. */
const tryEvery = "5 seconds"

/** The warning is repeated after this time. */
const warningMillis = 60_000

/** How long `/readyz` mentions a shortage that is over. */
const recentMillis = 60_000

interface Report {
  readonly userLimits?: { readonly open_files?: { readonly soft: unknown } }
}

/** The part of `process.report` that is used; Node's types lack the setting. */
interface Reports {
  excludeNetwork?: boolean | undefined
  readonly getReport: () => object
}

/** The limit in a diagnostic report, for systems without /proc. */
export const fromReport = (report: Reports): number | undefined => {
  const before = report.excludeNetwork
  try {
    // A report looks up the names of connections otherwise.
    report.excludeNetwork = true
    const { userLimits } = report.getReport() as Report
    return Number(userLimits?.open_files?.soft) || undefined
  } finally {
    report.excludeNetwork = before
  }
}

/** The most files that this process may have open; undefined where the system has no such limit. Node raises it to the hard one. */
export const fileLimit = (): number | undefined => {
  try {
    const [, soft] = /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? []
    return Number(soft) || undefined
  } catch {
    return fromReport(process.report)
  }
}

/** How many connections leave room for everything else. */
export const connectionsFor = (files: number): number =>
  Math.max(1, Math.floor((files - Math.min(reserve, files / 2)) / filesOfConnection))

/** As many connections as are asked for, or as the process has files for. */
export const bounded = (connections: number, files = fileLimit()): number =>
  files === undefined ? connections : Math.min(connections, connectionsFor(files))

/** Whether the process (EMFILE) or the machine (ENFILE) has no file descriptor left. */
const isShortage = (error: unknown): boolean => ["EMFILE", "ENFILE"].includes(String(Object(error).code))

const openable = Effect.promise(async () => {
  try {
    const file = await open(devNull)
    await file.close()
    return true
  } catch (error) {
    return !isShortage(error)
  }
})

const shortage =
  "The process has no more files to open (EMFILE): new connections are dropped, and calls that open a file fail. " +
  "Allow it more (ulimit -n), or fewer connections."

const lowLimit = (files: number) =>
  `This process may have ${files} files open at a time (ulimit -n), which is enough for ${
    connectionsFor(files)
  } connections rather ` +
  `than ${defaultConnections}. Allow it more.`

/** Warns of a low limit at the start, and of a shortage while it lasts. Returns the state for `/readyz`. */
export const make = (files: number | undefined, canOpen: Effect.Effect<boolean>) =>
  Effect.gen(function*() {
    if (files !== undefined && connectionsFor(files) < fewConnections) yield* Effect.logWarning(lowLimit(files))
    let seen: number | undefined
    let warned: number | undefined
    const look = Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      if (!(yield* canOpen)) {
        seen = now
        if (warned === undefined || now - warned >= warningMillis) {
          warned = now
          yield* Effect.logWarning(shortage)
        }
        return { isShort: true, sentence: shortage }
      }
      const isRecent = seen !== undefined && now - seen < recentMillis
      return isRecent
        ? { isShort: false, sentence: "Within the last minute the process had no more files to open." }
        : null
    })
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(tryEvery)))
    return look
  })

export const layer: Layer.Layer<never> = Layer.effect(
  Health.Shortage,
  Effect.suspend(() => make(fileLimit(), openable))
)
