/**
 * Generated images, in the service: the call that begins one beside the one that makes a folder, and the states of twenty that are done.
 */
import { AccountsAdmin, FolderPath, FolderTree, Generations, type Ids, JobsWorker } from "@filedrive/core"
import { FileTypeKinds } from "@filedrive/media"
import { MemoryObjectStore, MemoryRemoteFile, TestImageGenerator, TestPasswordHasher } from "@filedrive/testing"
import { Cause, type Context, Effect, Exit, Layer, ManagedRuntime } from "effect"
import type { SqlClient } from "effect/sql"
import { join } from "node:path"
import * as Pglite from "../../packages/adapter-node/src/database/Pglite.ts"
import * as Postgres from "../../packages/adapter-node/src/database/Postgres.ts"
import { exitOf } from "../../packages/adapter-node/src/ExitOf.ts"
import { withDirectory } from "../DriveCaller.ts"
import { as, driveOn } from "../library/LibraryDrive.ts"
import { withPostgres } from "../Postgres.ts"
import { interleave, median, percentile, seconds } from "../Rounds.ts"
import { quick } from "../Settings.ts"
import { atMost, type Outcome } from "../Table.ts"

const rounds = quick ? 20 : 500
const looks = quick ? 50 : 2_000
/** Not counted: until the code is compiled. */
const warmUp = quick ? 5 : 200
const perLook = 20
/** So many are under way before their jobs run, between two measurements. */
const batch = 50
const targetMillis = 3

const ports = Layer.mergeAll(
  FileTypeKinds.layer,
  MemoryObjectStore.layer,
  MemoryRemoteFile.layer,
  TestImageGenerator.layer,
  TestPasswordHasher.layer
)

/** Runs calls as `drive.as` does. */
const callsOn = <R>(context: Context.Context<R>) => async <A, E>(call: Effect.Effect<A, E, R>): Promise<A> => {
  const exit = await exitOf(Effect.runForkWith(context), call)
  if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
  return exit.value
}

const run = async <E>(
  where: string,
  database: Layer.Layer<SqlClient.SqlClient, E>
): Promise<ReadonlyArray<Outcome>> => {
  const runtime = ManagedRuntime.make(driveOn(database, ports))
  try {
    const ada = await runtime.runPromise(
      AccountsAdmin.use((accounts) =>
        Effect.flatMap(accounts.create({ plan: "pro", monthlyImages: null }), Effect.fromOption)
      )
    )
    const { generations, tree, worker } = await runtime.runPromise(
      Effect.all({ generations: Generations, tree: FolderTree, worker: JobsWorker })
    )
    const ids: Array<Ids.GenerationId> = []
    const generate = async (round: number) => {
      const taken = await seconds(async () => {
        const { id } = await runtime.runPromise(generations.generate({ prompt: "A tram on a hill" }).pipe(as(ada.id)))
        ids.push(id)
      })
      if (round % batch === batch - 1) await runtime.runPromise(worker.runDue)
      return taken
    }
    const create = (round: number) =>
      seconds(() => runtime.runPromise(tree.create(FolderPath.Path.make(`/Folder ${round}`)).pipe(as(ada.id))))
    const times = await interleave(rounds, { generate, create })
    await runtime.runPromise(worker.runDue)
    const looked: Array<number> = []
    const call = callsOn(await runtime.context())
    for (let n = -warmUp; n < looks; n++) {
      const asked = Array.from({ length: perLook }, (_, at) => ids[((n + warmUp) * perLook + at) % ids.length]!)
      const taken = await seconds(() => call(generations.select(asked).pipe(as(ada.id))))
      if (n >= 0) looked.push(taken * 1e3)
    }
    const [own, folder] = [median(times.generate) * 1e3, median(times.create) * 1e3]
    const p99 = percentile(looked, 0.99)
    return [
      atMost(1.3, {
        what: `\`/generate-image\`, ${where}`,
        own: `${own.toFixed(2)} ms`,
        against: `\`/create-folder\`: ${folder.toFixed(2)} ms`,
        factor: own / folder
      }),
      {
        what: `\`/select-generations\` of ${perLook}, ${where}`,
        own: `p99 ${p99.toFixed(2)} ms`,
        against: `median ${median(looked).toFixed(2)} ms`,
        result: `p99 ${p99.toFixed(2)} ms`,
        target: `p99 under ${targetMillis} ms`,
        met: p99 < targetMillis
      }
    ]
  } finally {
    await runtime.dispose()
  }
}

export const images = async (): Promise<ReadonlyArray<Outcome>> => [
  ...await withPostgres((url) => run("on PostgreSQL", Postgres.layer({ url }))),
  ...await withDirectory((directory) =>
    run("database embedded", Pglite.layer({ directory: join(directory, "database") }))
  )
]
