/** The mark that storage has: reading it, comparing it with the database's, storing a new one. */
import { DateTime, Effect, Stream } from "effect"
import { ObjectStore } from "../ports/ObjectStore.ts"
import * as StorageMark from "./StorageMark.ts"
import { StorageMarksRepo } from "./StorageMarksRepo.ts"
import * as StoreKey from "./StoreKey.ts"

export interface Looked {
  readonly storage: StorageMark.StorageMark | null
  readonly database: StorageMark.DatabaseMark | null
  readonly disagreement: StorageMark.Disagreement | null
}

/** Reading both marks and comparing them, and storing a new mark in storage. */
export const makeMarks = Effect.gen(function*() {
  const repo = yield* StorageMarksRepo
  const objects = yield* ObjectStore

  const read = Stream.mkUint8Array(objects.get(StorageMark.address)).pipe(
    Effect.map((bytes): StorageMark.StorageMark | null => StorageMark.decode(bytes)),
    Effect.catchIf(({ isLost }) => isLost === true, () => Effect.succeed(null))
  )

  const hasObjects = Effect.map(
    Effect.forEach(
      StoreKey.areas,
      ({ bucket, prefix }) => Stream.runCollect(Stream.take(objects.list(bucket, prefix), 1))
    ),
    (found) => found.flat().length > 0
  )

  const look = Effect.gen(function*() {
    // Storage is read first: other processes write it last, so its mark is never ahead of the database, which is read afterwards.
    const storage = yield* read
    const database = yield* repo.find
    const first = StorageMark.disagreementOf(database, storage)
    if (first === "older") {
      // Another process may have stored its mark since: a mark that is read after the database is never behind it.
      const again = StorageMark.disagreementOf(database, yield* read)
      return { storage, database, disagreement: again === "older" ? again : null } satisfies Looked
    }
    // A new database knows none of the objects that are there.
    const isStrange = database === null && storage === null && (yield* repo.isNew) && (yield* hasObjects)
    return { storage, database, disagreement: isStrange ? "foreign" : first } satisfies Looked
  })

  /** Stores the mark, and tells the database that storage has it. */
  const store = Effect.fnUntraced(function*(mark: StorageMark.StorageMark | null) {
    let next = mark
    while (next !== null) {
      const body = StorageMark.encode(next)
      yield* objects.put({
        at: StorageMark.address,
        headers: StorageMark.headers,
        sizeBytes: body.length,
        body: Stream.make(body)
      })
      const storedTime: DateTime.Utc = yield* repo.confirm(next)
      // Another server's later mark may have reached storage before this one: it is stored again.
      next = DateTime.isGreaterThan(storedTime, next.time) ? { ...next, time: storedTime } : null
    }
  })

  return { look, store }
})
