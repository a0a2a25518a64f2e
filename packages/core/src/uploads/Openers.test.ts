import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as Checked from "../../test/Checked.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { balance, codes, input, post, put, sendParts, type UploadCall } from "../../test/UploadsTest.ts"
import { Files } from "../files/Files.ts"
import { FolderMoves } from "../organize/FolderMoves.ts"
import { Folders } from "../organize/Folders.ts"
import type { FileInput } from "./FileInput.ts"
import { Forms } from "./Forms.ts"
import { Inserts } from "./Inserts.ts"
import { Uploads } from "./Uploads.ts"

layer(TestDrive, { timeout: "60 seconds" })("Who may go on with an upload", (it) => {
  it.effect("UP-59 uploads and forms are gone on with within the limits of who opened them, and outside nothing is told", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const folders = yield* Folders
      const [inside, outside] = [
        yield* folders.ensure(owner, Checked.path("/A/B"), "folder"),
        yield* folders.ensure(owner, Checked.path("/C"), "folder")
      ]
      const everything = { permissions: null, folderId: null }
      const inFolder = { permissions: ["add" as const], folderId: inside!.id }
      const addOnly = { permissions: ["add" as const], folderId: null }
      const cases = [
        { name: "owner", opener: everything, caller: inFolder },
        { name: "other", opener: { permissions: null, folderId: outside!.id }, caller: inFolder },
        { name: "full", opener: everything, caller: addOnly },
        { name: "reader", opener: { permissions: ["read" as const, "add" as const], folderId: null }, caller: addOnly }
      ]
      const [forms, inserts, uploads] = [yield* Forms, yield* Inserts, yield* Uploads]
      const sentences = new Set<string>()
      const callsOn = (file: FileInput): ReadonlyArray<UploadCall> => [
        inserts.insert(file),
        inserts.insert({ ...file, fileSize: Checked.fileSize(file.fileSize + 1) }),
        forms.create(file),
        uploads.open(file)
      ]
      for (const { caller, name, opener } of cases) {
        const expectTaken = Effect.fnUntraced(function*(call: UploadCall, where: string) {
          const refusal = yield* call.pipe(as(owner, caller), Effect.flip)
          assert.deepInclude(refusal, { code: "object_key_taken", field: "objectKey" }, where)
          sentences.add(refusal.message)
        })
        const file = (kind: string) => input(owner, 5, { objectKey: `users/${owner}/${name}/${kind}` })
        yield* forms.create(file("form")).pipe(as(owner, opener))
        const sent = yield* forms.create(file("sent")).pipe(as(owner, opener))
        yield* post(sent, "hello")
        const { token } = yield* uploads.open(file("open")).pipe(as(owner, opener))
        const complete = yield* sendParts(file("complete")).pipe(as(owner, opener))
        yield* uploads.complete(complete.token).pipe(as(owner, opener))
        const before = yield* balance(owner)
        for (const kind of ["form", "sent", "open", "complete"]) {
          for (const call of callsOn(file(kind))) yield* expectTaken(call, `${name}, ${kind}`)
        }
        for (const kind of ["form", "sent"]) {
          yield* expectTaken(forms.cancel(file(kind).objectKey), `${name}, ${kind}`)
        }
        // The token of an upload is no way around.
        const onToken: ReadonlyArray<UploadCall> = [
          uploads.signParts(token, Checked.parts([1])),
          uploads.complete(token),
          uploads.abort(token)
        ]
        for (const call of onToken) {
          assert.deepStrictEqual(codes(yield* call.pipe(as(owner, caller), Effect.exit)), ["not_allowed", undefined])
        }
        assert.deepStrictEqual(yield* balance(owner), before)
        // Whoever opened them continues, and so does the owner.
        yield* inserts.insert(file("sent")).pipe(as(owner, opener))
        yield* inserts.insert(file("complete")).pipe(as(owner, everything))
        assert.isTrue((yield* uploads.open(file("open")).pipe(as(owner, everything))).resumed)
        assert.isTrue(yield* forms.cancel(file("form").objectKey).pipe(as(owner, everything)))
        // Now they are files.
        for (const kind of ["sent", "complete"]) {
          for (const call of callsOn(file(kind))) yield* expectTaken(call, `${name}, a file`)
        }
      }
      assert.strictEqual(sentences.size, 1)
    }))

  it.effect("UP-59 a limited call continues with what it opened itself or inside its folder, and the file lands where that was opened for", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const folders = yield* Folders
      const [upper, lower] = [
        yield* folders.ensure(owner, Checked.path("/A"), "folder"),
        yield* folders.ensure(owner, Checked.path("/A/B"), "folder")
      ]
      const inUpper = as(owner, { permissions: ["read", "add"], folderId: upper!.id })
      const inLower = as(owner, { permissions: ["add"], folderId: lower!.id })
      const [forms, inserts, uploads] = [yield* Forms, yield* Inserts, yield* Uploads]
      const file = (name: string) => input(owner, 5, { objectKey: `users/${owner}/${name}` })
      const landed = (name: string) =>
        Files.use((files) => files.findByObjectKey(owner, file(name).objectKey)).pipe(
          Effect.map((found) => Option.getOrThrow(found).folderPath)
        )
      const form = yield* forms.create(file("form")).pipe(inLower)
      yield* post(form, "hello")
      const { id } = yield* inserts.insert(file("form")).pipe(inUpper)
      assert.strictEqual(yield* landed("form"), "/A/B")
      assert.strictEqual((yield* inserts.insert(file("form")).pipe(inLower)).id, id)
      const { signed } = yield* uploads.open(file("parts")).pipe(inLower)
      yield* put(signed[0]!)
      const resumed = yield* uploads.open(file("parts")).pipe(inUpper)
      assert.isTrue(resumed.resumed)
      yield* uploads.complete(resumed.token).pipe(inUpper)
      yield* inserts.insert(file("parts")).pipe(as(owner))
      assert.strictEqual(yield* landed("parts"), "/A/B")
      // Moved away by the owner it is out of sight, as every file outside the folder.
      yield* FolderMoves.use((moves) => moves.files([id], { id: upper!.id })).pipe(as(owner))
      const hidden = yield* inserts.insert(file("form")).pipe(inLower, Effect.exit)
      assert.deepStrictEqual(codes(hidden), ["object_key_taken", "objectKey"])
    }))

  it.effect("UP-72 a call that may not read is told of the files it uploaded itself, and of no other", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const [adding, reading] = [
        as(owner, { permissions: ["add"], folderId: null }),
        as(owner, { permissions: ["add", "read"], folderId: null })
      ]
      const [forms, inserts, uploads] = [yield* Forms, yield* Inserts, yield* Uploads]
      const file = (name: string) => input(owner, 5, { objectKey: `users/${owner}/${name}` })
      const told = (name: string, by: typeof adding, size = 5) =>
        inserts.insert({ ...file(name), fileSize: Checked.fileSize(size) }).pipe(by, Effect.exit, Effect.map(codes))

      yield* post(yield* forms.create(file("own")).pipe(adding), "hello")
      const own = yield* inserts.insert(file("own")).pipe(adding)
      const { token } = yield* sendParts(file("parts")).pipe(adding)
      yield* uploads.complete(token).pipe(adding)
      const parts = yield* inserts.insert(file("parts")).pipe(adding)
      for (const [name, made] of [["own", own], ["parts", parts]] as const) {
        assert.deepStrictEqual(yield* inserts.insert(file(name)).pipe(adding), made)
        assert.deepStrictEqual(yield* told(name, adding, 6), ["size_mismatch", "fileSize"])
      }

      yield* post(yield* forms.create(file("owners")).pipe(as(owner)), "hello")
      const owners = yield* inserts.insert(file("owners")).pipe(as(owner))
      for (const size of [5, 6]) {
        assert.deepStrictEqual(yield* told("owners", adding, size), ["object_key_taken", "objectKey"])
      }
      assert.deepStrictEqual(yield* inserts.insert(file("owners")).pipe(reading), owners)
    }))
})
