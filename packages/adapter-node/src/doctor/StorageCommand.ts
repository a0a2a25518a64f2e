/** Commands of an operator on a drive's database and storage, without the drive. */
import * as NodeCrypto from "@effect/platform-node-shared/NodeCrypto"
import { checkMigrated, Database, StorageAcceptance, StorageCheck } from "@filedrive/core"
import { Cause, Effect, Exit, Layer } from "effect"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import * as DriveLayer from "../DriveLayer.ts"
import type { DriveOptions } from "../DriveOptions.ts"
import { KeepAlive } from "../KeepAlive.ts"
import { optionsOf, type Variables, type Whereabouts, whereabouts, WrongVariable } from "./DriveVariables.ts"

/** Where the output is written. */
export interface Output {
  readonly line: (text: string) => void
  readonly progress: (text: string) => void
}

export const number = (value: number) => value.toLocaleString("en")

export const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

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
export const at = <A, E>(
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
export const whyNot = (error: unknown): string => {
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
export const withDrive = async <A>(
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
