import { assert, layer } from "@effect/vitest"
import { MemoryRemoteFile } from "@filedrive/testing"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { checkClean, content, look, newLink, runInTurns, runJobs, startImport } from "../../test/ImportsTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { codes } from "../../test/UploadsTest.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { Quota } from "../accounts/Quota.ts"
import { Events } from "../events/Events.ts"
import { Trash } from "../files/Trash.ts"
import * as Limits from "../limits/Limits.ts"
import { Folders } from "../organize/Folders.ts"
import { FolderTree } from "../organize/FolderTree.ts"
import { FolderId, ImportId } from "../shared/Ids.ts"
import { Imports } from "./Imports.ts"

const user = (account: Parameters<TestAccounts["Service"]["add"]>[0] = {}) =>
  TestAccounts.use((users) => users.add(account))

layer(TestDrive, { timeout: "60 seconds" })("Imports", (it) => {
  it.effect("IMP-1 a link is taken at once, and its file is there when the job has run: kind, place, charge and event", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const bytes = new TextEncoder().encode("PNG and more")
      const served = { bytes, mimeType: "text/plain", disposition: "attachment; filename=\"A%20photo\"" }
      const { id, url } = yield* startImport(owner, served, {
        to: { path: Checked.path("/In/Photos"), field: "folder" },
        description: Checked.description("from afar")
      })
      assert.deepStrictEqual(yield* look(owner, id), {
        id,
        url,
        status: "working",
        error: null,
        code: null,
        receivedBytes: 0,
        totalBytes: null,
        file: null
      })
      yield* runJobs
      const { file, ...rest } = yield* look(owner, id)
      assert.deepStrictEqual(rest, {
        id,
        url,
        status: "done",
        error: null,
        code: null,
        receivedBytes: bytes.length,
        totalBytes: bytes.length
      })
      assert.deepInclude(file, {
        fileName: "A photo.png",
        type: "Image",
        mimeType: "image/png",
        fileSize: bytes.length,
        description: "from afar",
        isPublic: false
      })
      assert.strictEqual(file?.folder?.path, "/In/Photos")
      assert.match(file!.objectKey!, new RegExp(`^users/${owner}/imports/[0-9a-f-]{36}$`))
      assert.strictEqual(yield* checkClean(owner), bytes.length)
      const { events } = yield* Events.use((events) => events.select(Checked.events({ kinds: ["file"], limit: 10 })))
        .pipe(as(owner))
      assert.lengthOf(events, 1)
    }))

  it.effect("IMP-1 an empty file is a file; a name of the caller's is taken as it is", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const { id } = yield* startImport(owner, { bytes: new Uint8Array(0), mimeType: "no type" }, {
        fileName: Checked.fileName("e")
      })
      yield* runJobs
      assert.deepInclude((yield* look(owner, id)).file, {
        fileName: "e",
        fileSize: 0,
        mimeType: "application/octet-stream",
        folder: null,
        description: null
      })
      yield* checkClean(owner)
    }))

  it.effect("IMP-2 what can't be imported is refused at once, and no import is made", () =>
    Effect.gen(function*() {
      const imports = yield* Imports
      const attempt = (owner: Effect.Success<ReturnType<typeof user>>, url = newLink()) =>
        Effect.exit(imports.start({ url: Checked.importUrl(url) }).pipe(as(owner))).pipe(Effect.map(codes))
      assert.deepStrictEqual(yield* attempt(yield* user(), "ftp://files.test/a"), ["invalid_field", "url"])
      assert.deepStrictEqual(yield* attempt(yield* user({ plan: null })), ["no_plan", undefined])
      assert.deepStrictEqual(yield* attempt(yield* user({ quotaBytes: 0 })), ["storage_limit_reached", "url"])
      const owner = yield* user()
      const noAdd = imports.start({ url: Checked.importUrl(newLink()) }).pipe(
        as(owner, { permissions: ["read"], folderId: null })
      )
      assert.deepStrictEqual(codes(yield* Effect.exit(noAdd)), ["token_limit", undefined])
    }))

  it.effect(`IMP-2 ${Limits.importsAtOnce} imports of an account are under way at most, however they are asked for`, () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const tries = Array.from({ length: Limits.importsAtOnce + 5 }, () => startImport(owner, { bytes: content(10) }))
      const exits = yield* Effect.forEach(tries, Effect.exit, { concurrency: "unbounded" })
      const refused = exits.filter((exit) => exit._tag === "Failure")
      assert.deepStrictEqual(refused.map(codes), Array.from({ length: 5 }, () => ["invalid_field", "url"]))
      yield* runInTurns
      yield* startImport(owner, { bytes: content(10) })
      yield* runInTurns
      assert.strictEqual(yield* checkClean(owner), (Limits.importsAtOnce + 1) * 10)
    }))

  it.effect("ORG-17 an import whose folder is deleted meanwhile arrives at the top of the drive", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const to = { path: Checked.path("/Here/Soon gone"), field: "folder" }
      const { id } = yield* startImport(owner, { bytes: content(5) }, { to })
      const folder = yield* Folders.use((folders) => folders.ensure(owner, to.path, "folder"))
      yield* FolderTree.use((tree) => tree.delete(folder!.id, "trash")).pipe(as(owner))
      yield* runJobs
      const { file, status } = yield* look(owner, id)
      assert.strictEqual(status, "done")
      assert.deepInclude(file, { folder: null, trashTime: null })
    }))

  it.effect("IMP-3 a folder is named by path or id, as elsewhere; a token's folder is where its imports go", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const imports = yield* Imports
      const folders = yield* Folders
      const [mine, other] = yield* Effect.all([
        folders.ensure(owner, Checked.path("/Mine"), "folder"),
        folders.ensure(owner, Checked.path("/Other"), "folder")
      ])
      const limited = { ...unlimited, folderId: mine!.id }
      const start = (to: Parameters<typeof imports.start>[0]["to"], limits = unlimited) =>
        imports.start({ url: Checked.importUrl(newLink()), to }).pipe(as(owner, limits), Effect.exit)
      const unknown = FolderId.make("019845e1-682f-7b02-a706-3b2422d13aff")
      assert.deepStrictEqual(codes(yield* start({ id: unknown })), ["not_found", undefined])
      assert.deepStrictEqual(codes(yield* start({ id: other!.id }, limited)), ["not_found", undefined])
      assert.deepStrictEqual(codes(yield* start({ path: Checked.path("/Other"), field: "folder" }, limited)), [
        "token_limit",
        undefined
      ])
      assert.deepStrictEqual(codes(yield* start({ id: null }, limited)), ["token_limit", undefined])

      const url = newLink("a.bin")
      yield* MemoryRemoteFile.use((remote) => remote.serve(url, { bytes: content(5) }))
      const inside = yield* imports.start({ url: Checked.importUrl(url) }).pipe(as(owner, limited))
      const outside = yield* imports.start({ url: Checked.importUrl(url), to: { id: other!.id } }).pipe(as(owner))
      yield* runJobs
      const seen = yield* imports.select([outside.id, inside.id]).pipe(as(owner, limited))
      assert.deepStrictEqual(seen.map(({ id }) => id), [inside.id])
      assert.strictEqual(seen[0]?.file?.folder?.path, "/Mine")
    }))

  it.effect("IMP-4 imports are told once each, in the order asked; others' and unknown ones are left out", () =>
    Effect.gen(function*() {
      const [owner, stranger] = yield* Effect.all([user(), user()])
      const imports = yield* Imports
      const a = yield* startImport(owner, { bytes: content(1) })
      const b = yield* startImport(owner, { bytes: content(2) })
      const unknown = ImportId.make("019845e1-682f-7b02-a706-3b2422d13aff")
      const asked = [b.id, unknown, a.id, ImportId.make(b.id.toUpperCase())]
      for (const permission of ["add", "read"] as const) {
        const items = yield* imports.select(asked).pipe(as(owner, { permissions: [permission], folderId: null }))
        assert.deepStrictEqual(items.map(({ id }) => id), [b.id, a.id])
      }
      assert.deepStrictEqual(yield* imports.select(asked).pipe(as(stranger)), [])
      const refused = imports.select(asked).pipe(as(owner, { permissions: ["delete"], folderId: null }))
      assert.deepStrictEqual(codes(yield* Effect.exit(refused)), ["token_limit", undefined])
    }))

  it.effect("IMP-4 an import outlives its file: in trash it is told with it, deleted without", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const { id } = yield* startImport(owner, { bytes: content(5) })
      yield* runJobs
      const fileId = (yield* look(owner, id)).file!.id
      const trash = yield* Trash
      yield* trash.put([fileId]).pipe(as(owner))
      assert.isNotNull((yield* look(owner, id)).file?.trashTime)
      yield* trash.delete([fileId]).pipe(as(owner))
      assert.deepInclude(yield* look(owner, id), { status: "done", file: null, receivedBytes: 5 })
    }))

  it.effect("IMP-14 what ended is forgotten after 30 days, what is under way is not", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const imports = yield* Imports
      const { id } = yield* startImport(owner, { bytes: content(5) })
      yield* runJobs
      yield* TestClock.adjust("29 days")
      yield* imports.forget
      assert.strictEqual((yield* look(owner, id)).status, "done")
      const working = yield* startImport(owner, { bytes: content(5) })
      yield* TestClock.adjust("31 days")
      yield* imports.forget
      assert.deepStrictEqual(yield* imports.select([id]).pipe(as(owner)), [])
      assert.strictEqual((yield* look(owner, working.id)).status, "working")
      yield* runJobs
      assert.deepInclude(yield* look(owner, working.id), { status: "failed", code: "import_timed_out" })
      assert.strictEqual(yield* Quota.use((quota) => quota.balance(owner)).pipe(Effect.map((b) => b.heldBytes)), 0)
    }))
})
