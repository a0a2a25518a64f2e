/** A database or a storage that was restored from a backup: nothing newer is lost, and no file gets wrong bytes. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { FileAccess } from "../src/files/FileAccess.ts"
import { Trash } from "../src/files/Trash.ts"
import * as StorageMark from "../src/objects/StorageMark.ts"
import type { FileId } from "../src/shared/Ids.ts"
import { backUpDatabase, restoreStorage, storedObjects } from "./Backup.ts"
import { as } from "./FilesTest.ts"
import {
  accept,
  add,
  bytesOf,
  formsCleared,
  me,
  nothingRemoved,
  onDatabases,
  pass,
  reason,
  started,
  withoutMark
} from "./RestoreTest.ts"
import { TestLog } from "./TestHttp.ts"

const toggle = (id: FileId) => FileAccess.use((access) => access.toggle(id)).pipe(as(me))
const trash = (id: FileId) => Trash.use(({ put }) => put([id])).pipe(as(me))
const restore = (id: FileId) => Trash.use(({ restore }) => restore([id])).pipe(as(me))
const remove = (id: FileId) => Effect.andThen(trash(id), Trash.use((trash) => trash.delete([id]))).pipe(as(me))

const files = ["kept", "becomes public", "becomes private", "goes in trash", "leaves trash", "is deleted"] as const

/** A drive that has files of all kinds; backups of both; then five days in which they change and others are added. */
const fiveDays = Effect.gen(function*() {
  const ids = yield* started(Effect.gen(function*() {
    const ids = {} as Record<typeof files[number], FileId>
    for (const name of files) ids[name] = yield* add(name)
    for (const name of ["becomes private", "goes in trash", "leaves trash"] as const) yield* toggle(ids[name])
    yield* trash(ids["leaves trash"])
    yield* formsCleared
    yield* pass(30)
    return ids
  }))
  const database = yield* backUpDatabase
  const storage = yield* storedObjects
  const added: Array<FileId> = []
  for (let day = 1; day <= 5; day++) {
    yield* started(Effect.gen(function*() {
      // So many that keys are listed ahead, and stay so.
      for (let n = 0; n < 12; n++) added.push(yield* add(`new ${day}.${n}`))
      if (day === 1) {
        yield* toggle(ids["becomes public"])
        yield* toggle(ids["becomes private"])
        yield* trash(ids["goes in trash"])
        yield* restore(ids["leaves trash"])
        yield* remove(ids["is deleted"])
      }
      yield* formsCleared
      yield* pass(24)
    }))
  }
  return { added, database, ids, storage }
})

const servesRight = Effect.fnUntraced(
  function*(ids: Readonly<Record<string, FileId>>, lost: ReadonlyArray<string> = []) {
    for (const [name, id] of Object.entries(ids)) {
      assert.strictEqual(yield* bytesOf(id), lost.includes(name) ? undefined : name)
    }
  }
)

const newer = StorageMark.sentences.newer
const older = StorageMark.sentences.older

onDatabases("A drive after a restore", (onBoth) => {
  it.effect(
    "STO-140 a database of five days ago removes nothing from a newer storage until an operator accepts it",
    () =>
      onBoth(Effect.gen(function*() {
        const { database, ids } = yield* fiveDays
        const before = yield* storedObjects
        yield* database.restore
        yield* started(Effect.gen(function*() {
          const log = yield* TestLog
          assert.strictEqual(log.filter((line) => line.includes(newer)).length, 1, log.join("\n"))
          yield* pass(72)
          assert.strictEqual(yield* reason, newer)
          yield* nothingRemoved(before)
          // Its bytes are gone for good, and it is not.
          yield* servesRight(ids, ["is deleted"])
        }))
        yield* started(Effect.gen(function*() {
          yield* accept
          // A drive that runs notices within a minute.
          yield* pass(72)
          assert.isUndefined(yield* reason)
          yield* servesRight(ids, ["is deleted"])
          const left = withoutMark(yield* storedObjects)
          assert.sameMembers([...left.values()], files.filter((name) => name !== "is deleted"))
        }))
      })),
    120_000
  )

  it.effect(
    "STO-141 a storage of five days ago keeps all its objects, and files whose bytes are missing are reported, not deleted",
    () =>
      onBoth(Effect.gen(function*() {
        const { added, ids, storage } = yield* fiveDays
        yield* restoreStorage(storage)
        const { "is deleted": _, ...others } = ids
        const check = Effect.gen(function*() {
          yield* nothingRemoved(storage)
          yield* servesRight(others)
          for (const id of added) assert.isUndefined(yield* bytesOf(id))
        })
        yield* started(Effect.gen(function*() {
          assert.include((yield* TestLog).join("\n"), older)
          yield* pass(72)
          assert.strictEqual(yield* reason, older)
          yield* check
          yield* add("added since")
        }))
        yield* started(Effect.gen(function*() {
          yield* accept
          yield* pass(72)
          assert.isUndefined(yield* reason)
          yield* servesRight(others)
          for (const id of added) assert.isUndefined(yield* bytesOf(id))
          const left = withoutMark(yield* storedObjects)
          assert.sameMembers([...left.values()], [...Object.keys(others), "added since"])
        }))
      })),
    120_000
  )

  it.effect(
    "STO-142 while removals are held, a public link ends when it has to, and objects made since are removed",
    () =>
      onBoth(Effect.gen(function*() {
        const { database, ids } = yield* fiveDays
        yield* database.restore
        yield* started(Effect.gen(function*() {
          yield* pass(1)
          const before = yield* storedObjects
          const isPublic = (name: string) =>
            Effect.map(
              storedObjects,
              (objects) => [...objects].some(([at, text]) => at.startsWith("public ") && text === name)
            )
          assert.isTrue(yield* isPublic("goes in trash"))
          yield* trash(ids["goes in trash"])
          yield* toggle(ids["becomes private"])
          yield* remove(ids["kept"])
          const id = yield* add("added since")
          yield* remove(id)
          yield* formsCleared
          yield* pass(8)
          const now = withoutMark(yield* storedObjects)
          assert.isFalse(yield* isPublic("goes in trash"))
          assert.isFalse([...now.values()].includes("added since"))
          yield* servesRight({ "goes in trash": ids["goes in trash"], "becomes private": ids["becomes private"] })
          // No bytes are gone, those of the deleted file neither.
          assert.deepStrictEqual(
            [...withoutMark(before).values()].filter((text) => ![...now.values()].includes(text)),
            []
          )
        }))
      })),
    120_000
  )

  /** The texts of all public objects, which anyone with the link can read. */
  const published = Effect.map(
    storedObjects,
    (objects) => [...objects].filter(([at]) => at.startsWith("public ")).map(([, text]) => text).sort()
  )

  /** Files whose links the restored database does not know, as they became public after the backup. */
  const publishedSince = ["is made private", "goes in trash", "is deleted", "is left alone"] as const

  const laterLinks = Effect.gen(function*() {
    const ids = {} as Record<typeof publishedSince[number], FileId>
    const database = yield* started(Effect.gen(function*() {
      for (const name of publishedSince) ids[name] = yield* add(name)
      yield* formsCleared
      yield* pass(30)
      return yield* backUpDatabase
    }))
    yield* started(Effect.gen(function*() {
      for (const name of publishedSince) yield* toggle(ids[name])
      yield* toggle(yield* add("new"))
      yield* formsCleared
      yield* pass(24)
    }))
    const before = yield* storedObjects
    yield* database.restore
    return { before, ids }
  })

  it.effect(
    "STO-149 while removals are held, links that the database does not know end with their file's, and no bytes are removed",
    () =>
      onBoth(Effect.gen(function*() {
        const { before, ids } = yield* laterLinks
        yield* started(Effect.gen(function*() {
          yield* pass(1)
          assert.deepStrictEqual(yield* published, ["new", ...publishedSince].sort())
          yield* toggle(ids["is made private"])
          yield* toggle(ids["is made private"])
          yield* trash(ids["goes in trash"])
          yield* remove(ids["is deleted"])
          yield* pass(0)
          assert.deepStrictEqual(yield* published, ["is left alone", "new"])
          yield* pass(48)
          const now = new Set((yield* storedObjects).values())
          assert.deepStrictEqual([...withoutMark(before).values()].filter((text) => !now.has(text)), [])
          assert.strictEqual(yield* reason, newer)
        }))
      })),
    120_000
  )

  it.effect(
    "STO-150 accepting the database ends at once the links that it does not know; their bytes stay for a day more",
    () =>
      onBoth(Effect.gen(function*() {
        const { before } = yield* laterLinks
        yield* started(Effect.gen(function*() {
          yield* pass(30)
          assert.deepStrictEqual(yield* published, ["new", ...publishedSince].sort())
          assert.deepStrictEqual(yield* accept, { isAccepted: true, links: { ended: 5, left: 0 } })
          assert.deepStrictEqual(yield* published, [])
          const now = new Set((yield* storedObjects).values())
          assert.deepStrictEqual([...withoutMark(before).values()].filter((text) => !now.has(text)), [])
          yield* pass(72)
          assert.sameMembers([...withoutMark(yield* storedObjects).values()], [...publishedSince])
        }))
      })),
    120_000
  )
})
