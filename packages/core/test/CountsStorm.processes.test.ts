/** Everything that organizes and changes files, by several accounts at once, in each other's lists: then all counts are checked. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Array as Arr, Cause, Effect, Exit, Random } from "effect"
import { CurrentAccount } from "../src/accounts/CurrentAccount.ts"
import { FileAccess } from "../src/files/FileAccess.ts"
import { FileDetails } from "../src/files/FileDetails.ts"
import { Trash } from "../src/files/Trash.ts"
import { FolderMoves } from "../src/organize/FolderMoves.ts"
import { FolderTree } from "../src/organize/FolderTree.ts"
import { Lists } from "../src/organize/Lists.ts"
import { Tags } from "../src/organize/Tags.ts"
import type { AccountId, FileId, FolderId, ListId, TagId } from "../src/shared/Ids.ts"
import { Shares } from "../src/shares/Shares.ts"
import { checkCounts } from "./checkCounts.ts"
import * as Checked from "./Checked.ts"
import { checkSearch } from "./checkSearch.ts"
import { checkSearchCaches } from "./checkSearchCaches.ts"
import { addFile, as, asTimePasses, layer, newAccount } from "./FilesTest.ts"
import { ManualJobs } from "./ManualJobs.ts"

const accountCount = 4
const rounds = 1_200
const fibers = 24

/** Operations one after the other, each with a look at what is remembered of all accounts. */
const steps = 40

/** Operations are on the newest files: so few that everybody meets everybody. */
const poolSize = 30

const types = ["Audio", "Audio", "Image", "Text"] as const

/** Shares those of the files that are the owner's with somebody, or no longer. */
const share = (owner: AccountId, ids: ReadonlyArray<FileId>, user: AccountId, on: boolean) =>
  Shares.use((shares) => on ? Effect.asVoid(shares.share(ids, [user])) : Effect.asVoid(shares.unshare(ids, [user])))
    .pipe(
      Effect.ignore,
      as(owner)
    )

const pick = <A>(from: ReadonlyArray<A>) =>
  Effect.map(Random.nextIntBetween(0, from.length - 1), (index) => from[index]!)

const some = Effect.fnUntraced(function*<A>(from: ReadonlyArray<A>) {
  const count = yield* Random.nextIntBetween(1, 8)
  return yield* Effect.replicateEffect(pick(from), count)
})

const words = ["Rock", "ROCK", "jazz", "Jazz ", "blues", "Soul", "soul", "Folk"]
const paths = ["/A", "/a/B", "/A/b/C", "/D", "/D/e", "/A/B/c/D/E", "/f", "/F/G/h"]

interface Owned<Id> {
  readonly by: AccountId
  readonly id: Id
}

/** What there is to work with; operations add to it. */
interface World {
  readonly accounts: ReadonlyArray<AccountId>
  readonly files: Array<FileId>
  readonly folders: Array<Owned<FolderId>>
  readonly tags: Array<Owned<TagId>>
  readonly playlists: Array<Owned<ListId>>
  readonly galleries: Array<Owned<ListId>>
}

/** One operation of a random kind, on anybody's files and mostly on the caller's own folders, tags and lists. */
const anything = Effect.fnUntraced(function*(world: World) {
  const access = yield* FileAccess
  const details = yield* FileDetails
  const trash = yield* Trash
  const lists = yield* Lists
  const moves = yield* FolderMoves
  const tags = yield* Tags
  const tree = yield* FolderTree
  const me = (yield* CurrentAccount).id
  const ids = yield* some(world.files.slice(-poolSize))
  const own = <Id>(from: ReadonlyArray<Owned<Id>>) => {
    const mine = from.filter(({ by }) => by === me)
    return Effect.map(pick(mine.length === 0 ? from : mine), ({ id }) => id)
  }
  const folder = yield* own(world.folders)
  const tag = yield* own(world.tags)
  const path = yield* pick(paths)
  const word = yield* pick(words)
  const kind = yield* pick(["playlist", "gallery"] as const)
  const known = kind === "playlist" ? world.playlists : world.galleries
  const list = yield* own(known)
  const isPublic = yield* Random.nextBoolean
  const type = yield* pick(types)
  const keep = <Id>(into: Array<Owned<Id>>, id: Id | undefined) =>
    Effect.sync(() => id !== undefined && into.push({ by: me, id }))
  const record = Effect.gen(function*() {
    const id = yield* addFile(me, { type })
    yield* Effect.forEach(world.accounts, (user) => user === me ? Effect.void : share(me, [id], user, true))
    world.files.push(id)
  })

  const operations = [
    record,
    record,
    trash.put(ids).pipe(as(me)),
    trash.put(ids).pipe(as(me)),
    trash.restore(ids).pipe(as(me)),
    trash.restore(ids).pipe(as(me)),
    trash.delete(ids.slice(0, 1)).pipe(as(me)),
    isPublic ? trash.empty.pipe(as(me)) : Effect.void,
    Effect.forEach(ids.slice(0, 2), (id) => Effect.ignore(access.toggle(id).pipe(as(me)))),
    details.rename(ids[0]!, Checked.fileName(`${word}.txt`)).pipe(as(me)),
    details.describe(ids[0]!, Checked.description(word)).pipe(as(me)),
    moves.files(ids, { path: Checked.path(path), field: "folder" }).pipe(
      as(me),
      Effect.flatMap((moved) => keep(world.folders, moved.folder?.id))
    ),
    moves.files(ids, { id: folder }).pipe(as(me)),
    moves.files(ids, { id: null }).pipe(as(me)),
    moves.fromFolder(folder, { path: Checked.path(path), field: "folder" }).pipe(as(me)),
    tree.create(Checked.path(path)).pipe(as(me), Effect.flatMap(({ id }) => keep(world.folders, id))),
    tree.rename(folder, Checked.folderName(word.trim())).pipe(as(me)),
    tree.move(folder, { path: Checked.path(path), field: "folder" }, "folder").pipe(as(me)),
    tree.move(folder, { id: null }, "parentId").pipe(as(me)),
    tree.delete(folder, isPublic ? "parent" : "trash").pipe(as(me)),
    tags.change(ids, Checked.tags([word, "always"]), isPublic ? "add" : "remove").pipe(
      as(me),
      Effect.flatMap((changed) => keep(world.tags, changed.tags[0]?.id))
    ),
    tags.change(ids, Checked.tags([word]), "add").pipe(
      as(me),
      Effect.flatMap((changed) => keep(world.tags, changed.tags[0]?.id))
    ),
    tags.changeOne(ids, tag, isPublic ? "add" : "remove").pipe(as(me)),
    tags.rename(tag, Checked.tag(word)).pipe(as(me)),
    isPublic ? tags.delete(tag).pipe(as(me)) : Effect.void,
    lists.create(kind, { title: Checked.listTitle(word), isPublic, fileIds: ids, featuredIds: ids.slice(1) }).pipe(
      as(me),
      Effect.flatMap((made) => keep(known, made.list.id))
    ),
    lists.add(kind, list, ids, ids.slice(1)).pipe(as(me)),
    lists.add(kind, list, ids, []).pipe(as(me)),
    lists.add(kind, list, ids.toReversed()).pipe(as(me)),
    lists.reorder(kind, list, ids, isPublic ? ids.slice(1) : null).pipe(as(me)),
    lists.remove(kind, list, ids.slice(1)).pipe(as(me)),
    lists.setPublic(kind, list, isPublic).pipe(as(me)),
    isPublic ? lists.delete(kind, list).pipe(as(me)) : Effect.void
  ] as const
  const chosen: Effect.Effect<unknown, unknown, Effect.Services<typeof record>> = yield* pick<
    typeof operations[number]
  >(operations)
  return yield* chosen
})

testLayer(layer(TestDatabase.layerPostgres), { timeout: "240 seconds" })("Counts in a storm", (it) => {
  it.effect(
    "ORG-1 ORG-2 USE-5 SRCH-28 after any mix of operations by several accounts at once counts and search are right, and none deadlocked",
    () =>
      Effect.gen(function*() {
        const accounts = yield* Effect.replicateEffect(newAccount, accountCount)
        const world: World = { accounts, files: [], folders: [], tags: [], playlists: [], galleries: [] }
        for (const me of accounts) {
          for (let n = 0; n < 12; n++) world.files.push(yield* addFile(me, { type: types[n % types.length]! }))
          const { folder } = yield* (yield* FolderMoves).files(world.files.slice(-3), {
            path: Checked.path("/A/B"),
            field: "folder"
          })
            .pipe(as(me))
          world.folders.push({ by: me, id: folder!.id })
          const lists = yield* Lists
          const playlist = yield* lists.create("playlist", { title: Checked.listTitle("p") }).pipe(as(me))
          world.playlists.push({ by: me, id: playlist.list.id })
          const gallery = yield* lists.create("gallery", { title: Checked.listTitle("g") }).pipe(as(me))
          world.galleries.push({ by: me, id: gallery.list.id })
          const changed = yield* (yield* Tags).change(world.files.slice(-2), Checked.tags(["first"]), "add").pipe(
            as(me)
          )
          world.tags.push({ by: me, id: changed.tags[0]!.id })
        }
        for (const user of accounts) {
          yield* Effect.forEach(
            accounts,
            (owner) => owner === user ? Effect.void : share(owner, world.files, user, true)
          )
        }
        const turn = Effect.gen(function*() {
          const me = yield* pick(accounts)
          const ids = yield* some(world.files.slice(-poolSize))
          const isOn = yield* Random.nextBoolean
          const shares = (yield* Random.nextIntBetween(0, 6)) === 0
          return yield* shares
            ? share(me, ids, yield* pick(accounts), isOn)
            : anything(world).pipe(as(me))
        })
        const exits = yield* asTimePasses(
          Effect.all(Arr.makeBy(rounds, () => Effect.exit(turn)), { concurrency: fibers })
        )
        const defects = exits.flatMap((exit) =>
          Exit.isFailure(exit) && Cause.hasDies(exit.cause) ? [Cause.pretty(exit.cause)] : []
        )
        assert.deepStrictEqual(defects, [])
        assert.isAbove(exits.filter(Exit.isSuccess).length, rounds / 2)
        yield* checkCounts
        // What many files at once left for later.
        yield* (yield* ManualJobs).runDue
        yield* Effect.forEach(accounts, checkSearch)
        const queries: ReadonlyArray<Checked.Search> = [{ limit: 200 }, { folder: "/A" }, { tags: ["rock"] }]
        for (let step = 0; step < steps; step++) {
          yield* Effect.exit(turn)
          yield* Effect.forEach(accounts, (me) => checkSearchCaches(me, queries, `step ${step}`))
        }
      }),
    120_000
  )
})
