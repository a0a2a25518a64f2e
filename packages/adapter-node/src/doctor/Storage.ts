/** Compares a drive's storage with its database: what is lost, damaged or orphaned. For a drive that is stopped, or on servers. */
import * as NodeCrypto from "@effect/platform-node-shared/NodeCrypto"
import { type Checked, checkMigrated, Database, StorageAcceptance, StorageCheck } from "@filedrive/core"
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
  /** Why the drive removes nothing; null when it does. */
  held: string | null
}

const progressEvery = Duration.seconds(5)

const number = (value: number) => value.toLocaleString("en")

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

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

const isWell = ({ damaged, held, lost, misplaced, orphaned, unreadable }: Counts) =>
  held === null && damaged + lost + misplaced + orphaned + unreadable === 0

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
  const orphanedCount = counts.orphaned + counts.misplaced
  const orphaned = orphanedCount > 0 ? [`${number(orphanedCount)} orphaned`] : []
  const advice = [
    ...(found.length > 0 ? ["Restore what is lost or damaged from a backup of the storage."] : []),
    ...(counts.orphaned > 0 && counts.held === null
      ? ["The drive itself removes what is orphaned when it is a few days old."]
      : []),
    ...(counts.held === null ? [] : [sentence(counts.held)]),
    ...(counts.misplaced > 0
      ? ["It does not remove files and directories that are in the wrong place: delete them by hand."]
      : []),
    ...(unfinished.count > 0 ? [`There are also ${unfinishedWords(unfinished)}.`] : [])
  ]
  const all = [...found, ...orphaned]
  return `${seen}: ${all.length === 0 ? "nothing is lost or orphaned" : all.join(", ")}. ${advice.join(" ")}`
}

/** Compares everything, and prints what is wrong as it is found. Returns the counts. */
const run = Effect.fnUntraced(function*({ line, progress }: Output) {
  const { check, fileCount } = yield* StorageCheck
  const total = yield* fileCount
  const held = yield* StorageAcceptance.use(({ disagreement }) => disagreement)
  if (held !== null) line(`${"held".padEnd(10)} ${held}`)
  const counts: Counts = {
    files: 0,
    archives: 0,
    objects: 0,
    lost: 0,
    damaged: 0,
    unreadable: 0,
    orphaned: 0,
    misplaced: 0,
    unfinished: { count: 0, bytes: 0 },
    held
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

/** Runs a command on the database and the storage of a drive, without a drive around them. */
const at = <A, E>(
  where: Whereabouts,
  command: Effect.Effect<A, E, StorageCheck | StorageAcceptance>
) => {
  // The command itself reports, in sentences, what the store would warn of.
  const options: DriveOptions = { ...optionsOf(where), log: "off" }
  // The database first: while another process has it, storage is not even opened.
  const database = Layer.effectDiscard(checkMigrated).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provideMerge(DriveLayer.database(options))
  )
  const storage = DriveLayer.storage(options, "http://127.0.0.1")
  return Effect.gen(function*() {
    const context = yield* Layer.build(database)
    return yield* command.pipe(
      Effect.provide(
        Layer.merge(StorageCheck.layer, StorageAcceptance.layer).pipe(
          Layer.provide(storage),
          Layer.provideMerge(NodeCrypto.layer)
        )
      ),
      Effect.provide(context)
    )
  }).pipe(Effect.scoped, Effect.provide(DriveLayer.settings(options, "http://127.0.0.1")))
}

const compareAt = (where: Whereabouts, output: Output) =>
  Effect.tap(at(where, run(output)), (counts) =>
    where.s3 === null
      ? Effect.promise(() => addLeftovers(join(resolve(where.dataDirectory), "storage"), counts, output))
      : Effect.void)

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

/** Finds the drive and runs a command on it; undefined when it failed, and then prints why. */
const withDrive = async <A>(
  variables: Variables,
  { progress }: Output,
  command: (where: Whereabouts) => Effect.Effect<A, unknown>
): Promise<A | undefined> => {
  try {
    const where = whereabouts(variables)
    refuseNothing(where)
    // An open drive doesn't keep the process running, and nothing else in this process does.
    const exit = await new KeepAlive().during(Effect.runPromiseExit(command(where)))
    if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
    return exit.value
  } catch (error) {
    progress(whyNot(error))
    return undefined
  }
}

/** Returns true when nothing is wrong. Prints what is wrong, or why it could not compare. */
export const compare = async (variables: Variables, output: Output): Promise<boolean> => {
  const counts = await withDrive(variables, output, (where) => compareAt(where, output))
  if (counts === undefined) return false
  output.line(summary(counts))
  return isWell(counts)
}

/** After a restore: decides that the database counts. Returns false, and prints why, when it could not. */
export const acceptStorage = async (variables: Variables, output: Output): Promise<boolean> => {
  const left = await withDrive(variables, output, (where) =>
    at(
      where,
      StorageAcceptance.use(({ accept, disagreement }) =>
        Effect.gen(function*() {
          const held = yield* disagreement
          output.line(held === null ? "Storage and database are of the same time." : sentence(held))
          output.progress("Looking for misplaced bytes of files in storage; this may take a while.")
          return yield* accept
        })
      )
    ))
  if (left === undefined) return false
  output.line(
    left === 0
      ? "Accepted: in a few days the drive removes objects that its database does not know."
      : `The misplaced bytes of ${number(left)} files could not be copied. Nothing was accepted.`
  )
  return left === 0
}
