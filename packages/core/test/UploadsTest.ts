/** The uploads of a drive in memory, and how a client plays its part. */
import { MemoryObjectStore } from "@filedrive/testing"
import { Effect, Exit } from "effect"
import type { CurrentAccount } from "../src/accounts/CurrentAccount.ts"
import { Quota } from "../src/accounts/Quota.ts"
import type { SignedForm } from "../src/ports/ObjectStore.ts"
import type { DriveError } from "../src/shared/DriveError.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import type { FileInput } from "../src/uploads/FileInput.ts"
import { FormEnds } from "../src/uploads/FormEnds.ts"
import { Forms } from "../src/uploads/Forms.ts"
import { Inserts } from "../src/uploads/Inserts.ts"
import { Uploads } from "../src/uploads/Uploads.ts"
import type { SignedPart } from "../src/uploads/UploadTokens.ts"
import * as Checked from "./Checked.ts"

/** Any call of uploads, for tests that hold many to one rule. */
export type UploadCall = Effect.Effect<unknown, DriveError, CurrentAccount | Forms | Inserts | Uploads>

export const MiB = 1024 ** 2

export const input = (owner: AccountId, fileSize: number, change: Partial<Checked.Raw<typeof FileInput>> = {}) =>
  Checked.fileInput({
    type: "Other",
    fileName: Checked.fileName("a.bin"),
    fileSize: Checked.fileSize(fileSize),
    objectKey: Checked.objectKey(`users/${owner}/a.bin`),
    ...change
  })

/** Posts `body` on a form, as a browser would; returns the status. */
export const post = Effect.fnUntraced(function*(form: SignedForm, body: string) {
  const store = yield* MemoryObjectStore
  const data = new FormData()
  for (const [name, value] of Object.entries(form.fields)) data.append(name, value)
  data.append("file", new Blob([body]))
  return (yield* Effect.promise(() => store.fetch(form.url, { method: "POST", body: data }))).status
})

/** Sends a part of zeros; returns the status. */
export const put = Effect.fnUntraced(function*(part: SignedPart, sizeBytes = part.sizeBytes) {
  const store = yield* MemoryObjectStore
  return yield* store.sendZeros(part.url, sizeBytes)
})

export const balance = (owner: AccountId) => Quota.use((quota) => quota.balance(owner))

/** The keys of what storage holds of one account. */
export const held = Effect.fnUntraced(function*(owner: AccountId) {
  yield* FormEnds.use((ends) => ends.cleared)
  const store = yield* MemoryObjectStore
  return (yield* store.objects).filter(({ key }) => key.includes(owner)).map(({ key }) => key)
})

/** A one-piece upload from form to file; returns its id. */
export const uploadOnForm = Effect.fnUntraced(function*(file: FileInput, body: string) {
  const form = yield* Forms.use((forms) => forms.create(file))
  yield* post(form, body)
  return (yield* Inserts.use((inserts) => inserts.insert(file))).id
})

/** Opens an upload and sends every part that is not there. */
export const sendParts = Effect.fnUntraced(function*(file: FileInput) {
  const uploads = yield* Uploads
  const opened = yield* uploads.open(file)
  yield* Effect.forEach(opened.signed, (part) => put(part))
  return opened
})

/** The code and field of a refusal; "died" for a fault. */
export const codes = (exit: Exit.Exit<unknown, DriveError>) =>
  Exit.match(exit, {
    onFailure: (cause) =>
      cause.reasons.flatMap((reason) =>
        reason._tag === "Fail"
          ? [reason.error.code, "field" in reason.error ? reason.error.field : undefined]
          : ["died"]
      ),
    onSuccess: () => ["succeeded"]
  })
