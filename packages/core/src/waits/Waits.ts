/**
 * What tasks of the agent's wait for, and how they are woken: in the transaction of what happens, so that no crash lies between.
 *
 * Below the features whose changes wake tasks; each tells it of them. An account without tasks pays nothing: how many it has is known from
 * the lock that every transaction takes.
 */
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { CurrentlyHeld, noTasks, type TaskCounts } from "../accounts/HeldAccount.ts"
import type { NewEvent } from "../events/DriveEvent.ts"
import { Events } from "../events/Events.ts"
import * as Job from "../jobs/Job.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { type AccountId, type FileId, type FolderId, type TaskId, WaitId } from "../shared/Ids.ts"
import {
  type ArrivedFile,
  type Happened,
  type Happening,
  type NewWait,
  taskStepJob,
  type Wait,
  type WaitKind
} from "./Wait.ts"
import { WaitsRepo } from "./WaitsRepo.ts"

export const waitSweepJob = Job.every("agent.sweep", {
  description: "Forgets what happened while tasks of the agent's were at work.",
  interval: Duration.hours(1)
})

/** A task begins to wait a moment after it was given, and reads what has happened since. */
const rememberedFor = Duration.days(1)

/** Files of one arrival that a task is told of. */
const toldFiles = 20

/** Folders inside one that is moved that are noted for tasks which begin to wait a moment later. */
const notedFolders = 500

/** Each only inside `AccountTransaction.run` of the account. */
export class Waits extends Context.Service<Waits, {
  /** Files have come to folders, by being recorded or moved. */
  readonly onArrived: (accountId: AccountId, files: ReadonlyArray<ArrivedFile>) => Effect.Effect<void>

  /** The same for files that were moved or restored, whose names are read if anybody is interested. */
  readonly onMoved: (accountId: AccountId, fileIds: ReadonlyArray<FileId>) => Effect.Effect<void>

  /**
   * The state of these may have changed in a way that ends waits for them: closed, deleted, done, failed. Tasks that wait for them look, and
   * see for themselves.
   */
  readonly onChanged: (
    accountId: AccountId,
    kinds: ReadonlyArray<WaitKind>,
    targetIds: ReadonlyArray<string>
  ) => Effect.Effect<void>

  /**
   * `move` moves or renames a folder to another path, with the files that are in it and inside: they come to where it is then, and to the
   * folders inside it that are waited for.
   */
  readonly whileMovingFolder: <A, E, R>(
    accountId: AccountId,
    folder: { readonly id: FolderId; readonly foldedPath: string },
    toFoldedPath: string,
    move: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>

  /** Folders are about to be deleted, while their rows are there: that ends waits for files in them. */
  readonly onFoldersRemoved: (accountId: AccountId, folderIds: ReadonlyArray<FolderId>) => Effect.Effect<void>

  /** A number for "now": `begin` is given it, to find what has happened since. */
  readonly now: (accountId: AccountId) => Effect.Effect<number>

  /** Begins a wait of a task that has none. Answers what has happened since `after` that it is for, or null: then it waits. */
  readonly begin: (accountId: AccountId, wait: NewWait, after: number) => Effect.Effect<Happened | null>

  readonly find: (accountId: AccountId, taskId: TaskId) => Effect.Effect<Wait | null>

  /** All of an account, oldest first; at most as many as may wait. */
  readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<Wait>>

  /** Lets a wait last until another time. */
  readonly extend: (accountId: AccountId, taskId: TaskId, untilTime: DateTime.Utc) => Effect.Effect<void>

  /** Forgets the wait of a task. */
  readonly end: (accountId: AccountId, taskId: TaskId) => Effect.Effect<void>

  /** How many tasks of the account are at work, or about to be, and how many wait. */
  readonly counts: Effect.Effect<TaskCounts>

  /** Counts tasks that begin to be at work, or, below zero, end. */
  readonly countActive: (change: number) => Effect.Effect<void>
}>()("@filedrive/core/waits/Waits") {
  static readonly layerNoDeps = Layer.effect(
    Waits,
    Effect.gen(function*() {
      const repo = yield* WaitsRepo
      const random = yield* SecureRandom.SecureRandom
      const steps = yield* taskStepJob.queue
      const events = yield* Events

      const wakeUp = (accountId: AccountId, taskIds: ReadonlyArray<TaskId>) =>
        taskIds.length === 0 ? Effect.void : steps.enqueueAll(taskIds.map((taskId) => ({ accountId, taskId })))

      /** How many tasks there are to tell of something. */
      const interested = Effect.map(CurrentlyHeld, (held) => held?.mostTasks ?? noTasks)

      const happened = Effect.fn("Waits.happened")(
        function*(accountId: AccountId, happenings: Effect.Effect<ReadonlyArray<Happening>>) {
          const { active, waiting } = yield* interested
          if (active === 0 && waiting === 0) return
          const all = yield* happenings
          if (all.length === 0) return
          yield* wakeUp(accountId, yield* repo.wake(accountId, all, yield* DateTime.now))
        }
      )

      const onArrived: Waits["Service"]["onArrived"] = (accountId, files) =>
        happened(accountId, Effect.sync(() => arrivals(files)))

      const onMoved: Waits["Service"]["onMoved"] = (accountId, fileIds) =>
        happened(accountId, Effect.map(repo.files(accountId, fileIds), (files) => arrivals(files)))

      /** What came with a folder that is moved: the files in it and inside. `id`: of the folder that they came to, or that of the first. */
      const filesMoved = (accountId: AccountId, foldedPath: string, id?: FolderId) =>
        Effect.map(repo.filesInside(accountId, foldedPath, toldFiles), (files): ReadonlyArray<Happening> => {
          const [first] = files
          return first === undefined ? [] : [arrival(id ?? first.folderId, files, first.count)]
        })

      const whileMovingFolder: Waits["Service"]["whileMovingFolder"] = Effect.fn("Waits.whileMovingFolder")(
        function*(accountId, { foldedPath, id }, toFoldedPath, move) {
          const { active, waiting } = yield* interested
          if (active === 0 && waiting === 0) return yield* move
          // Before, because the paths of what is inside may follow later.
          const inside = yield* filesMoved(accountId, foldedPath, id)
          const deeper = waiting === 0 || inside.length === 0 ? [] : yield* Effect.forEach(
            yield* repo.pathsInside(accountId, toFoldedPath),
            (path) => filesMoved(accountId, foldedPath + path.slice(toFoldedPath.length))
          )
          // A task at work may be about to wait for any of the folders inside.
          const folders = active === 0 || inside.length === 0
            ? []
            : yield* repo.foldersInside(accountId, foldedPath, notedFolders, toldFiles)
          const moved = yield* move
          const all = [...inside, ...deeper.flat(), ...arrivals(folders, ([{ count }]) => count)]
          yield* happened(accountId, Effect.succeed(all))
          return moved
        }
      )

      const onChanged: Waits["Service"]["onChanged"] = Effect.fn("Waits.onChanged")(
        function*(accountId, kinds, targetIds) {
          if ((yield* interested).waiting === 0 || targetIds.length === 0) return
          yield* wakeUp(accountId, yield* repo.tasksOn(accountId, kinds, targetIds))
        }
      )

      const onFoldersRemoved: Waits["Service"]["onFoldersRemoved"] = Effect.fn("Waits.onFoldersRemoved")(
        function*(accountId, folderIds) {
          if ((yield* interested).waiting === 0) return
          yield* wakeUp(accountId, yield* repo.endOnFolders(accountId, folderIds))
        }
      )

      const counting = (change: TaskCounts) => Effect.map(CurrentlyHeld, (held) => held!.addTasks(change))

      const end: Waits["Service"]["end"] = Effect.fn("Waits.end")(function*(accountId, taskId) {
        if ((yield* interested).waiting === 0) return
        if (yield* repo.remove(accountId, taskId)) yield* counting({ active: 0, waiting: -1 })
      })

      const begin: Waits["Service"]["begin"] = Effect.fn("Waits.begin")(function*(accountId, wait, after) {
        const id = WaitId.make(yield* random.uuidV7())
        const folded = wait.folderPath === null ? null : FolderPath.folded(wait.folderPath) ?? ""
        yield* repo.insert(accountId, id, wait, folded, yield* DateTime.now)
        yield* counting({ active: 0, waiting: 1 })
        const missed = yield* repo.since(accountId, wait.taskId, after)
        if (missed !== null) yield* repo.setWoken(accountId, wait.taskId, missed)
        return missed
      })

      yield* events.onAppended((accountId, appended) =>
        happened(accountId, Effect.sync(() => appended.flatMap(happeningOf)))
      )

      yield* waitSweepJob.handle(
        Effect.flatMap(DateTime.now, (now) => repo.forget(DateTime.subtractDuration(now, rememberedFor)))
      )

      return Waits.of({
        onArrived,
        onMoved,
        whileMovingFolder,
        onChanged,
        onFoldersRemoved,
        now: repo.lastNo,
        begin,
        find: (accountId, taskId) =>
          Effect.flatMap(
            interested,
            ({ waiting }) => waiting === 0 ? Effect.succeed(null) : repo.find(accountId, taskId)
          ),
        list: repo.list,
        extend: repo.setUntil,
        end,
        counts: Effect.map(CurrentlyHeld, (held) => held?.tasks ?? noTasks),
        countActive: (active) => counting({ active, waiting: 0 })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(WaitsRepo.layer))
}

/** What an event of the feed means to waits. That a file was recorded is told by {@link Waits.onArrived}. */
const happeningOf = (event: NewEvent): ReadonlyArray<Happening> => {
  const kind =
    ({ drop: "request_files", note: "review_note", view: "file_opened", generation: "image", file: null } as const)[
      event.kind as "drop" | "note" | "view" | "generation" | "file"
    ]
  const targetId = event.requestId ?? event.reviewId ?? event.generationId ?? event.fileId
  if (kind === null || targetId === undefined) return []
  return [{ kind, targetId, folderId: event.folderId, event: { kind: event.kind, ...event.payload } }]
}

const arrival = (folderId: FolderId | null, files: ReadonlyArray<ArrivedFile>, fileCount: number): Happening => ({
  kind: "folder_files",
  targetId: null,
  folderId,
  event: {
    kind: "folder_files",
    files: files.slice(0, toldFiles).map(({ fileName, id, type }) => ({ id, type, fileName })),
    fileCount
  }
})

/** One for each folder that files came to. */
const arrivals = <F extends ArrivedFile>(
  files: ReadonlyArray<F>,
  countOf: (group: readonly [F, ...ReadonlyArray<F>]) => number = ({ length }) => length
): ReadonlyArray<Happening> =>
  [...Map.groupBy(files, ({ folderId }) => folderId)].map(([folderId, group]) =>
    arrival(folderId, group, countOf(group as [F, ...Array<F>]))
  )
