/**
 * The open forms that this process has issued last, as it remembers them: whoever inserts what was uploaded with one need not look
 * it up. What is remembered may have ended meanwhile: the transaction that records the file decides.
 */
import { Context, Layer } from "effect"
import { isSameLimits, type Limits } from "../accounts/CurrentAccount.ts"
import type { AccountId } from "../shared/Ids.ts"
import { LruCache } from "../shared/LruCache.ts"
import type { Form, OpenForm, StoredForm } from "./Form.ts"

/** Forms that are remembered, of all accounts. */
const rememberedMost = 5_000

export class IssuedForms extends Context.Service<IssuedForms, {
  readonly remember: (form: Form) => void
  /** The open form of a key, if it was issued to a call with the same limits and without a folder, which may be gone. */
  readonly find: (accountId: AccountId, objectKey: string, limits: Limits) => OpenForm | undefined
  /** Forgets forms that have ended. */
  readonly forget: (forms: ReadonlyArray<StoredForm>) => void
}>()("@filedrive/core/uploads/IssuedForms") {
  static readonly layer = Layer.sync(IssuedForms, () => {
    const forms = new LruCache<string, OpenForm>(rememberedMost, (form) => keys.delete(form.id))
    /** By id, where {@link forms} has them. */
    const keys = new Map<string, string>()
    return IssuedForms.of({
      remember: ({ accountId, folderId, id, objectKey, permissions, sizeBytes, storeKey }) => {
        const key = `${accountId}/${objectKey}`
        const form = { id, accountId, objectKey, storeKey, sizeBytes, permissions, folderId, isWithin: true }
        forms.set(key, form, 1)
        keys.set(id, key)
      },
      find: (accountId, objectKey, limits) => {
        const form = forms.get(`${accountId}/${objectKey}`)
        return form !== undefined && form.folderId === null && isSameLimits(form, limits) ? form : undefined
      },
      forget: (ended) => {
        for (const { id } of ended) {
          const key = keys.get(id)
          if (key !== undefined) forms.delete(key)
        }
      }
    })
  })
}
