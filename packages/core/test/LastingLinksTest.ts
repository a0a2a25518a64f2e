/** What tests of lasting links share: public files, and storage that something happens to. */
import { assert } from "@effect/vitest"
import { Faults, type FaultyMethod, MemoryObjectStore } from "@filedrive/testing"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Downloads } from "../src/files/Downloads.ts"
import { FileAccess } from "../src/files/FileAccess.ts"
import { Trash } from "../src/files/Trash.ts"
import { Library } from "../src/library/Library.ts"
import { movePartSizeBytes } from "../src/objects/TransferPlan.ts"
import type { AccountId, FileId } from "../src/shared/Ids.ts"
import { addFile, as, open } from "./FilesTest.ts"
import { ManualJobs } from "./ManualJobs.ts"

/** Too large for one copy. */
export const largeBytes = 2 * movePartSizeBytes + 1

export const publicFile = Effect.fnUntraced(function*(me: AccountId) {
  const id = yield* addFile(me)
  const { downloadUrl } = yield* (yield* FileAccess).toggle(id).pipe(as(me))
  return { id, link: downloadUrl }
})

export const trash = (me: AccountId, ...ids: ReadonlyArray<FileId>) => Trash.use(({ put }) => put(ids)).pipe(as(me))
export const restore = (me: AccountId, ...ids: ReadonlyArray<FileId>) =>
  Trash.use(({ restore }) => restore(ids)).pipe(as(me))
export const toggle = (me: AccountId, id: FileId) => FileAccess.use(({ toggle }) => toggle(id)).pipe(as(me))
export const record = (me: AccountId, id: FileId) => Downloads.use(({ link }) => link(id)).pipe(as(me))
export const statusOf = (link: string | null) => Effect.map(open(link), ({ status }) => status)

/** The file's record while it is in trash. */
export const trashed = Effect.fnUntraced(function*(me: AccountId, id: FileId) {
  const pages = yield* Library.use((library) => library.list("trash")).pipe(as(me))
  const found = (yield* Stream.runCollect(pages)).flat().find((file) => file.id === id)
  assert.isDefined(found)
  return found!
})

export const runJobs = Effect.gen(function*() {
  yield* TestClock.adjust("1 minute")
  return yield* (yield* ManualJobs).runDue
})

/** Plants a fault that the next call of `method` meets, whoever makes it. */
export const plant = (method: FaultyMethod, fault: Faults.Fault, times = 1) =>
  MemoryObjectStore.use((memory) => memory.plant(method, fault, times))

/** Does something else just before or after the next call of `method`. */
export const during = Effect.fnUntraced(
  function*<A, E, R>(method: FaultyMethod, when: "before" | "after", hook: Effect.Effect<A, E, R>) {
    const context = yield* Effect.context<R>()
    yield* plant(method, Faults[when](hook.pipe(Effect.orDie, Effect.asVoid, Effect.provide(context))))
  }
)
