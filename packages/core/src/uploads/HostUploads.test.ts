/** Files that a host's own code stores, while the folder that they go to is deleted. */
import { assert, layer } from "@effect/vitest"
import { Faults, MemoryObjectStore } from "@filedrive/testing"
import { Effect, Exit, Stream } from "effect"
import * as Checked from "../../test/Checked.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { Quota } from "../accounts/Quota.ts"
import { FolderTree } from "../organize/FolderTree.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId, FolderId } from "../shared/Ids.ts"
import { FormEnds } from "./FormEnds.ts"
import { HostUploads } from "./HostUploads.ts"

/** What storage has of the owner, and what is reserved. */
const left = Effect.fnUntraced(function*(owner: AccountId) {
  yield* FormEnds.use((ends) => ends.cleared)
  const memory = yield* MemoryObjectStore
  const store = yield* ObjectStore
  const open = yield* Stream.runCollect(store.listUploads("private"))
  return [
    ...(yield* memory.objects).map(({ key }) => key),
    ...open.map(({ key }) => key)
  ].filter((key) => key.includes(owner))
})

layer(TestDrive, { timeout: "60 seconds" })("Files put by code", (it) => {
  it.effect("HOST-160 when the folder is deleted while the bytes come, that is told, and nothing is kept", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const tree = yield* FolderTree
      const uploads = yield* HostUploads
      const bytes = new Uint8Array(10)
      const methods = ["createUpload", "putPart", "completeUpload", "head", "put", "signForm"] as const
      for (const method of methods) {
        for (const isLimited of [false, true]) {
          const owner = yield* TestAccounts.use((users) => users.add())
          const folder = yield* as(owner)(tree.create(Checked.path("/Gone")))
          const gone = as(owner)(tree.delete(folder.id, "parent")).pipe(Effect.orDie, Effect.asVoid)
          yield* memory.plant(method, Faults.before(gone))
          const isEmpty = method === "put" || method === "signForm"
          const body = isEmpty ? new Uint8Array(0) : bytes
          const limits = isLimited ? { permissions: null, folderId: folder.id as FolderId } : unlimited
          const exit = yield* uploads.put(
            { fileName: Checked.fileName("a"), fileSize: Checked.fileSize(body.length) },
            Stream.make(body),
            isLimited ? undefined : { id: folder.id as FolderId }
          ).pipe(as(owner, limits), Effect.exit)
          assert.deepStrictEqual(
            Exit.isFailure(exit) ? exit.cause.reasons.map((reason) => "error" in reason && reason.error.message) : exit,
            [`No folder of yours has the id ${folder.id}.`],
            `${method} ${isLimited}`
          )
          assert.deepStrictEqual(yield* left(owner), [], method)
          assert.deepStrictEqual(yield* Quota.use((quota) => quota.balance(owner)), { usedBytes: 0, heldBytes: 0 })
        }
      }
    }))
})
