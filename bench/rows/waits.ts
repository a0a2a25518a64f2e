/** How long one account's long operations keep a small call of another waiting, on the embedded database. */
import {
  AccountsAdmin,
  Archives,
  ArchiveTitle,
  BulkImport,
  Collections,
  Database,
  FolderMoves,
  FolderPath,
  FolderTree,
  Ids,
  JobsWorker,
  Library,
  Lists,
  ListTitle,
  Tags,
  TagText,
  Trash
} from "@filedrive/core"
import { Effect, Stream } from "effect"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { withDirectory } from "../DriveCaller.ts"
import { AnyBytes, seededBytes } from "../library/AnyBytes.ts"
import { as, onPglite } from "../library/LibraryDrive.ts"
import { library } from "../library/Shape.ts"
import { waitedForFiles } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

const mark = TagText.make("a tag of many")

const busyId = "019845e1-682f-7b02-a708-000000000001"
const quietId = "019845e1-682f-7b02-a708-000000000002"
const longestMillis = 250

/** Folders in each of two levels of a folder. */
const manyIn = 176

/** Makes them, which would take minutes by path. */
const manyFolders = Effect.gen(function*() {
  const { id } = yield* Effect.flatMap(FolderTree, ({ create }) => create(FolderPath.Path.make("/Many"))).pipe(
    as(busyId)
  )
  const { sql, tables: t } = yield* Database
  for (const depth of [1, 2]) {
    yield* sql`
      INSERT INTO ${t.folders} (id, account_id, parent_id, name, folded_name, path, folded_path, depth, insert_time)
      SELECT gen_random_uuid(), d.account_id, d.id, 'Inner ' || n, 'inner ' || n, d.path || '/Inner ' || n,
        d.folded_path || '/inner ' || n, d.depth + 1, d.insert_time
      FROM ${t.folders} d CROSS JOIN generate_series(1, ${manyIn}::int) n
      WHERE d.depth = ${depth}::int AND (d.id = ${id} OR d.parent_id = ${id})
    `
  }
  return Ids.FolderId.make(id)
})

/** One call after the other, each with 500 of the ids. */
const inCalls = <E, R>(
  ids: ReadonlyArray<Ids.FileId>,
  call: (some: ReadonlyArray<Ids.FileId>) => Effect.Effect<unknown, E, R>
) =>
  Effect.forEach(
    Array.from({ length: Math.ceil(ids.length / 500) }, (_, at) => ids.slice(at * 500, (at + 1) * 500)),
    call,
    { discard: true }
  )

export const waits = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory(async (directory) => {
    const drive = onPglite(join(directory, "database"))
    const outcomes: Array<Outcome> = []
    try {
      await drive.runPromise(Effect.gen(function*() {
        const admin = yield* AccountsAdmin
        for (const id of [busyId, quietId]) yield* admin.create({ id: Ids.AccountId.make(id), plan: "pro" })
      }))
      const small = () => drive.runPromise(Effect.flatMap(Library, (library) => library.usage).pipe(as(quietId)))

      /** Runs the operation as the busy account, and small calls of the other beside it. */
      const beside = async <A, E>(
        what: string,
        operation: Parameters<typeof drive.runPromise<A, E>>[0]
      ): Promise<A> => {
        const ended = Promise.resolve(drive.runPromise(operation))
        const over = ended.then(() => true, () => true)
        const started = performance.now()
        let longest = 0
        let calls = 0
        while (!(await Promise.race([over, setTimeout(2, false)]))) {
          const before = performance.now()
          await small()
          longest = Math.max(longest, performance.now() - before)
          calls++
        }
        outcomes.push({
          what: `longest wait beside: ${what}`,
          own: `${((performance.now() - started) / 1_000).toFixed(1)} s, ${calls} calls beside it`,
          against: "",
          result: `${longest.toFixed(0)} ms`,
          target: `under ${longestMillis} ms`,
          met: longest < longestMillis
        })
        return ended
      }

      const count = waitedForFiles.toLocaleString("en")
      const files = library(busyId, { files: waitedForFiles, folders: 20, tags: 20 }, 3)
      await beside(
        `bulk import of ${count} files`,
        Effect.flatMap(BulkImport, (bulk) =>
          bulk.run(Stream.map(Stream.fromIterable(files), (file) => ({ ...file, fileSize: seededBytes })), {
            verify: false
          }))
          .pipe(as(busyId))
      )
      const settle = (what = "jobs, the search's segments") =>
        beside(
          what,
          Effect.flatMap(JobsWorker, ({ runDue }) =>
            runDue)
        )
      await settle()
      // Their ids alone are kept: with all the records in memory it would be the benchmark's own garbage that is waited for.
      const ids: Array<Ids.FileId> = []
      await beside(
        "listing all files",
        Effect.flatMap(Library, (library) =>
          library.list("files")).pipe(
            Effect.flatMap(Stream.runForEach((files) =>
              Effect.sync(() => {
                for (const { id } of files) ids.push(Ids.FileId.make(id))
              })
            )),
            as(busyId)
          )
      )
      const into = async (path: string) =>
        Ids.FolderId.make(
          (await drive.runPromise(
            Effect.flatMap(FolderTree, (tree) => tree.create(FolderPath.Path.make(path))).pipe(as(busyId))
          )).id
        )
      const { tags: [tag] } = await beside(
        "a tag on 500 files",
        Effect.flatMap(Tags, (tags) => tags.change(ids.slice(0, 500), [mark], "add")).pipe(as(busyId))
      )
      const marked = ids.slice(500, 50_000)
      await beside(
        `the same on ${marked.length.toLocaleString("en")} more, 500 a call`,
        inCalls(marked, (some) => Effect.flatMap(Tags, (tags) => tags.change(some, [mark], "add"))).pipe(
          as(busyId)
        )
      )
      await settle()
      await beside(
        "taking it off 500 of them",
        Effect.flatMap(Tags, (tags) => tags.change(ids.slice(0, 500), [mark], "remove")).pipe(as(busyId))
      )
      await beside(
        "renaming it",
        Effect.flatMap(Tags, (tags) => tags.rename(tag!.id, TagText.make("another text"))).pipe(as(busyId))
      )
      await beside("deleting it", Effect.flatMap(Tags, (tags) => tags.delete(tag!.id)).pipe(as(busyId)))
      await settle()
      const inOne = await into("/One")
      await beside(
        `moving ${count} files to a folder, 500 a call`,
        inCalls(ids, (some) => Effect.flatMap(FolderMoves, (moves) => moves.files(some, { id: inOne }))).pipe(
          as(busyId)
        )
      )
      const inOther = await into("/Other")
      await beside(
        `moving a folder's ${count} files`,
        Effect.flatMap(FolderMoves, (moves) => moves.fromFolder(inOne, { id: inOther })).pipe(as(busyId))
      )
      await settle()
      await beside(
        `renaming a folder of ${count} files`,
        Effect.flatMap(FolderTree, (tree) => tree.rename(inOther, FolderPath.FolderName.make("Renamed"))).pipe(
          as(busyId)
        )
      )
      const tracks = ids.slice(0, 10_000)
      const list = await beside(
        "a playlist of 10,000 files, 500 a call",
        Effect.gen(function*() {
          const lists = yield* Lists
          const { list: { id } } = yield* lists.create("playlist", { title: ListTitle.make("Long") })
          yield* inCalls(tracks, (some) => lists.add("playlist", id, some))
          return id
        }).pipe(as(busyId))
      )
      await beside(
        "reordering it",
        Effect.flatMap(Lists, (lists) => lists.reorder("playlist", list, tracks.slice(-500).toReversed(), null)).pipe(
          as(busyId)
        )
      )
      await beside(
        "deleting it",
        Effect.flatMap(Lists, (lists) => lists.delete("playlist", list)).pipe(as(busyId))
      )
      const packed = ids.slice(0, 70_000)
      const packedCount = packed.length.toLocaleString("en")
      const archive = (title: string) =>
        beside(
          `asking for an archive of ${packedCount} files`,
          Effect.flatMap(Archives, (archives) => archives.create({ fileIds: packed, title: ArchiveTitle.make(title) }))
            .pipe(as(busyId))
        )
      const { id: whole } = await archive("Whole")
      await settle("building it")
      await beside("deleting it", Effect.flatMap(Archives, (archives) => archives.delete(whole)).pipe(as(busyId)))
      await archive("Lost")
      await drive.runPromise(Effect.flatMap(AnyBytes, ({ lose }) => lose))
      await settle("building it while storage has lost the files")
      await beside("all collections", Effect.flatMap(Collections, ({ select }) => select).pipe(as(busyId)))
      await beside(
        `deleting a folder of ${count} files into trash`,
        Effect.flatMap(FolderTree, (tree) => tree.delete(inOther, "trash")).pipe(as(busyId))
      )
      await beside(
        `emptying trash of ${count} files`,
        Effect.flatMap(Trash, (trash) => trash.empty).pipe(as(busyId))
      )
      await settle()
      const tree = await drive.runPromise(manyFolders)
      const folders = (1 + manyIn + manyIn * manyIn).toLocaleString("en")
      await beside(
        `all collections, ten calls at once, ${folders} folders`,
        Effect.flatMap(Collections, ({ select }) =>
          Effect.all(Array.from({ length: 10 }, () => Effect.asVoid(select)), {
            concurrency: "unbounded"
          })).pipe(as(busyId))
      )
      await beside(
        `renaming a folder of ${folders} folders`,
        Effect.flatMap(FolderTree, ({ rename }) => rename(tree, FolderPath.FolderName.make("Many others"))).pipe(
          as(busyId)
        )
      )
      await beside(
        "deleting it",
        Effect.flatMap(FolderTree, (folders) => folders.delete(tree, "parent")).pipe(as(busyId))
      )
      await settle()
      return outcomes
    } finally {
      await drive.dispose()
    }
  })
