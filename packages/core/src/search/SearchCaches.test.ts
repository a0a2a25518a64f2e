/** What a search remembers of an account, and what ends it. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import * as Checked from "../../test/Checked.ts"
import { checkSearchCaches } from "../../test/checkSearchCaches.ts"
import { addFile, as, layer, newAccount } from "../../test/FilesTest.ts"
import { add, extracted, image, jpeg, track, withCover } from "../../test/MediaTest.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import { Derivatives } from "../files/Derivatives.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { FileDetails } from "../files/FileDetails.ts"
import { FileMetadata } from "../files/FileMetadata.ts"
import { Trash } from "../files/Trash.ts"
import { FolderMoves } from "../organize/FolderMoves.ts"
import { FolderTree } from "../organize/FolderTree.ts"
import { Tags } from "../organize/Tags.ts"
import type { AccountId } from "../shared/Ids.ts"
import { Search } from "./Search.ts"

const queries: ReadonlyArray<Checked.Search> = [{}, { folder: "/A" }, { folder: "/B" }, { tags: ["rock"] }, {
  tags: ["jazz"]
}, {
  folder: "/A",
  tags: ["rock"],
  text: "wav"
}]

/** Names of all files, as a search finds them. */
const namesOf = (me: AccountId) =>
  Search.use((search) => search.search(Checked.search({}))).pipe(
    as(me, unlimited),
    Effect.map(({ files }) => files.map(({ fileName }) => fileName))
  )

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Search, remembering", (it) => {
  it.effect("SRCH-28 whatever changes of an account, the next search answers as one that remembers nothing", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { cover, id } = yield* withCover(me, { fileName: "one.wav" })
      const picture = yield* add(me, "two.png", image)
      const large = yield* addFile(me, { fileName: "three.bin", sizeBytes: 3 * 1024 ** 3 })
      const [access, derivatives, details, trash] = [
        yield* FileAccess,
        yield* Derivatives,
        yield* FileDetails,
        yield* Trash
      ]
      const [metadata, transaction, moves, tags, tree] = [
        yield* FileMetadata,
        yield* AccountTransaction,
        yield* FolderMoves,
        yield* Tags,
        yield* FolderTree
      ]
      const { folder } = yield* moves.files([id, picture], { path: Checked.path("/A/b"), field: "folder" }).pipe(as(me))
      const { tags: [tag] } = yield* tags.change([id], Checked.tags(["rock"]), "add").pipe(as(me))
      const top = (yield* tree.create(Checked.path("/A")).pipe(as(me))).id
      const changes: Record<
        string,
        Effect.Effect<unknown, unknown, Effect.Services<typeof extracted> | Effect.Services<ReturnType<typeof add>>>
      > = {
        "nothing": Effect.void,
        "a name": details.rename(id, Checked.fileName("uno.wav")).pipe(as(me)),
        "a description": details.describe(id, Checked.description("words")).pipe(as(me)),
        "a tag's text": tags.rename(tag!.id, Checked.tag("jazz")).pipe(as(me)),
        "another tag": tags.change([picture], Checked.tags(["rock"]), "add").pipe(as(me)),
        "a tag taken off": tags.changeOne([id], tag!.id, "remove").pipe(as(me)),
        "a tag deleted": tags.delete(tag!.id).pipe(as(me)),
        "a folder's name": tree.rename(folder!.id, Checked.folderName("c")).pipe(as(me)),
        "the name of a folder above": tree.rename(top, Checked.folderName("B")).pipe(as(me)),
        "another folder": moves.files([id], { path: Checked.path("/A/d"), field: "folder" }).pipe(as(me)),
        "access": access.toggle(id).pipe(as(me)),
        "access again": access.toggle(id).pipe(as(me)),
        "what was found inside": extracted,
        "a request to look again": transaction.run(me, () => metadata.request(me, [id, picture])),
        "a picture": derivatives.replace(me, id, jpeg("other")),
        "no picture": trash.delete([cover]).pipe(as(me)),
        "trash": trash.put([id]).pipe(as(me)),
        "out of trash": trash.restore([id]).pipe(as(me)),
        "a move of a large file": access.toggle(large).pipe(as(me)),
        "the move's end": extracted,
        "a file more": add(me, "four.wav", track),
        "a file for ever gone": trash.put([picture]).pipe(
          as(me),
          Effect.andThen(trash.delete([picture]).pipe(as(me)))
        )
      }
      for (const [after, change] of Object.entries(changes)) {
        yield* change
        yield* checkSearchCaches(me, queries, after)
      }
    }))

  it.effect("SRCH-28 a page that nothing changed of is remembered", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const id = yield* addFile(me, { fileName: "one.txt" })
      const other = yield* newAccount
      const names = namesOf(me)
      assert.deepStrictEqual(yield* names, ["one.txt"])
      assert.deepStrictEqual(yield* names, ["one.txt"])
      // As no code of the drive does: without the account's lock.
      yield* sql`UPDATE ${t.files} SET file_name = 'two.txt' WHERE id = ${id}`
      assert.deepStrictEqual(yield* names, ["one.txt"])
      yield* addFile(other)
      assert.deepStrictEqual(yield* names, ["one.txt"])
      yield* AccountTransaction.use((transaction) => transaction.run(me, () => Effect.void))
      assert.deepStrictEqual(yield* names, ["two.txt"])
    }))

  it.effect("SRCH-28 what a transaction changed and gave up is not remembered", () =>
    Effect.gen(function*() {
      const { sql } = yield* Database
      const me = yield* newAccount
      const id = yield* addFile(me, { fileName: "one.txt" })
      const details = yield* FileDetails
      const names = namesOf(me)
      assert.deepStrictEqual(yield* names, ["one.txt"])
      const given = details.rename(id, Checked.fileName("two.txt")).pipe(
        as(me),
        Effect.andThen(names),
        Effect.tap((seen) => Effect.sync(() => assert.deepStrictEqual(seen, ["two.txt"]))),
        Effect.andThen(Effect.fail("given up"))
      )
      assert.strictEqual(yield* Effect.flip(sql.withTransaction(given)), "given up")
      assert.deepStrictEqual(yield* names, ["one.txt"])
    }))
})
