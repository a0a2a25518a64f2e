import { assert, layer } from "@effect/vitest"
import { Faults, MemoryObjectStore } from "@filedrive/testing"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import {
  balance,
  codes,
  held,
  input,
  MiB,
  post,
  put,
  sendParts,
  type UploadCall,
  uploadOnForm
} from "../../test/UploadsTest.ts"
import { Files } from "../files/Files.ts"
import { JobsWorker } from "../jobs/JobsWorker.ts"
import { Folders } from "../organize/Folders.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId } from "../shared/Ids.ts"
import { Forms } from "./Forms.ts"
import { Inserts } from "./Inserts.ts"
import { Uploads } from "./Uploads.ts"

const fileOf = (owner: AccountId) =>
  Files.use((files) => files.findByObjectKey(owner, Checked.objectKey(`users/${owner}/a.bin`))).pipe(
    Effect.map(Option.getOrThrow)
  )

layer(TestDrive, { timeout: "60 seconds" })("Inserts", (it) => {
  it.effect("UP-10 a form takes the file; UP-24 it is inserted private, whatever is asked", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const file = { ...input(owner, 5), isPublic: true, creator: { id: owner } }
      const form = yield* Forms.use((forms) => forms.create(file)).pipe(as(owner))
      assert.strictEqual(yield* post(form, "hello"), 204)
      const { id } = yield* Inserts.use((inserts) => inserts.insert(file)).pipe(as(owner))
      const found = yield* fileOf(owner)
      assert.deepInclude(found, { id, isPublic: false, sizeBytes: 5 })
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 5, heldBytes: 0 })
      // Only the recorded object is left: what the form brought is gone.
      assert.deepStrictEqual(yield* held(owner), [found.storeKey])
    }))

  it.effect("UP-15 a form that is still valid changes nothing of a recorded file", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const store = yield* ObjectStore
      const file = input(owner, 5)
      const forms = yield* Forms
      const first = yield* forms.create(file).pipe(as(owner))
      const second = yield* forms.create(file).pipe(as(owner))
      yield* post(second, "hello")
      yield* Inserts.use((inserts) => inserts.insert(file)).pipe(as(owner))
      const recorded = yield* fileOf(owner)
      yield* post(first, "evil!")
      yield* post(second, "evil!")
      yield* Inserts.use((inserts) => inserts.insert(file)).pipe(as(owner))
      const now = Option.getOrThrow(yield* store.head({ bucket: "private", key: recorded.storeKey }))
      assert.strictEqual(now.etag, recorded.etag)
      assert.strictEqual((yield* fileOf(owner)).storeKey, recorded.storeKey)
    }))

  it.effect("UP-13 a file that one form cannot carry is sent in parts", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const refused = yield* Forms.use((forms) => forms.create(input(owner, 5 * 1024 ** 3 + 1))).pipe(
        as(owner),
        Effect.exit
      )
      assert.deepStrictEqual(codes(refused), ["invalid_field", "fileSize"])
    }))

  it.effect("UP-14 a file of no bytes goes by form", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      yield* uploadOnForm(input(owner, 0), "").pipe(as(owner))
      assert.strictEqual((yield* fileOf(owner)).sizeBytes, 0)
    }))

  it.effect("UP-20 another size is refused and records nothing; UP-21 so is a key without bytes", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const inserts = yield* Inserts
      assert.deepStrictEqual(codes(yield* inserts.insert(input(owner, 5)).pipe(as(owner), Effect.exit)), [
        "object_not_found",
        "objectKey"
      ])
      const form = yield* Forms.use((forms) => forms.create(input(owner, 5))).pipe(as(owner))
      assert.deepStrictEqual(codes(yield* inserts.insert(input(owner, 5)).pipe(as(owner), Effect.exit)), [
        "object_not_found",
        "objectKey"
      ])
      yield* post(form, "hello")
      assert.deepStrictEqual(codes(yield* inserts.insert(input(owner, 6)).pipe(as(owner), Effect.exit)), [
        "size_mismatch",
        "fileSize"
      ])
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 5 })
    }))

  it.effect("UP-21 an upload in parts is inserted once it is complete", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const inserts = yield* Inserts
      const { token } = yield* sendParts(input(owner, MiB)).pipe(as(owner))
      assert.deepStrictEqual(codes(yield* inserts.insert(input(owner, MiB)).pipe(as(owner), Effect.exit)), [
        "object_not_found",
        "objectKey"
      ])
      yield* Uploads.use((uploads) => uploads.complete(token)).pipe(as(owner))
      assert.deepStrictEqual(codes(yield* inserts.insert(input(owner, MiB + 1)).pipe(as(owner), Effect.exit)), [
        "size_mismatch",
        "fileSize"
      ])
      yield* inserts.insert(input(owner, MiB)).pipe(as(owner))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: MiB, heldBytes: 0 })
    }))

  it.effect("UP-22 repeating answers the same id; UP-29 with another size it is refused; UP-5 the key is taken", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const inserts = yield* Inserts
      const id = yield* uploadOnForm(input(owner, 5), "hello").pipe(as(owner))
      assert.strictEqual((yield* inserts.insert(input(owner, 5)).pipe(as(owner))).id, id)
      assert.deepStrictEqual(codes(yield* inserts.insert(input(owner, 6)).pipe(as(owner), Effect.exit)), [
        "size_mismatch",
        "fileSize"
      ])
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 5, heldBytes: 0 })
      const calls: ReadonlyArray<UploadCall> = [
        Forms.use((forms) => forms.create(input(owner, 5))),
        Uploads.use((uploads) => uploads.open(input(owner, 5)))
      ]
      for (const refused of calls) {
        assert.deepStrictEqual(codes(yield* refused.pipe(as(owner), Effect.exit)), ["object_key_taken", "objectKey"])
      }
    }))

  it.effect("UP-23 inserts of one key at once make one file and one charge", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const inserts = yield* Inserts
      const form = yield* Forms.use((forms) => forms.create(input(owner, 5))).pipe(as(owner))
      yield* post(form, "hello")
      const made = yield* Effect.all(Array.from({ length: 10 }, () => inserts.insert(input(owner, 5))), {
        concurrency: "unbounded"
      }).pipe(as(owner))
      assert.strictEqual(new Set(made.map(({ id }) => id)).size, 1)
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 5, heldBytes: 0 })
      // Nor is anything left of those who came late.
      assert.deepStrictEqual(yield* held(owner), [(yield* fileOf(owner)).storeKey])
    }))

  it.effect("UP-23 an insert that another overtakes answers the same id, wherever it stands and however little room is left", () =>
    Effect.gen(function*() {
      const store = yield* MemoryObjectStore
      const inserts = yield* Inserts
      for (const step of ["head", "copy", "get"] as const) {
        const owner = yield* TestAccounts.use((users) => users.add({ quotaBytes: 5 }))
        const form = yield* Forms.use((forms) => forms.create(input(owner, 5))).pipe(as(owner))
        yield* post(form, "hello")
        const insert = inserts.insert(input(owner, 5)).pipe(as(owner), Effect.orDie)
        yield* store.plant(step, Faults.before(Effect.asVoid(insert)))
        const { id } = yield* insert
        assert.strictEqual(id, (yield* fileOf(owner)).id, `overtaken before ${step}`)
        assert.deepStrictEqual(yield* balance(owner), { usedBytes: 5, heldBytes: 0 })
        yield* TestClock.adjust("2 hours")
        yield* JobsWorker.use((worker) => worker.runDue)
        assert.deepStrictEqual(yield* held(owner), [(yield* fileOf(owner)).storeKey], `overtaken before ${step}`)
      }
    }))

  it.effect("UP-25 another creator, UP-4 another user's key", () =>
    Effect.gen(function*() {
      const users = yield* TestAccounts
      const owner = yield* users.add()
      const stranger = yield* users.add()
      const inserts = yield* Inserts
      const asOther = inserts.insert({ ...input(owner, 5), creator: { id: stranger } })
      assert.deepStrictEqual(codes(yield* asOther.pipe(as(owner), Effect.exit)), ["not_allowed", undefined])
      const calls: ReadonlyArray<UploadCall> = [
        inserts.insert(input(owner, 5)),
        Forms.use((forms) => forms.create(input(owner, 5))),
        Uploads.use((uploads) => uploads.open(input(owner, 5)))
      ]
      for (const call of calls) {
        assert.deepStrictEqual(codes(yield* call.pipe(as(stranger), Effect.exit)), ["not_allowed", undefined])
      }
    }))

  it.effect("UP-7 an account without a plan stores nothing", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add({ plan: null }))
      const uploads = yield* Uploads
      const calls: ReadonlyArray<UploadCall> = [
        Inserts.use((inserts) => inserts.insert(input(owner, 5))),
        Forms.use((forms) => forms.create(input(owner, 5))),
        uploads.open(input(owner, 5)),
        uploads.signParts(Checked.uploadToken("fdu_x"), Checked.parts([1])),
        uploads.complete(Checked.uploadToken("fdu_x"))
      ]
      for (const call of calls) {
        assert.deepStrictEqual(codes(yield* call.pipe(as(owner), Effect.exit)), ["no_plan", undefined])
      }
    }))

  it.effect("UP-6 the quota counts files and open uploads, to the last byte", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add({ quotaBytes: 10 }))
      const uploads = yield* Uploads
      const forms = yield* Forms
      const key = (name: string) => ({ objectKey: `users/${owner}/${name}` })
      yield* Effect.gen(function*() {
        yield* uploadOnForm(input(owner, 4), "1234")
        const { token } = yield* uploads.open(input(owner, 5, key("b")))
        const refusals: ReadonlyArray<UploadCall> = [
          forms.create(input(owner, 2, key("c"))),
          uploads.open(input(owner, 2, key("c"))),
          uploads.open(input(owner, 7, key("b")))
        ]
        for (const refused of refusals) {
          assert.deepStrictEqual(codes(yield* Effect.exit(refused)), ["storage_limit_reached", "fileSize"])
        }
        yield* uploadOnForm(input(owner, 1, key("d")), "x")
        yield* uploads.abort(token)
        yield* uploadOnForm(input(owner, 5, key("e")), "12345")
      }).pipe(as(owner))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 10, heldBytes: 0 })
    }))

  it.effect("UP-28 an insert cut off at any step is repeated to the same end and leaves nothing behind", () =>
    Effect.gen(function*() {
      const store = yield* MemoryObjectStore
      const inserts = yield* Inserts
      const steps = ["head", "copy", "get", "remove"] as const
      const faults = [Faults.notReached, Faults.answerLost, Faults.before(Effect.interrupt)]
      for (const step of steps) {
        for (const fault of faults) {
          const owner = yield* TestAccounts.use((users) => users.add())
          const form = yield* Forms.use((forms) => forms.create(input(owner, 5))).pipe(as(owner))
          yield* post(form, "hello")
          yield* store.plant(step, fault)
          yield* inserts.insert(input(owner, 5)).pipe(as(owner), Effect.forkChild, Effect.flatMap(Fiber.await))
          yield* inserts.insert(input(owner, 5)).pipe(as(owner))
          assert.deepStrictEqual(yield* balance(owner), { usedBytes: 5, heldBytes: 0 })
          yield* TestClock.adjust("2 hours")
          yield* JobsWorker.use((worker) => worker.runDue)
          assert.deepStrictEqual(yield* held(owner), [(yield* fileOf(owner)).storeKey], `after ${step}`)
        }
      }
    }))

  it.effect("UP-26 the kind that the bytes tell is what the record says", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      yield* uploadOnForm(input(owner, 8, { type: "Video", mimeType: "video/mp4" }), "PNG-like").pipe(as(owner))
      assert.deepInclude(yield* fileOf(owner), { type: "Image", mimeType: "image/png" })
    }))

  it.effect("UP-48 a part URL changes nothing of a recorded file", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const opened = yield* sendParts(input(owner, MiB)).pipe(as(owner))
      yield* Uploads.use((uploads) => uploads.complete(opened.token)).pipe(as(owner))
      yield* Inserts.use((inserts) => inserts.insert(input(owner, MiB))).pipe(as(owner))
      const { etag, storeKey } = yield* fileOf(owner)
      assert.strictEqual(yield* put(opened.signed[0]!), 404)
      const now = yield* ObjectStore.use((store) => store.head({ bucket: "private", key: storeKey }))
      assert.strictEqual(Option.getOrThrow(now).etag, etag)
    }))

  it.effect("UP-51 a token that sees one folder only puts its files there", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const folder = yield* Folders.use((folders) => folders.ensure(owner, Checked.path("/A/B"), "folder"))
      const limits = { permissions: ["add" as const], folderId: folder!.id }
      yield* uploadOnForm(input(owner, 5), "hello").pipe(as(owner, limits))
      assert.deepInclude(yield* fileOf(owner), { folderId: folder!.id, folderPath: "/A/B" })
    }))

  it.effect("AUTH-8 a token that may not add opens, sends and records nothing", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const uploads = yield* Uploads
      const calls: ReadonlyArray<UploadCall> = [
        Inserts.use((inserts) => inserts.insert(input(owner, 5))),
        Forms.use((forms) => forms.create(input(owner, 5))),
        uploads.open(input(owner, 5)),
        uploads.signParts(Checked.uploadToken("fdu_x"), Checked.parts([1])),
        uploads.complete(Checked.uploadToken("fdu_x")),
        uploads.abort(Checked.uploadToken("fdu_x"))
      ]
      for (const call of calls) {
        const refused = yield* call.pipe(as(owner, { permissions: ["read", "delete"], folderId: null }), Effect.exit)
        assert.deepStrictEqual(codes(refused), ["token_limit", undefined])
      }
    }))
})
