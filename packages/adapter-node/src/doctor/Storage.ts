/** Compares a drive's storage with its database: what is lost, damaged or orphaned. For a drive that is stopped, or on servers. */
import { type Checked, checkMigrated, Database, StorageCheck } from "@filedrive/core"
import { Cause, DateTime, Duration, Effect, Exit, Layer, Stream } from "effect"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import * as DriveLayer from "../DriveLayer.ts"
import type { DriveOptions } from "../DriveOptions.ts"
import { KeepAlive } from "../KeepAlive.ts"
import { Layout } from "../storage/disk/Layout.ts"
import { misplaced, type Unfinished, unfinished } from "../storage/disk/Leftovers.ts"
import { Objects } from "../storage/disk/Objects.ts"
import { optionsOf, type Variables, type Whereabouts, whereabouts, WrongVariable } from "./DriveVariables.ts"

/** Where the output is written. */
export interface Output {
  readonly line: (text: string) => void
  readonly progress: (text: string) => void
}

/** How many of each there were. */
interface Counts {
  files: number
  archives: number
  objects: number
  lost: number
  damaged: number
  unreadable: number
  orphaned: number
  /** Files and directories of the disk store that are not where their objects belong. */
  misplaced: number
  /** What was being written when a process ended. */
  unfinished: Unfinished
}

const progressEvery = Duration.seconds(5)

const number = (value: number) => value.toLocaleString("en")

/** The line about one thing; undefined when it is sound. */
const wordsOf = (checked: Checked): string | undefined => {
  if (checked.what === "file") {
    const { accountId, id, reason, state, storeKey } = checked.file
    if (state === "sound") return undefined
    return `${state.padEnd(10)} file ${id} of account ${accountId}, object ${storeKey}: ${reason}`
  }
  if (checked.what === "archive") {
    const { accountId, id, reason, state, storeKey } = checked.archive
    if (state === "sound") return undefined
    return `${state.padEnd(10)} archive ${id} of account ${accountId}, object ${storeKey}: ${reason}`
  }
  if (checked.isKnown) return undefined
  const { bucket, key } = checked.at
  return checked.what === "object"
    ? `${"orphaned".padEnd(10)} object ${key} (${bucket}), ${number(checked.sizeBytes)} bytes`
    : `${"orphaned".padEnd(10)} upload ${checked.uploadId} of ${key} (${bucket})`
}

const count = (counts: Counts, checked: Checked): void => {
  if (checked.what === "file") {
    counts.files++
    if (checked.file.state !== "sound") counts[checked.file.state]++
    return
  }
  if (checked.what === "archive") {
    counts.archives++
    if (checked.archive.state !== "sound") counts[checked.archive.state]++
    return
  }
  counts.objects++
  if (!checked.isKnown) counts.orphaned++
}

const isWell = ({ damaged, lost, misplaced, orphaned, unreadable }: Counts) =>
  damaged + lost + misplaced + orphaned + unreadable === 0

const unfinishedWords = ({ bytes, count }: Unfinished): string =>
  `${number(count)} unfinished ${count === 1 ? "piece" : "pieces"} of ${
    number(bytes)
  } bytes, which the drive removes when `
  + `${count === 1 ? "it goes" : "they go"} on or after a day`

const summary = (counts: Counts): string => {
  const archives = counts.archives === 0
    ? ""
    : `, ${number(counts.archives)} kept archive${counts.archives === 1 ? "" : "s"}`
  const seen = `${number(counts.files)} files${archives} and ${number(counts.objects)} objects were checked`
  const { unfinished } = counts
  if (isWell(counts)) {
    const more = unfinished.count === 0 ? "nothing else" : unfinishedWords(unfinished)
    return `${seen}: storage holds what the database says, and ${more}.`
  }
  const found = (["lost", "damaged", "unreadable"] as const).filter((state) => counts[state] > 0)
    .map((state) => `${number(counts[state])} ${state}`)
  const all = counts.orphaned + counts.misplaced
  const orphaned = all > 0 ? [`${number(all)} orphaned`] : []
  const advice = [
    ...(found.length > 0 ? ["Restore what is lost or damaged from a backup of the storage."] : []),
    ...(counts.orphaned > 0 ? ["The drive itself removes what is orphaned when it is a few days old."] : []),
    ...(counts.misplaced > 0
      ? ["It does not remove files and directories that are in the wrong place: delete them by hand."]
      : []),
    ...(unfinished.count > 0 ? [`There are also ${unfinishedWords(unfinished)}.`] : [])
  ]
  return `${seen}: ${[...found, ...orphaned].join(", ")}. ${advice.join(" ")}`
}

/** Compares everything, and prints what is wrong as it is found. Returns the counts. */
const run = Effect.fnUntraced(function*({ line, progress }: Output) {
  const { check, fileCount } = yield* StorageCheck
  const total = yield* fileCount
  const counts: Counts = {
    files: 0,
    archives: 0,
    objects: 0,
    lost: 0,
    damaged: 0,
    unreadable: 0,
    orphaned: 0,
    misplaced: 0,
    unfinished: { count: 0, bytes: 0 }
  }
  let told = yield* DateTime.now
  progress(
    `Comparing ${number(total)} file${total === 1 ? "" : "s"} of the database with storage; this may take a while.`
  )
  // All files come before the first object.
  const tell = () =>
    progress(
      counts.objects === 0
        ? `Checked ${number(counts.files)} of ${number(total)} files so far.`
        : `Checked all ${number(counts.files)} files; ${number(counts.objects)} objects so far.`
    )
  yield* Stream.runForEach(check, (checked) =>
    Effect.map(DateTime.now, (now) => {
      count(counts, checked)
      const words = wordsOf(checked)
      if (words !== undefined) line(words)
      if (Duration.isLessThan(DateTime.distance(told, now), progressEvery)) return
      told = now
      tell()
    }))
  return counts
})

/** Adds what a disk store contains beside its objects and uploads. */
const addLeftovers = async (root: string, counts: Counts, { line }: Output): Promise<void> => {
  const layout = new Layout(root)
  for await (const { key, kind, path, sizeBytes } of misplaced(new Objects(layout))) {
    counts.misplaced++
    line(`${"orphaned".padEnd(10)} ${kind} ${path}, ${number(sizeBytes)} bytes, not where its object ${key} is`)
  }
  counts.unfinished = await unfinished(layout)
}

/** Fails with a sentence when there is no drive to check; nothing is made. */
const refuseNothing = ({ database, dataDirectory, s3 }: Whereabouts): void => {
  const data = resolve(dataDirectory)
  const missing = [
    ...(database === null && !existsSync(join(data, "database")) ? ["database"] : []),
    ...(s3 === null && !existsSync(join(data, "storage")) ? ["storage"] : [])
  ]
  if (missing.length === 0) return
  throw new WrongVariable(
    `FILEDRIVE_DATA: there is no ${missing.join(" and no ")} of a drive in ${data}. Name its data directory, or the `
      + "servers it is on by DATABASE_URL and S3_…."
  )
}

const compareAt = (where: Whereabouts, output: Output) => {
  // The comparison itself reports, in sentences, what the store would warn of.
  const options: DriveOptions = { ...optionsOf(where), log: "off" }
  // The database first: while another process has it, storage is not even opened.
  const database = Layer.effectDiscard(checkMigrated).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provideMerge(DriveLayer.database(options))
  )
  const storage = DriveLayer.storage(options, "http://127.0.0.1")
  return Effect.gen(function*() {
    const context = yield* Layer.build(database)
    const counts = yield* run(output).pipe(
      Effect.provide(StorageCheck.layer.pipe(Layer.provide(storage))),
      Effect.provide(context)
    )
    if (where.s3 === null) {
      yield* Effect.promise(() => addLeftovers(join(resolve(where.dataDirectory), "storage"), counts, output))
    }
    return counts
  }).pipe(Effect.scoped, Effect.provide(DriveLayer.settings(options, "http://127.0.0.1")))
}

interface Failure {
  readonly _tag?: string
  readonly cause?: unknown
  readonly reason?: unknown
}

const innermost = (error: Error & Failure): string => {
  const inner = error.cause ?? error.reason
  return inner instanceof Error ? innermost(inner) : error.message
}

/** Never with a stack, a password or a key. */
const whyNot = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  switch ((error as Failure)._tag) {
    case "DirectoryInUse":
      return "The database is in use: stop the drive first."
    case "SqlError":
      return `The database can't be used (${innermost(error)}).`
    case "Unavailable":
      return `Storage can't be used (${innermost(error)}).`
    default:
      return error.message
  }
}

/** Returns true when nothing is wrong. Prints what is wrong, or why it could not compare. */
export const compare = async (variables: Variables, output: Output): Promise<boolean> => {
  try {
    const where = whereabouts(variables)
    refuseNothing(where)
    // An open drive doesn't keep the process running, and nothing else in this process does.
    const exit = await new KeepAlive().during(Effect.runPromiseExit(compareAt(where, output)))
    if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
    output.line(summary(exit.value))
    return isWell(exit.value)
  } catch (error) {
    output.progress(whyNot(error))
    return false
  }
}
