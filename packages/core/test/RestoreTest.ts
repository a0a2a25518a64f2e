/** A drive that is started and closed on a test's database and storage, while one of them is restored from a backup. */
import { assert, describe } from "@effect/vitest"
import { MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Context, Duration, Effect, Layer, Option, type Scope, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { unlimited } from "../src/accounts/CurrentAccount.ts"
import type { Database } from "../src/database/Database.ts"
import { FilesRepo } from "../src/files/FilesRepo.ts"
import * as StoredFile from "../src/files/StoredFile.ts"
import { JobsWorker } from "../src/jobs/JobsWorker.ts"
import { StorageMarks } from "../src/objects/StorageMarks.ts"
import { Accounts } from "../src/ports/Accounts.ts"
import { ObjectStore } from "../src/ports/ObjectStore.ts"
import { AccountId, type FileId } from "../src/shared/Ids.ts"
import { StorageAcceptance } from "../src/StorageAcceptance.ts"
import { FormEnds } from "../src/uploads/FormEnds.ts"
import { dropBackups, storedObjects } from "./Backup.ts"
import * as Checked from "./Checked.ts"
import { as } from "./FilesTest.ts"
import { ordinaryUser } from "./ordinaryUser.ts"
import { testDriveOn } from "./TestDrive.ts"
import { TestLog } from "./TestHttp.ts"
import { input, uploadOnForm } from "./UploadsTest.ts"

const TestAccounts = Layer.succeed(Accounts, Accounts.of({ find: (id) => Effect.succeedSome(ordinaryUser(id, {})) }))

export type Ground = Database | ObjectStore | MemoryObjectStore

/** One start of a drive, until it is closed, on the test's database and storage. */
export const started = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.context<Ground>(), (ground) => {
    const store = Layer.succeedContext(Context.pick(ObjectStore, MemoryObjectStore)(ground))
    const drive = testDriveOn(store, Layer.succeedContext(ground as Context.Context<Database>), TestAccounts)
    return Effect.provide(Effect.scoped(use), drive, { local: true })
  })

/** Runs what falls due within so many hours. */
export const pass = Effect.fnUntraced(function*(hours: number) {
  const jobs = yield* JobsWorker
  yield* jobs.runDue
  const step = hours > 8 ? 6 : 1
  for (let hour = 0; hour < hours; hour += step) {
    yield* TestClock.adjust(Duration.hours(step))
    yield* jobs.runDue
  }
})

export const me = AccountId.make("019845e1-682f-7b02-a706-3b2422d13aec")

export const add = Effect.fnUntraced(function*(name: string) {
  const file = input(me, name.length, { objectKey: Checked.objectKey(`users/${me}/${name}`) })
  return yield* uploadOnForm(file, name).pipe(as(me))
})

/** Storage has nothing left of the forms that brought files. */
export const formsCleared = FormEnds.use(({ cleared }) => cleared)

/** The bytes of a file where the database says they are; undefined when none are there. */
export const bytesOf = Effect.fnUntraced(function*(id: FileId) {
  const store = yield* ObjectStore
  const file = Option.getOrThrow(yield* FilesRepo.use((files) => files.find(me, unlimited, id)))
  return yield* Stream.mkString(Stream.decodeText(store.get(StoredFile.address(file)))).pipe(
    Effect.orElseSucceed(() => undefined)
  )
}, Effect.provide(FilesRepo.layer))

/** As `filedrive doctor --accept-storage` does. */
export const accept = StorageAcceptance.use(({ accept }) => accept).pipe(
  Effect.provide(StorageAcceptance.layer.pipe(Layer.provideMerge(SecureRandom.layerWebCrypto)))
)

export const mark = "private filedrive-mark"
export const withoutMark = (objects: ReadonlyMap<string, string>) =>
  new Map([...objects].filter(([name]) => name !== mark))

export const reason = StorageMarks.use((marks) => Effect.map(marks.hold, (hold) => hold?.reason))

/** All objects of before are there, with the bytes that they had. */
export const nothingRemoved = Effect.fnUntraced(function*(before: ReadonlyMap<string, string>) {
  const now = yield* storedObjects
  assert.deepStrictEqual([...withoutMark(before)].filter(([name, text]) => now.get(name) !== text), [])
})

/** The tests on a database and a storage of their own, on each kind of database. */
export const onDatabases = (
  title: string,
  tests: (
    onBoth: <A, E>(
      test: Effect.Effect<A, E, Ground | TestLog | Scope.Scope>
    ) => Effect.Effect<A, E | Error>
  ) => void
): void =>
  describe.each(
    [["embedded", TestDatabase.layerMemory], ["PostgreSQL", TestDatabase.layerPostgres]] as const
  )(`${title}, %s`, (_, database) =>
    tests((test) =>
      test.pipe(
        Effect.ensuring(Effect.orDie(dropBackups)),
        Effect.scoped,
        Effect.provide(Layer.orDie(Layer.mergeAll(database, MemoryObjectStore.layer, TestLog.layer)))
      )
    ))
