import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { input, type UploadCall, uploadOnForm } from "../../test/UploadsTest.ts"
import { Quota } from "../accounts/Quota.ts"
import { FileDetails } from "../files/FileDetails.ts"
import { Forms } from "./Forms.ts"
import { Inserts } from "./Inserts.ts"
import { Uploads } from "./Uploads.ts"

const wrongNames = ["", " ", "a\u0000", "a\ud800", "a\r\nb", "x".repeat(5_000), 7, undefined]

const wrongFields: ReadonlyArray<readonly [field: string, value: unknown]> = [
  ...wrongNames.map((name) => ["fileName", name] as const),
  ...[-1, 1.5, NaN, Infinity, "5", Number.MAX_SAFE_INTEGER].map((size) => ["fileSize", size] as const),
  ...["text/plain\r\nx: y", "a", 7].map((type) => ["mimeType", type] as const),
  ...["Nothing", undefined].map((type) => ["type", type] as const),
  ...["users/x\u0000", 7, undefined].map((key) => ["objectKey", key] as const)
]

layer(TestDrive, { timeout: "60 seconds" })("The core's own services", (it) => {
  it.effect("HOST-33 refuse what a route would, whoever calls them, and hold nothing for it", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const [forms, inserts, uploads] = [yield* Forms, yield* Inserts, yield* Uploads]
      for (const [field, value] of wrongFields) {
        const file = input(owner, 5, { [field]: value })
        const calls: ReadonlyArray<UploadCall> = [forms.create(file), inserts.insert(file), uploads.open(file)]
        for (const call of calls) {
          const refusal = yield* call.pipe(as(owner), Effect.flip)
          assert.strictEqual(refusal._tag, "InvalidField")
          assert.deepInclude(refusal, { field }, `${field} ${String(value).slice(0, 20)}`)
        }
      }
      assert.deepStrictEqual(yield* Quota.use((quota) => quota.balance(owner)), { usedBytes: 0, heldBytes: 0 })

      const id = yield* uploadOnForm(input(owner, 5), "hello").pipe(as(owner))
      const details = yield* FileDetails
      for (const name of wrongNames) {
        const refusal = yield* details.rename(id, name as string).pipe(as(owner), Effect.flip)
        assert.deepInclude(refusal, { _tag: "InvalidField", field: "fileName" })
      }
      for (const text of ["a\u0000", "x".repeat(10_001), 7, undefined]) {
        const refusal = yield* details.describe(id, text as string).pipe(as(owner), Effect.flip)
        assert.deepInclude(refusal, { _tag: "InvalidField", field: "description" })
      }
      for (const other of ["7", "", 7]) {
        const refusal = yield* details.rename(other as never, "a").pipe(as(owner), Effect.flip)
        assert.deepInclude(refusal, { _tag: "InvalidField", field: "fileId" })
      }
      const renamed = yield* details.rename(id, "b.bin").pipe(as(owner))
      assert.deepInclude(renamed, { fileName: "b.bin", description: null })
    }))
})
