import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { type Access, accessOf, FileEvent, FileState, isPublic, step } from "./FileState.ts"

const now = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const later = DateTime.add(now, { days: 1 })
const kept = (access: Access, trashTime: DateTime.Utc | null = null) => FileState.Kept({ access, trashTime })
const gone = FileState.Gone()
const small = FileEvent.Toggled({ inOneCopy: true })
const large = FileEvent.Toggled({ inOneCopy: false })

// Spec: States and transitions, File. The rows of the table, then what lies between them.
describe("FileState", () => {
  it.each([
    { row: "any, trashed", from: kept("private"), by: FileEvent.Trashed({ now }), to: kept("private", now) },
    { row: "trashed again", from: kept("public", now), by: FileEvent.Trashed({ now: later }), to: kept("public", now) },
    { row: "trashed, restored", from: kept("public", now), by: FileEvent.Restored(), to: kept("public") },
    { row: "restored again", from: kept("public"), by: FileEvent.Restored(), to: kept("public") },
    { row: "trashed, purged", from: kept("private", now), by: FileEvent.Purged(), to: gone },
    { row: "not trashed, purged", from: kept("private"), by: FileEvent.Purged(), to: kept("private") },
    { row: "any, deleted", from: kept("private"), by: FileEvent.Deleted(), to: gone },
    { row: "trashed, deleted", from: kept("public", now), by: FileEvent.Deleted(), to: gone },
    { row: "private, toggled", from: kept("private"), by: small, to: kept("public") },
    { row: "public, toggled", from: kept("public"), by: small, to: kept("private") },
    { row: "in trash, toggled", from: kept("private", now), by: small, to: kept("public", now) },
    { row: "large private, toggled", from: kept("private"), by: large, to: kept("toPublic") },
    { row: "large public, toggled", from: kept("public"), by: large, to: kept("toPrivate") },
    { row: "on its way, toggled again", from: kept("toPublic"), by: large, to: kept("private") },
    { row: "on its way back, toggled again", from: kept("toPrivate"), by: large, to: kept("public") },
    { row: "arrived", from: kept("toPublic"), by: FileEvent.Moved(), to: kept("public") },
    { row: "arrived back", from: kept("toPrivate"), by: FileEvent.Moved(), to: kept("private") },
    { row: "on its way, deleted", from: kept("toPublic"), by: FileEvent.Deleted(), to: gone },
    { row: "gone, deleted", from: gone, by: FileEvent.Deleted(), to: gone },
    { row: "gone, toggled", from: gone, by: small, to: gone }
  ])("TR-10 $row", ({ by, from, to }) => {
    assert.deepStrictEqual(step(from, by), to)
  })

  it.each<{ access: Access; file: { isPublic: boolean; moveToPublic: boolean | null } }>([
    { access: "private", file: { isPublic: false, moveToPublic: null } },
    { access: "public", file: { isPublic: true, moveToPublic: null } },
    { access: "toPublic", file: { isPublic: false, moveToPublic: true } },
    { access: "toPrivate", file: { isPublic: true, moveToPublic: false } }
  ])("ACC-5 a file that is $access has a working link of its bucket", ({ access, file }) => {
    assert.strictEqual(accessOf(file), access)
    assert.strictEqual(isPublic(access), file.isPublic)
  })
})
