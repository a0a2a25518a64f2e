/** Compares a drive's storage with its database: what is lost, damaged or orphaned. For a drive that is stopped, or on servers. */
import { type Checked, StorageAcceptance, StorageCheck } from "@filedrive/core"
import { DateTime, Duration, Effect, Stream } from "effect"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Layout } from "../storage/disk/Layout.ts"
import { misplaced, type Unfinished, unfinished } from "../storage/disk/Leftovers.ts"
import { Objects } from "../storage/disk/Objects.ts"
import type { Variables, Whereabouts } from "./DriveVariables.ts"
import { at, number, type Output, sentence, whyNot, withDrive } from "./StorageCommand.ts"

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
  /** Orphaned objects whose bytes were written to a directory. */
  copied: number
  /** What was being written when a process ended. */
  unfinished: Unfinished
  /** Why the drive removes nothing; null when it does. */
  held: string | null
}

const progressEvery = Duration.seconds(5)

/** The line about one thing; undefined when it is sound. */
const wordsOf = (checked: Checked): string | undefined => {
  if (checked.what === "file") {
    const { accountId, fileName, id, reason, state, storeKey } = checked.file
    if (state === "sound") return undefined
    return `${state.padEnd(10)} file ${id} ${
      JSON.stringify(fileName)
    } of account ${accountId}, object ${storeKey}: ${reason}`
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

/** An object's file among those that are copied out. Its name is flat: one key may begin with another. */
const copyOf = (directory: string, { bucket, key }: Extract<Checked, { readonly what: "object" }>["at"]) =>
  join(resolve(directory), bucket, key.replaceAll("/", "_"))

/**
 * Compares everything, and prints what is wrong as it is found. Writes the bytes of orphaned objects to `copies`, unless that is null.
 * Returns the counts.
 */
const run = Effect.fnUntraced(function*({ line, progress }: Output, copies: string | null) {
  const { check, fileCount, read } = yield* StorageCheck
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
    copied: 0,
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
  const copyOut = Effect.fnUntraced(function*(directory: string, checked: Checked) {
    if (checked.what !== "object" || checked.isKnown) return
    const path = copyOf(directory, checked.at)
    const bytes = Stream.toAsyncIterable(read(checked.at))
    yield* Effect.tryPromise(() => mkdir(dirname(path), { recursive: true }))
    yield* Effect.tryPromise(() => writeFile(path, bytes)).pipe(
      Effect.matchEffect({
        onFailure: ({ cause }) =>
          Effect.sync(() => line(`${"not copied".padEnd(10)} object ${checked.at.key}: ${whyNot(cause)}`)),
        onSuccess: () => Effect.sync(() => void counts.copied++)
      })
    )
  })
  yield* Stream.runForEach(check, (checked) =>
    Effect.gen(function*() {
      count(counts, checked)
      const words = wordsOf(checked)
      if (words !== undefined) line(words)
      if (copies !== null) yield* copyOut(copies, checked)
      const now = yield* DateTime.now
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

const compareAt = (where: Whereabouts, output: Output, copies: string | null) =>
  Effect.tap(at(where, run(output, copies)), (counts) =>
    where.s3 === null
      ? Effect.promise(() => addLeftovers(join(resolve(where.dataDirectory), "storage"), counts, output))
      : Effect.void)

/** Returns true when nothing is wrong. Prints what is wrong, or why it could not compare. */
export const compare = async (
  variables: Variables,
  output: Output,
  copies: string | null = null
): Promise<boolean> => {
  const counts = await withDrive(variables, output, (where) => compareAt(where, output, copies))
  if (counts === undefined) return false
  output.line(summary(counts))
  if (copies !== null) output.line(`${number(counts.copied)} orphaned objects were copied to ${resolve(copies)}.`)
  return isWell(counts)
}
