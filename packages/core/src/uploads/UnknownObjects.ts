/** What storage holds and nothing in the database accounts for. Read across every account. */
import { Context, Effect, Layer } from "effect"
import { LiveKeys } from "../objects/LiveKeys.ts"
import type { Bucket } from "../ports/ObjectStore.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { UploadsRepo } from "./UploadsRepo.ts"

const make = Effect.gen(function*() {
  const files = yield* LiveKeys
  const forms = yield* FormsRepo
  const uploads = yield* UploadsRepo

  /** Those of a bucket's keys that nothing accounts for. Uploads arrive in the private one only. */
  const among = Effect.fnUntraced(function*(bucket: Bucket, keys: ReadonlyArray<string>) {
    const known = yield* Effect.all([
      files.among(bucket, keys),
      ...(bucket === "private" ? [uploads.known(keys), forms.known(keys)] : [])
    ])
    return keys.filter((key) => !known.some((set) => set.has(key)))
  })

  return { among }
})

export class UnknownObjects extends Context.Service<UnknownObjects, Effect.Success<typeof make>>()(
  "@filedrive/core/uploads/UnknownObjects"
) {
  static readonly layerNoDeps = Layer.effect(UnknownObjects, make)
}
