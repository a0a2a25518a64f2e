/** Forms for the relay: the store's own kind, signed with a secret of the drive. */
import type { ObjectStore } from "@filedrive/core"
import type { DateTime } from "effect"
import { type Credentials, presignForm, type SigningStore } from "../Signature.ts"

/** The relay as a store of its own: its address, and the credentials that sign its forms. */
export const relayStore = (url: string, secret: string): SigningStore => {
  const credentials: Credentials = { accessKeyId: "relay", secretAccessKey: secret }
  return { endpoint: url, region: "relay", forcePathStyle: true, credentials }
}

export const signRelayForm = (
  store: SigningStore,
  form: {
    readonly at: ObjectStore.ObjectAddress
    readonly fields: Readonly<Record<string, string>>
    readonly sizeBytes: number
    readonly now: DateTime.Utc
    readonly lifetimeSeconds: number
  }
): ObjectStore.SignedForm => presignForm(store, { ...form, bucket: form.at.bucket, key: form.at.key })
