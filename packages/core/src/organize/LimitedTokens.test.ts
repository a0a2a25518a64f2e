/** What a token that is limited to a folder may do with lists and tags that hold nothing. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Exit, Option } from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { addManyFiles } from "../../test/addManyFiles.ts"
import { checkCounts } from "../../test/checkCounts.ts"
import * as Checked from "../../test/Checked.ts"
import { addFile, as, layer, newAccount } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { Archives } from "../archives/Archives.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, FileId, FolderId, ListId, TagId } from "../shared/Ids.ts"
import { Collections } from "./Collections.ts"
import { FolderTree } from "./FolderTree.ts"
import { ListContents } from "./ListContents.ts"
import { Lists } from "./Lists.ts"
import { Tags } from "./Tags.ts"

const image = { type: "Image", mimeType: "image/png" } as const

const notThere = { _tag: "NotFound" } as const
const refused = { _tag: "Refused", code: "token_limit" } as const

/** Everything that is done to a list by its id. */
const allOf = Effect.fnUntraced(function*(me: AccountId, folderId: FolderId, id: ListId) {
  const [archives, contents, lists] = [yield* Archives, yield* ListContents, yield* Lists]
  const reader = Option.some({ id: me, tokenId: null, limits: { permissions: null, folderId } })
  return [
    Effect.asVoid(contents.page("gallery", id, {}, reader)),
    Effect.asVoid(archives.create({ galleryId: id })),
    Effect.asVoid(lists.add("gallery", id, [])),
    Effect.asVoid(lists.reorder("gallery", id, [], null)),
    Effect.asVoid(lists.remove("gallery", id, [])),
    Effect.asVoid(lists.rename("gallery", id, Checked.listTitle("theirs"))),
    Effect.asVoid(lists.describe("gallery", id, Checked.description("theirs"))),
    Effect.asVoid(lists.setPublic("gallery", id, true)),
    Effect.asVoid(lists.delete("gallery", id))
  ]
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Tokens limited to a folder", (it) => {
  it.effect("ORG-54 an empty list of the owner's is not there for a token that is limited to a folder", () =>
    Effect.gen(function*() {
      const [lists, tree] = [yield* Lists, yield* FolderTree]
      const me = yield* newAccount
      const folder = yield* tree.create(Checked.path("/Work")).pipe(as(me))
      const { list } = yield* lists.create("gallery", { title: Checked.listTitle("Nothing yet") }).pipe(as(me))
      const playlist = (yield* lists.create("playlist", { title: Checked.listTitle("Nothing yet") }).pipe(as(me))).list
      const picture = yield* addFile(me, { ...image, folderId: folder.id })
      const limited = as(me, { folderId: folder.id })
      for (const call of yield* allOf(me, folder.id, list.id)) {
        assert.deepInclude(yield* call.pipe(limited, Effect.flip), notThere as never)
      }
      assert.deepInclude(yield* lists.add("gallery", list.id, [picture]).pipe(limited, Effect.flip), notThere)
      assert.deepInclude(yield* lists.setCover(playlist.id, picture).pipe(limited, Effect.flip), notThere)
      assert.strictEqual(
        (yield* lists.rename("gallery", list.id, Checked.listTitle("Mine")).pipe(as(me))).title,
        "Mine"
      )
    }))

  it.effect("ORG-54 a token that is limited to a folder sees, fills and changes the empty lists that such tokens have made there", () =>
    Effect.gen(function*() {
      const [collections, lists, tree] = [yield* Collections, yield* Lists, yield* FolderTree]
      const me = yield* newAccount
      const [top, inner, other] = [
        yield* tree.create(Checked.path("/Work")).pipe(as(me)),
        yield* tree.create(Checked.path("/Work/inner")).pipe(as(me)),
        yield* tree.create(Checked.path("/Other")).pipe(as(me))
      ]
      const picture = yield* addFile(me, { ...image, folderId: inner.id })
      const within = (folder: { readonly id: FolderId }) => as(me, { folderId: folder.id })
      const { list } = yield* lists.create("gallery", { title: Checked.listTitle("Made") }).pipe(within(inner))
      assert.strictEqual(
        (yield* lists.rename("gallery", list.id, Checked.listTitle("Made there")).pipe(within(inner))).title,
        "Made there"
      )
      const galleries = Effect.map(collections.select, (all) => all.galleries.map(({ title }) => title))
      assert.deepStrictEqual(yield* galleries.pipe(within(inner)), ["Made there"])
      assert.deepStrictEqual(yield* galleries.pipe(within(top)), ["Made there"])
      assert.deepStrictEqual(yield* galleries.pipe(within(other)), [])
      assert.deepInclude(yield* lists.delete("gallery", list.id).pipe(within(other), Effect.flip), notThere)
      assert.strictEqual((yield* lists.add("gallery", list.id, [picture]).pipe(within(top))).list.fileCount, 1)
      assert.strictEqual((yield* lists.remove("gallery", list.id, [picture]).pipe(within(inner))).list.fileCount, 0)
      yield* lists.delete("gallery", list.id).pipe(within(inner))
      yield* checkCounts
    }))

  it.effect("ORG-54 a token takes the last file that it sees out of a list, which it then no longer sees", () =>
    Effect.gen(function*() {
      const [lists, tree] = [yield* Lists, yield* FolderTree]
      const me = yield* newAccount
      const folder = yield* tree.create(Checked.path("/Work")).pipe(as(me))
      const limited = as(me, { folderId: folder.id })
      const [inside, outside] = [yield* addFile(me, { ...image, folderId: folder.id }), yield* addFile(me, image)]
      for (const fileIds of [[inside], [inside, outside]]) {
        const { list } = yield* lists.create("gallery", { title: Checked.listTitle("Mine"), fileIds }).pipe(as(me))
        const { list: left, removed } = yield* lists.remove("gallery", list.id, [inside]).pipe(limited)
        assert.deepStrictEqual([removed, left.fileCount], [[inside], 0])
        assert.deepInclude(yield* lists.remove("gallery", list.id, []).pipe(limited, Effect.flip), notThere)
      }
      yield* checkCounts
    }))

  it.effect("ORG-57 a token that is limited to a folder is not told which files outside are in a list", () =>
    Effect.gen(function*() {
      const [lists, tree] = [yield* Lists, yield* FolderTree]
      const me = yield* newAccount
      const folder = yield* tree.create(Checked.path("/Work")).pipe(as(me))
      const inside = yield* addFile(me, { ...image, folderId: folder.id })
      const [listed, other] = [yield* addFile(me, image), yield* addFile(me, image)]
      const { list } = yield* lists.create("gallery", { title: Checked.listTitle("Ours"), fileIds: [inside, listed] })
        .pipe(as(me))
      const { added, skipped } = yield* lists.add("gallery", list.id, [inside, listed, other]).pipe(
        as(me, { folderId: folder.id })
      )
      assert.deepStrictEqual([added, skipped], [[], [listed, other]])
    }))

  it.effect("ORG-61 a tag that nothing carries is not a limited token's to change, unless it has just taken it off", () =>
    Effect.gen(function*() {
      const [tags, tree] = [yield* Tags, yield* FolderTree]
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const folder = yield* tree.create(Checked.path("/Work")).pipe(as(me))
      const limited = as(me, { folderId: folder.id })
      const id = yield* addFile(me)
      const { tags: [unused] } = yield* tags.change([id], Checked.tags(["unused"]), "add").pipe(as(me))
      yield* tags.change([id], Checked.tags(["unused"]), "remove").pipe(as(me))
      assert.deepInclude(yield* tags.rename(unused!.id, Checked.tag("theirs")).pipe(limited, Effect.flip), notThere)
      assert.deepInclude(yield* tags.delete(unused!.id).pipe(limited, Effect.flip), notThere)
      // As many as one transaction takes it off: the next one finds none.
      const many = yield* addManyFiles(me, 100, { folderId: folder.id })
      const { tags: [used] } = yield* tags.change(many, Checked.tags(["used"]), "add").pipe(limited)
      yield* tags.delete(used!.id).pipe(limited)
      const left = yield* sql`SELECT text FROM ${t.tags} WHERE account_id = ${me}`
      assert.deepStrictEqual(left, [{ text: "unused" }])
      yield* checkCounts
    }))

  it.effect("ORG-61 a limited token that renames a tag is not told of tags outside its folder", () =>
    Effect.gen(function*() {
      const [collections, tags, tree] = [yield* Collections, yield* Tags, yield* FolderTree]
      const me = yield* newAccount
      const folder = yield* tree.create(Checked.path("/Work")).pipe(as(me))
      const limited = as(me, { folderId: folder.id })
      const tagged = Effect.fnUntraced(function*(text: string, id: FileId) {
        return (yield* tags.change([id], Checked.tags([text]), "add").pipe(as(me))).tags[0]!
      })
      const [outside, loose] = [yield* addFile(me), yield* addFile(me)]
      const inside = yield* addFile(me, { folderId: folder.id })
      const [secret, unused] = [yield* tagged("Secret", outside), yield* tagged("Unused", loose)]
      yield* tags.change([loose], Checked.tags(["unused"]), "remove").pipe(as(me))
      for (const [from, to] of [["one", secret], ["two", unused]] as const) {
        const { id } = yield* tagged(from, inside)
        const renamed = yield* tags.rename(id, Checked.tag(to.text.toLowerCase())).pipe(limited)
        assert.deepStrictEqual(renamed, { id: to.id, text: to.text, fileCount: 1 })
      }
      const all = Effect.map(collections.select, (all) => all.tags.map(({ fileCount, text }) => [text, fileCount]))
      assert.deepStrictEqual(yield* all.pipe(limited), [["Secret", 1], ["Unused", 1]])
      assert.deepStrictEqual(yield* all.pipe(as(me)), [["Secret", 2], ["Unused", 1]])
      // What it sees is refused as it is to everybody.
      const three = yield* tagged("three", inside)
      assert.deepInclude(yield* tags.rename(three.id, Checked.tag("secret")).pipe(limited, Effect.flip), {
        _tag: "InvalidField",
        field: "text"
      })
      yield* checkCounts
    }))

  it.effect("ORG-61 of many files some at a time get the other tag, and the rest by a job when the call is cut short", () =>
    Effect.gen(function*() {
      const [jobs, tags, tree] = [yield* ManualJobs, yield* Tags, yield* FolderTree]
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const folder = yield* tree.create(Checked.path("/Work")).pipe(as(me))
      const limited = as(me, { folderId: folder.id })
      const { tags: [secret] } = yield* tags.change([yield* addFile(me)], Checked.tags(["Secret"]), "add").pipe(as(me))
      const many = yield* addManyFiles(me, 400, { folderId: folder.id })
      const { tags: [mine] } = yield* tags.change(many, Checked.tags(["mine"]), "add").pipe(limited)
      let batches = 0
      const cut = Effect.provideService(Statement.CurrentTransformer, (statement) =>
        Effect.sync(() => {
          if (/DELETE FROM \S*file_tags/.test(statement.compile()[0]) && ++batches === 2) throw new Error("killed")
          return statement
        }))
      const exit = yield* tags.rename(mine!.id, Checked.tag("secret")).pipe(limited, cut, Effect.exit)
      assert.isTrue(Exit.isFailure(exit))
      const countOf = (id: TagId) =>
        Effect.map(
          sql<{ n: number }>`SELECT count(*)::int AS n FROM ${t.file_tags} WHERE tag_id = ${id}`,
          ([row]) => row!.n
        )
      assert.isAtLeast(yield* countOf(mine!.id), 1)
      assert.isAtLeast(yield* countOf(secret!.id), 2)
      yield* checkCounts
      yield* TestClock.adjust("5 minutes")
      yield* jobs.runDue
      assert.strictEqual(yield* countOf(mine!.id), 0)
      assert.strictEqual(yield* countOf(secret!.id), 401)
      const left = yield* sql`SELECT text FROM ${t.tags} WHERE account_id = ${me}`
      assert.deepStrictEqual(left, [{ text: "Secret" }])
      yield* checkCounts
    }))

  it.effect("ORG-61 a tag that no file of its folder has is not there for a limited token that knows its id", () =>
    Effect.gen(function*() {
      const [collections, tags, tree] = [yield* Collections, yield* Tags, yield* FolderTree]
      const me = yield* newAccount
      const folder = yield* tree.create(Checked.path("/Work")).pipe(as(me))
      const limited = as(me, { folderId: folder.id })
      const [inside, outside] = [yield* addFile(me, { folderId: folder.id }), yield* addFile(me)]
      const { tags: [secret, unused] } = yield* tags.change([outside], Checked.tags(["secret", "unused"]), "add").pipe(
        as(me)
      )
      yield* tags.changeOne([outside], unused!.id, "remove").pipe(as(me))
      for (const { id } of [secret!, unused!]) {
        for (
          const call of [
            tags.changeOne([inside], id, "add"),
            tags.changeOne([inside], id, "remove"),
            Effect.asVoid(tags.rename(id, Checked.tag("theirs"))),
            tags.delete(id)
          ]
        ) assert.deepInclude(yield* call.pipe(limited, Effect.flip), notThere)
      }
      assert.deepStrictEqual((yield* collections.select.pipe(limited)).tags, [])
      // One that is on a file inside too is there, and not the token's to change as a whole.
      yield* tags.changeOne([inside], secret!.id, "add").pipe(as(me))
      assert.deepInclude(yield* tags.delete(secret!.id).pipe(limited, Effect.flip), refused)
      yield* tags.changeOne([inside], secret!.id, "remove").pipe(limited)
      assert.deepInclude(yield* tags.delete(secret!.id).pipe(limited, Effect.flip), notThere)
      yield* checkCounts
    }))

  it.effect("ORG-61 a limited token that takes tags off its files is told of those alone that were there", () =>
    Effect.gen(function*() {
      const [tags, tree] = [yield* Tags, yield* FolderTree]
      const me = yield* newAccount
      const folder = yield* tree.create(Checked.path("/Work")).pipe(as(me))
      const [inside, outside] = [yield* addFile(me, { folderId: folder.id }), yield* addFile(me)]
      yield* tags.change([outside], Checked.tags(["secret"]), "add").pipe(as(me))
      yield* tags.change([inside, outside], Checked.tags(["shared"]), "add").pipe(as(me))
      const off = tags.change([inside], Checked.tags(["secret", "shared"]), "remove")
      assert.deepStrictEqual((yield* off.pipe(as(me, { folderId: folder.id }))).tags.map(({ text }) => text), [
        "shared"
      ])
      assert.deepStrictEqual((yield* off.pipe(as(me))).tags.map(({ text }) => text), ["secret", "shared"])
    }))
})
