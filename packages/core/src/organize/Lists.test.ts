import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Option } from "effect"
import { checkCounts } from "../../test/checkCounts.ts"
import * as Checked from "../../test/Checked.ts"
import { addDerivative, addFile, as, layer, newAccount, unknownFile } from "../../test/FilesTest.ts"
import { CurrentAccount, unlimited } from "../accounts/CurrentAccount.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { Trash } from "../files/Trash.ts"
import type { AccountId, FileId, ListId } from "../shared/Ids.ts"
import { Shares } from "../shares/Shares.ts"
import type { ListKind } from "./List.ts"
import { ListContents } from "./ListContents.ts"
import { Lists } from "./Lists.ts"

const audio = { type: "Audio", mimeType: "audio/mpeg" } as const
const image = { type: "Image", mimeType: "image/png" } as const

/** Shares a file with somebody, or no longer. */
const share = (owner: AccountId, id: FileId, user: AccountId, on: boolean) =>
  Shares.use((shares) => on ? shares.share([id], [user]) : shares.unshare([id], [user])).pipe(as(owner))

const open = Effect.fnUntraced(function*(kind: ListKind, id: ListId, offset = 0) {
  const contents = yield* ListContents
  return yield* contents.page(kind, id, { limit: Checked.listLimit(200), offset }, Option.some(yield* CurrentAccount))
})

const order = (kind: ListKind, id: ListId) => Effect.map(open(kind, id), ({ files }) => files.map(({ id }) => id))

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Lists", (it) => {
  it.effect("ORG-20 ORG-24 a private list takes what its owner sees of its kind; the rest is named", () =>
    Effect.gen(function*() {
      const lists = yield* Lists
      const access = yield* FileAccess
      const trash = yield* Trash
      const [me, other] = [yield* newAccount, yield* newAccount]
      const [a, b, text, trashed, open_, shared, hidden] = yield* Effect.all([
        addFile(me, audio),
        addFile(me, { type: "Video", mimeType: "video/mp4" }),
        addFile(me),
        addFile(me, audio),
        addFile(other, audio),
        addFile(other, audio),
        addFile(other, audio)
      ])
      const cover = yield* addDerivative(me, a)
      yield* trash.put([trashed]).pipe(as(me))
      yield* access.toggle(open_).pipe(as(other))
      yield* share(other, shared, me, true)
      const asked = [b, text, open_, trashed, a, hidden, shared, cover, unknownFile, b]
      const made = yield* lists.create("playlist", { title: Checked.listTitle("Mix"), fileIds: asked }).pipe(as(me))
      assert.deepStrictEqual(made.added, [b, open_, a, shared])
      assert.deepStrictEqual(made.skipped, [text, trashed, hidden, cover, unknownFile])
      assert.deepInclude(made.list, { title: "Mix", isPublic: false, fileCount: 4 })
      const again = yield* lists.add("playlist", made.list.id, [a, hidden]).pipe(as(me))
      assert.deepStrictEqual([again.added, again.skipped], [[], [hidden]])
      assert.deepStrictEqual(yield* order("playlist", made.list.id).pipe(as(me)), [b, open_, a, shared])

      const opened = yield* lists.create("playlist", {
        title: Checked.listTitle("Open"),
        isPublic: true,
        fileIds: asked
      }).pipe(as(me))
      assert.deepStrictEqual(opened.added, [b, a])
      assert.includeMembers([...opened.skipped], [open_, shared])

      yield* share(other, shared, me, false)
      yield* access.toggle(open_).pipe(as(other))
      assert.deepStrictEqual(yield* order("playlist", made.list.id).pipe(as(me)), [b, a])
      yield* share(other, shared, me, true)
      assert.deepStrictEqual(yield* order("playlist", made.list.id).pipe(as(me)), [b, a, shared])
      yield* checkCounts
    }))

  it.effect("ORG-25 going public drops what isn't the owner's own and names it", () =>
    Effect.gen(function*() {
      const lists = yield* Lists
      const access = yield* FileAccess
      const [me, other] = [yield* newAccount, yield* newAccount]
      const [mine, theirs, last] = [yield* addFile(me, image), yield* addFile(other, image), yield* addFile(me, image)]
      yield* access.toggle(theirs).pipe(as(other))
      const ids = [mine, theirs, last]
      const { list } = yield* lists.create("gallery", {
        title: Checked.listTitle("g"),
        fileIds: ids,
        featuredIds: [theirs, last]
      }).pipe(
        as(me)
      )
      assert.deepInclude(list, { fileCount: 3, featuredCount: 2, description: null })
      const opened = yield* lists.setPublic("gallery", list.id, true).pipe(as(me))
      assert.deepStrictEqual(opened.removed, [theirs])
      assert.deepInclude(opened.list, { isPublic: true, fileCount: 2, featuredCount: 1 })
      const closed = yield* lists.setPublic("gallery", list.id, false).pipe(as(me))
      assert.deepStrictEqual([closed.removed, closed.list.isPublic], [[], false])
      assert.deepStrictEqual(yield* order("gallery", list.id).pipe(as(me)), [mine, last])
      yield* checkCounts
    }))

  it.effect("ORG-24 ORG-28 a trashed file comes back to its place; a deleted one leaves the others in order", () =>
    Effect.gen(function*() {
      const lists = yield* Lists
      const trash = yield* Trash
      const me = yield* newAccount
      const ids = yield* Effect.replicateEffect(addFile(me, audio), 5)
      const [a, b, c, d, e] = ids as [FileId, FileId, FileId, FileId, FileId]
      const { list } = yield* lists.create("playlist", { title: Checked.listTitle("p"), fileIds: ids.slice(0, 4) })
        .pipe(as(me))
      yield* trash.put([b]).pipe(as(me))
      assert.deepStrictEqual(yield* order("playlist", list.id).pipe(as(me)), [a, c, d])
      assert.strictEqual((yield* lists.add("playlist", list.id, [e, b]).pipe(as(me))).list.fileCount, 4)
      yield* lists.reorder("playlist", list.id, [d, a, c], null).pipe(as(me))
      yield* trash.restore([b]).pipe(as(me))
      assert.deepStrictEqual(yield* order("playlist", list.id).pipe(as(me)), [d, a, c, b, e])
      yield* trash.delete([a, c]).pipe(as(me))
      const f = yield* addFile(me, audio)
      yield* lists.add("playlist", list.id, [f]).pipe(as(me))
      assert.deepStrictEqual(yield* order("playlist", list.id).pipe(as(me)), [d, b, e, f])
      yield* checkCounts
    }))

  it.effect("ORG-22 ORG-23 named files come first, the rest follows; featured ones as named", () =>
    Effect.gen(function*() {
      const lists = yield* Lists
      const me = yield* newAccount
      const ids = yield* Effect.replicateEffect(addFile(me, image), 5)
      const [a, b, c, d, e] = ids as [FileId, FileId, FileId, FileId, FileId]
      const { list } = yield* lists.create("gallery", {
        title: Checked.listTitle("g"),
        fileIds: [a, b, c, d],
        featuredIds: [a, b, e]
      })
        .pipe(as(me))
      assert.strictEqual(list.featuredCount, 2)
      const added = yield* lists.add("gallery", list.id, [e, a], [e, c]).pipe(as(me))
      assert.deepStrictEqual([added.added, added.list.featuredCount], [[e], 3])
      const moved = yield* lists.reorder("gallery", list.id, [e, unknownFile, c, e], null).pipe(as(me))
      assert.deepStrictEqual([moved.fileCount, moved.featuredCount], [5, 3])
      const page = yield* open("gallery", list.id).pipe(as(me))
      assert.deepStrictEqual(page.files.map(({ id }) => id), [e, c, a, b, d])
      assert.deepStrictEqual(page.featuredIds, [e, a, b])
      yield* lists.reorder("gallery", list.id, [d, a], [d, b]).pipe(as(me))
      const now = yield* open("gallery", list.id).pipe(as(me))
      assert.deepStrictEqual(now.files.map(({ id }) => id), [d, a, e, c, b])
      assert.deepStrictEqual(now.featuredIds, [d, e, b])
      assert.strictEqual(now.featuredCount, 3)
      yield* checkCounts
    }))

  it.effect("ORG-26 a public list is read by anyone, who sees what is public or shared with them", () =>
    Effect.gen(function*() {
      const lists = yield* Lists
      const access = yield* FileAccess
      const contents = yield* ListContents
      const trash = yield* Trash
      const [me, friend, stranger] = [yield* newAccount, yield* newAccount, yield* newAccount]
      const ids = yield* Effect.replicateEffect(addFile(me, image), 4)
      const [shared, open_, hidden, trashed] = ids as [FileId, FileId, FileId, FileId]
      yield* access.toggle(open_).pipe(as(me))
      yield* access.toggle(trashed).pipe(as(me))
      yield* share(me, shared, friend, true)
      yield* trash.put([trashed]).pipe(as(me))
      yield* trash.restore([trashed]).pipe(as(me))
      const { list } = yield* lists.create("gallery", { title: Checked.listTitle("g"), fileIds: ids, featuredIds: ids })
        .pipe(as(me))
      yield* trash.put([trashed]).pipe(as(me))
      const nobody = contents.page("gallery", list.id, {}, Option.none())
      assert.deepInclude(yield* Effect.flip(nobody), { _tag: "NotFound", resource: "gallery" })
      yield* lists.setPublic("gallery", list.id, true).pipe(as(me))
      const anyone = yield* nobody
      assert.deepStrictEqual(anyone.files.map(({ id }) => id), [open_])
      assert.deepInclude(anyone, { fileCount: 1, featuredCount: 1, nextOffset: null })
      assert.deepInclude(anyone.files[0]!, { folder: null, objectKey: null, isPublic: true })
      assert.isNotNull(anyone.files[0]!.downloadUrl)
      assert.deepStrictEqual(yield* order("gallery", list.id).pipe(as(stranger)), [open_])
      assert.deepStrictEqual(yield* order("gallery", list.id).pipe(as(friend)), [shared, open_])
      assert.deepStrictEqual(yield* order("gallery", list.id).pipe(as(me)), [shared, open_, hidden])
      assert.deepInclude(yield* open("playlist", list.id).pipe(as(me), Effect.flip), { _tag: "NotFound" })
      const first = yield* contents.page(
        "gallery",
        list.id,
        { limit: Checked.listLimit(2) },
        Option.some({ id: me, tokenId: null, limits: unlimited })
      )
      assert.deepStrictEqual([first.files.length, first.nextOffset, first.featuredIds], [2, 2, [shared, open_]])
    }))

  it.effect("ORG-27 lists are renamed, described, emptied and deleted by their owner alone", () =>
    Effect.gen(function*() {
      const lists = yield* Lists
      const [me, other] = [yield* newAccount, yield* newAccount]
      const ids = yield* Effect.replicateEffect(addFile(me, image), 3)
      const { list } = yield* lists.create("gallery", {
        title: Checked.listTitle("g"),
        description: Checked.description("two\nlines"),
        fileIds: ids
      }).pipe(
        as(me)
      )
      assert.strictEqual(list.description, "two\nlines")
      assert.strictEqual(
        (yield* lists.rename("gallery", list.id, Checked.listTitle("x".repeat(200))).pipe(as(me))).title.length,
        200
      )
      assert.isNull((yield* lists.describe("gallery", list.id, Checked.description("")).pipe(as(me))).description)
      const less = yield* lists.remove("gallery", list.id, [ids[1]!, unknownFile]).pipe(as(me))
      assert.deepStrictEqual([less.removed, less.list.fileCount], [[ids[1]!], 2])
      for (const title of ["", "x".repeat(201), "a\nb"]) assert.throws(() => Checked.listTitle(title))
      const missing = { _tag: "NotFound", resource: "gallery" } as const
      assert.deepInclude(yield* lists.add("gallery", list.id, ids).pipe(as(other), Effect.flip), missing)
      assert.deepInclude(yield* lists.delete("gallery", list.id).pipe(as(other), Effect.flip), missing)
      assert.deepInclude(yield* lists.delete("playlist", list.id).pipe(as(me), Effect.flip), { resource: "playlist" })
      yield* lists.delete("gallery", list.id).pipe(as(me))
      assert.deepInclude(
        yield* lists.rename("gallery", list.id, Checked.listTitle("t")).pipe(as(me), Effect.flip),
        missing
      )
      yield* checkCounts
    }))
})
