/**
 * The files that the process may have open at a time: connections, files of storage, the database's. When there are no more, whatever
 * opens one fails, and Node drops new connections without a word; both work again by themselves when some are closed.
 */
import { Health } from "@filedrive/core"
import { Clock, Effect, Layer, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { devNull } from "node:os"

/** Kept for all but connections: the database, pools, sandboxes, libraries. Half of the limit where that is less. */
const reserve = 1_000

/** A connection, and the file or other connection that its call reads or writes. */
const filesOfConnection = 2

/** As many connections at a time as a server of the drive allows by default. */
export const defaultConnections = 10_000

/** A limit that leaves fewer is warned of. */
const fewConnections = 2_000

/** How often it is tried whether a file can be opened. */
const tryEvery = "5 seconds"

/** The log is told again after this time. */
const toldEveryMillis = 60_000

/** How long `/readyz` tells of it. */
const recentMillis = 60_000

interface Report {
  readonly userLimits?: { readonly open_files?: { readonly soft: unknown } }
}

/** The most files that this process may have open; undefined where the system has no such limit. Node raises it to the hard one. */
export const fileLimit = (): number | undefined => {
  try {
    const [, soft] = /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? []
    return Number(soft) || undefined
  } catch {
    // Names of connections would be looked up.
    Reflect.set(process.report, "excludeNetwork", true)
    const { userLimits } = process.report.getReport() as Report
    return Number(userLimits?.open_files?.soft) || undefined
  }
}

/** How many connections leave room for everything else. */
export const connectionsFor = (files: number): number =>
  Math.max(1, Math.floor((files - Math.min(reserve, files / 2)) / filesOfConnection))

/** As many connections as are asked for, or as the process has files for. */
export const bounded = (connections: number, files = fileLimit()): number =>
  files === undefined ? connections : Math.min(connections, connectionsFor(files))

/** Whether an error, or what caused it, is that the process or the machine has no more files to open. */
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

/** Warns of a low limit, and of no more files while that lasts; `/readyz` tells the latter too. */
export const make = (files: number | undefined, canOpen: Effect.Effect<boolean>) =>
  Effect.gen(function*() {
    if (files !== undefined && connectionsFor(files) < fewConnections) yield* Effect.logWarning(lowLimit(files))
    let seen: number | undefined
    let told: number | undefined
    const look = Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      if (!(yield* canOpen)) {
        seen = now
        if (told === undefined || now - told >= toldEveryMillis) {
          told = now
          yield* Effect.logWarning(shortage)
        }
        return { isShort: true, sentence: shortage }
      }
      const isRecent = seen !== undefined && now - seen < recentMillis
      return isRecent
        ? { isShort: false, sentence: "A minute ago or less the process had no more files to open." }
        : null
    })
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(tryEvery)))
    return look
  })

export const layer: Layer.Layer<never> = Layer.effect(
  Health.Shortage,
  Effect.suspend(() => make(fileLimit(), openable))
)
