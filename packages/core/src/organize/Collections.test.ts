import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { addFile, as, layer, newAccount } from "../../test/FilesTest.ts"
import type { Permission } from "../accounts/CurrentAccount.ts"
import { Downloads } from "../files/Downloads.ts"
import { FileDetails } from "../files/FileDetails.ts"
import { Trash } from "../files/Trash.ts"
import { Library } from "../library/Library.ts"
import { Collections } from "./Collections.ts"
import { FolderMoves } from "./FolderMoves.ts"
import { FolderTree } from "./FolderTree.ts"
import { ListContents } from "./ListContents.ts"
import { Lists } from "./Lists.ts"
import { Tags } from "./Tags.ts"

const audio = { type: "Audio", mimeType: "audio/mpeg" } as const

const withoutId = (list: object) => Object.fromEntries(Object.entries(list).filter(([name]) => name !== "id"))

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Collections", (it) => {
  it.effect("ORG-30 folders by path, tags by text, lists newest first", () =>
    Effect.gen(function*() {
      const collections = yield* Collections
      const lists = yield* Lists
      const tags = yield* Tags
      const tree = yield* FolderTree
      const me = yield* newAccount
      const id = yield* addFile(me, audio)
      for (const path of ["/b/z", "/B/a", "/ä", "/C"]) yield* tree.create(Checked.path(path)).pipe(as(me))
      yield* tags.change([id], Checked.tags(["zebra", "Apple", "beta"]), "add").pipe(as(me))
      for (const title of ["first", "second"]) {
        yield* lists.create("playlist", { title: Checked.listTitle(title), fileIds: [id] }).pipe(as(me))
        yield* lists.create("gallery", {
          title: Checked.listTitle(title),
          description: Checked.description("d"),
          isPublic: true
        }).pipe(as(me))
        yield* TestClock.adjust("1 second")
      }
      const all = yield* collections.select.pipe(as(me))
      assert.deepStrictEqual(all.folders.map(({ path }) => path), ["/b", "/b/a", "/b/z", "/C", "/ä"])
      assert.deepStrictEqual(all.tags.map(({ fileCount, text }) => [text, fileCount]), [["Apple", 1], ["beta", 1], [
        "zebra",
        1
      ]])
      assert.deepStrictEqual(all.playlists.map(withoutId), [
        { title: "second", isPublic: false, fileCount: 1, coverId: null, coverUrl: null },
        { title: "first", isPublic: false, fileCount: 1, coverId: null, coverUrl: null }
      ])
      assert.deepStrictEqual(all.galleries.map(withoutId), [
        { title: "second", description: "d", isPublic: true, fileCount: 0, featuredCount: 0 },
        { title: "first", description: "d", isPublic: true, fileCount: 0, featuredCount: 0 }
      ])
    }))

  it.effect("ORG-31 a token that is limited to a folder sees, counts and touches what is in it", () =>
    Effect.gen(function*() {
      const collections = yield* Collections
      const contents = yield* ListContents
      const lists = yield* Lists
      const moves = yield* FolderMoves
      const tags = yield* Tags
      const tree = yield* FolderTree
      const me = yield* newAccount
      const ids = yield* Effect.replicateEffect(addFile(me, audio), 3)
      const [inside, deeper, outside] = ids as [typeof ids[0] & string, typeof ids[0] & string, typeof ids[0] & string]
      const top = yield* tree.create(Checked.path("/Work")).pipe(as(me))
      const inner = yield* tree.create(Checked.path("/Work/inner")).pipe(as(me))
      const workshop = yield* tree.create(Checked.path("/Workshop")).pipe(as(me))
      yield* moves.files([inside], { id: top.id }).pipe(as(me))
      yield* moves.files([deeper], { id: inner.id }).pipe(as(me))
      const { tags: [both] } = yield* tags.change(ids, Checked.tags(["both"]), "add").pipe(as(me))
      const { tags: [other] } = yield* tags.change([outside], Checked.tags(["other"]), "add").pipe(as(me))
      const mixed =
        (yield* lists.create("playlist", { title: Checked.listTitle("mixed"), fileIds: [outside, inside, deeper] })
          .pipe(as(me))).list
      const foreign =
        (yield* lists.create("playlist", { title: Checked.listTitle("foreign"), fileIds: [outside] }).pipe(as(me))).list
      const limits = { permissions: null, folderId: top.id }
      const limited = as(me, limits)

      const seen = yield* collections.select.pipe(limited)
      assert.deepStrictEqual(seen.folders, [
        { id: top.id, path: "/Work", fileCount: 1 },
        { id: inner.id, path: "/Work/inner", fileCount: 1 }
      ])
      assert.deepStrictEqual(seen.tags, [{ id: both!.id, text: "both", fileCount: 2 }])
      assert.deepStrictEqual(seen.playlists.map(({ fileCount, title }) => [title, fileCount]), [["mixed", 2]])
      const reader = Option.some({ id: me, tokenId: null, limits })
      const page = yield* contents.page("playlist", mixed.id, {}, reader)
      assert.deepStrictEqual([page.files.map(({ id }) => id), page.fileCount], [[inside, deeper], 2])
      assert.deepInclude(yield* Effect.flip(contents.page("playlist", foreign.id, {}, reader)), { _tag: "NotFound" })

      const refused = { _tag: "Refused", code: "token_limit" } as const
      const notThere = { _tag: "NotFound" } as const
      assert.deepInclude(yield* moves.files([outside], { id: top.id }).pipe(limited, Effect.flip), notThere)
      assert.deepInclude(yield* moves.files([inside], { id: workshop.id }).pipe(limited, Effect.flip), notThere)
      assert.deepInclude(yield* moves.files([inside], { id: null }).pipe(limited, Effect.flip), refused)
      assert.deepInclude(
        yield* moves.files([inside], { path: Checked.path("/Workshop/x"), field: "folder" }).pipe(limited, Effect.flip),
        refused
      )
      assert.deepInclude(yield* moves.fromFolder(workshop.id, { id: top.id }).pipe(limited, Effect.flip), notThere)
      assert.strictEqual(
        (yield* moves.files([inside, outside], { path: Checked.path("/work/INNER/new"), field: "folder" }).pipe(
          limited
        )).moved
          .length,
        1
      )
      assert.deepInclude(yield* tree.create(Checked.path("/elsewhere")).pipe(limited, Effect.flip), refused)
      assert.deepInclude(yield* tree.rename(top.id, Checked.folderName("Mine")).pipe(limited, Effect.flip), refused)
      assert.deepInclude(yield* tree.delete(workshop.id, "parent").pipe(limited, Effect.flip), notThere)
      assert.strictEqual((yield* tree.rename(inner.id, Checked.folderName("core")).pipe(limited)).path, "/Work/core")

      assert.deepInclude(yield* tags.change([outside], Checked.tags(["x"]), "add").pipe(limited, Effect.flip), notThere)
      assert.deepInclude(yield* tags.rename(both!.id, Checked.tag("ours")).pipe(limited, Effect.flip), refused)
      assert.deepInclude(yield* tags.delete(other!.id).pipe(limited, Effect.flip), notThere)
      assert.deepStrictEqual((yield* tags.change(ids, Checked.tags(["BOTH"]), "remove").pipe(limited)).updated, [
        inside,
        deeper
      ])

      assert.deepInclude(
        yield* lists.rename("playlist", mixed.id, Checked.listTitle("t")).pipe(limited, Effect.flip),
        refused
      )
      assert.deepInclude(yield* lists.setPublic("playlist", mixed.id, true).pipe(limited, Effect.flip), refused)
      assert.deepInclude(yield* lists.delete("playlist", mixed.id).pipe(limited, Effect.flip), refused)
      assert.deepInclude(yield* lists.add("playlist", foreign.id, [inside]).pipe(limited, Effect.flip), notThere)
      assert.deepStrictEqual((yield* lists.remove("playlist", mixed.id, [outside, deeper]).pipe(limited)).removed, [
        deeper
      ])
      const added = yield* lists.add("playlist", mixed.id, [outside, deeper]).pipe(limited)
      // It is not told that one of them is in the list.
      assert.deepStrictEqual([added.added, added.skipped, added.list.fileCount], [[deeper], [outside], 2])
      yield* lists.reorder("playlist", mixed.id, [outside, deeper], null).pipe(limited)
      const now = yield* contents.page(
        "playlist",
        mixed.id,
        {},
        Option.some({ id: me, tokenId: null, limits: { permissions: null, folderId: null } })
      )
      assert.deepStrictEqual(now.files.map(({ id }) => id), [deeper, outside, inside])
      const own = yield* lists.create("playlist", { title: Checked.listTitle("own"), fileIds: [outside, inside] }).pipe(
        limited
      )
      assert.deepStrictEqual([own.added, own.skipped], [[inside], [outside]])
      assert.strictEqual(
        (yield* lists.rename("playlist", own.list.id, Checked.listTitle("t")).pipe(limited)).title,
        "t"
      )
    }))

  it.effect("ORG-32 each call takes its permission", () =>
    Effect.gen(function*() {
      const collections = yield* Collections
      const lists = yield* Lists
      const moves = yield* FolderMoves
      const tags = yield* Tags
      const tree = yield* FolderTree
      const me = yield* newAccount
      const id = yield* addFile(me, audio)
      const folder = yield* tree.create(Checked.path("/a")).pipe(as(me))
      const { list } = yield* lists.create("playlist", { title: Checked.listTitle("p") }).pipe(as(me))
      const refusedWithout = (permission: Permission) =>
        Effect.fnUntraced(function*<A, E, R>(call: Effect.Effect<A, E, R>) {
          const all = ["read", "add", "organize", "share", "delete"] as const
          const refused = yield* call.pipe(
            as(me, { permissions: all.filter((one) => one !== permission) }),
            Effect.flip
          )
          assert.deepInclude(refused, { _tag: "Refused", code: "token_limit" } as never)
        })
      yield* refusedWithout("read")(collections.select)
      for (
        const call of [
          Effect.asVoid(tags.change([id], Checked.tags(["x"]), "add")),
          Effect.asVoid(moves.files([id], { id: null })),
          Effect.asVoid(tree.create(Checked.path("/b"))),
          Effect.asVoid(tree.rename(folder.id, Checked.folderName("b"))),
          Effect.asVoid(tree.move(folder.id, { id: null }, "parentId")),
          Effect.asVoid(tree.delete(folder.id, "parent")),
          Effect.asVoid(lists.create("playlist", { title: Checked.listTitle("t") })),
          Effect.asVoid(lists.add("playlist", list.id, [id])),
          Effect.asVoid(lists.delete("playlist", list.id))
        ]
      ) yield* refusedWithout("organize")(call as Effect.Effect<void>)
      yield* refusedWithout("share")(lists.create("playlist", { title: Checked.listTitle("t"), isPublic: true }))
      yield* refusedWithout("share")(lists.setPublic("playlist", list.id, true))
      yield* refusedWithout("delete")(tree.delete(folder.id, "trash"))
    }))

  it.effect("ORG-33 every record of a file says its folder and tags", () =>
    Effect.gen(function*() {
      const contents = yield* ListContents
      const details = yield* FileDetails
      const trash = yield* Trash
      const downloads = yield* Downloads
      const library = yield* Library
      const lists = yield* Lists
      const moves = yield* FolderMoves
      const tags = yield* Tags
      const me = yield* newAccount
      const id = yield* addFile(me, audio)
      const { folder } = yield* moves.files([id], { path: Checked.path("/A/B"), field: "folder" }).pipe(as(me))
      const changed = yield* tags.change([id], Checked.tags(["b", "A"]), "add").pipe(as(me))
      const { list } = yield* lists.create("playlist", { title: Checked.listTitle("p"), fileIds: [id] }).pipe(as(me))
      const listed = (shelf: "files" | "trash") =>
        library.list(shelf).pipe(Effect.flatMap(Stream.runCollect), Effect.map((pages) => pages.flat()), as(me))
      const page = yield* contents.page(
        "playlist",
        list.id,
        {},
        Option.some({ id: me, tokenId: null, limits: { permissions: null, folderId: null } })
      )
      const records = [
        ...(yield* listed("files")),
        ...page.files,
        yield* downloads.link(id).pipe(as(me)),
        yield* details.rename(id, Checked.fileName("new")).pipe(as(me))
      ]
      yield* trash.put([id]).pipe(as(me))
      records.push(...(yield* listed("trash")))
      assert.strictEqual(records.length, 5)
      for (const record of records) {
        assert.deepStrictEqual(record.folder, folder)
        assert.deepStrictEqual(record.tags, changed.tags.toReversed())
      }
    }))
})
