import { assert, describe, it, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Option } from "effect"
import { addFile, as, layer, newAccount } from "../../test/FilesTest.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import { FileId } from "../shared/Ids.ts"
import { FileAccess } from "./FileAccess.ts"
import { FilesRepo } from "./FilesRepo.ts"
import { type Access, AccessEvent, accessOf, closes, isMoving, next } from "./FileState.ts"
import type * as StoredFile from "./StoredFile.ts"
import { Trash } from "./Trash.ts"
import { TrashRepo } from "./TrashRepo.ts"

const { Moved, Placed, Restored, Toggled, Trashed } = AccessEvent
const events: ReadonlyArray<AccessEvent> = [
  Toggled({ inOneCopy: false, isTrashed: false }),
  Toggled({ inOneCopy: true, isTrashed: false }),
  Toggled({ inOneCopy: false, isTrashed: true }),
  Toggled({ inOneCopy: true, isTrashed: true }),
  Trashed(),
  Restored(),
  Placed({ inOneCopy: false, isTrashed: true }),
  Placed({ inOneCopy: true, isTrashed: true }),
  Placed({ inOneCopy: false, isTrashed: false }),
  Placed({ inOneCopy: true, isTrashed: false }),
  Moved()
]

/** By state, in the order of {@link events}. */
const table: ReadonlyArray<readonly [Access, toggled: string, followed: string, placed: string, moved: Access]> = [
  ["private", "toPublic public withheld withheld", "private private", "private private private private", "private"],
  ["public", "toPrivate private toPrivate private", "public public", "withholding withheld public public", "public"],
  [
    "withheld",
    "private private private private",
    "withheld withheld",
    "withheld withheld returning public",
    "withheld"
  ],
  ["toPublic", "private private private private", "withheld toPublic", "toPublic toPublic toPublic toPublic", "public"],
  [
    "toPrivate",
    "public public public public",
    "toPrivate toPrivate",
    "toPrivate toPrivate toPrivate toPrivate",
    "private"
  ],
  [
    "returning",
    "private private private private",
    "withheld returning",
    "returning returning returning returning",
    "public"
  ],
  [
    "withholding",
    "toPrivate toPrivate toPrivate toPrivate",
    "withholding public",
    "withholding withholding withholding withholding",
    "withheld"
  ]
]
const cells = table.flatMap(([from, ...to]) =>
  to.join(" ").split(" ").map((next, i) => ({
    name: `${from} × ${events[i]!._tag} ${i}`,
    from,
    by: events[i]!,
    to: next
  }))
)

describe("FileState", () => {
  it.each(cells)("ACC-11 $name", ({ by, from, to }) => {
    assert.strictEqual(next(from, by), to)
  })

  it.each<{ access: Access; isPublic: boolean; publicKey: string | null; move: [boolean, boolean] | null }>([
    { access: "private", isPublic: false, publicKey: null, move: null },
    { access: "public", isPublic: true, publicKey: null, move: null },
    { access: "withheld", isPublic: false, publicKey: "key", move: null },
    { access: "toPublic", isPublic: false, publicKey: null, move: [true, false] },
    { access: "toPrivate", isPublic: true, publicKey: null, move: [false, false] },
    { access: "returning", isPublic: false, publicKey: "key", move: [true, false] },
    { access: "withholding", isPublic: true, publicKey: null, move: [false, true] }
  ])("ACC-11 a file is $access by its row", ({ access, isPublic, move, publicKey }) => {
    const moving = move === null ? null : { toPublic: move[0], keepsLink: move[1] }
    assert.strictEqual(accessOf({ isPublic, publicKey }, moving), access)
    assert.strictEqual(isMoving(access), move !== null)
    assert.strictEqual(closes(access), access === "private" || access === "toPrivate")
  })
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Files by their states", (it) => {
  const find = Effect.fnUntraced(function*(id: FileId) {
    const { sql, tables: t } = yield* Database
    const [row] = yield* sql<{ readonly isPublic: boolean; readonly isTrashed: boolean }>`
      SELECT is_public OR public_key IS NOT NULL AS "isPublic", trash_time IS NOT NULL AS "isTrashed"
      FROM ${t.files} WHERE id = ${id}
    `
    return row === undefined ? "gone" : `${row.isPublic ? "public" : "private"}${row.isTrashed ? ", trashed" : ""}`
  })

  // Spec: "States and transitions", File.
  it.effect.each([
    { from: [], by: "trash", to: "private, trashed" },
    { from: ["toggle"], by: "trash", to: "public, trashed" },
    { from: ["trash"], by: "trash", to: "private, trashed" },
    { from: ["trash"], by: "restore", to: "private" },
    { from: ["toggle", "trash"], by: "restore", to: "public" },
    { from: [], by: "restore", to: "private" },
    { from: ["trash"], by: "empty", to: "gone" },
    { from: [], by: "empty", to: "private" },
    { from: [], by: "delete", to: "gone" },
    { from: ["toggle", "trash"], by: "delete", to: "gone" },
    { from: ["trash", "empty"], by: "delete", to: "gone" },
    { from: [], by: "toggle", to: "public" },
    { from: ["toggle"], by: "toggle", to: "private" },
    { from: ["trash"], by: "toggle", to: "public, trashed" },
    { from: ["toggle", "trash"], by: "toggle", to: "private, trashed" }
  ])("TR-10 after $from, $by: $to", ({ by, from, to }) =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const trash = yield* Trash
      const me = yield* newAccount
      const id = yield* addFile(me)
      const calls: Record<string, () => Effect.Effect<unknown, unknown, Effect.Services<typeof trash.empty>>> = {
        trash: () => trash.put([id]),
        restore: () => trash.restore([id]),
        empty: () => trash.empty,
        delete: () => trash.delete([id]),
        toggle: () => access.toggle(id)
      }
      for (const call of [...from, by]) yield* calls[call]!().pipe(as(me))
      assert.strictEqual(yield* find(id), to)
    }))

  it.effect("ACC-11 the files that SQL finds misplaced are those that the table takes elsewhere", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const files = yield* FilesRepo
      const trash = yield* TrashRepo
      const me = yield* newAccount
      const expected: Array<FileId> = []
      for (const isTrashed of [false, true]) {
        for (const [isPublic, publicKey] of [[false, null], [true, null], [false, "key"]] as const) {
          const id = yield* addFile(me)
          yield* sql`
            UPDATE ${t.files} SET is_public = ${isPublic}, public_key = ${publicKey},
              trash_time = ${isTrashed ? new Date("2026-01-01") : null}
            WHERE id = ${id}
          `
          const file: StoredFile.StoredFile = Option.getOrThrow(yield* files.find(me, unlimited, id))
          const access = accessOf(file, null)
          if (next(access, Placed({ inOneCopy: true, isTrashed: file.trashTime !== null })) !== access) {
            expected.push(id)
          }
        }
      }
      const found = yield* trash.misplaced(me, FileId.make("00000000-0000-0000-0000-000000000000"), 100)
      assert.deepStrictEqual([...found].sort(), expected.sort())
      assert.strictEqual(found.length, 2)
    }).pipe(Effect.provide([FilesRepo.layer, TrashRepo.layer])))
})
