/**
 * What a caller has of an upload: a token valid for seven days, and URLs of
 * its parts good for one. Spec: Limits, "Multipart token lifetime", "Signed part URL lifetime".
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import type { CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Limits from "../limits/Limits.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { Refused } from "../shared/DriveError.ts"
import type { DropId, UploadId } from "../shared/Ids.ts"
import * as SecretToken from "../shared/SecretToken.ts"
import * as PartPlan from "./PartPlan.ts"
import { addressOf, type Upload, UploadToken } from "./Upload.ts"
import { UploadsRepo } from "./UploadsRepo.ts"

export interface SignedPart {
  readonly partNumber: number
  readonly url: string
  /** Bytes the URL accepts: exactly this part's length. */
  readonly sizeBytes: number
}

const make = Effect.gen(function*() {
  const digest = yield* Digest.Digest
  const random = yield* SecureRandom.SecureRandom
  const repo = yield* UploadsRepo
  const store = yield* ObjectStore

  /** A new token for an upload; inside the transaction that opens it. */
  const give = Effect.fnUntraced(
    function*(uploadId: UploadId) {
      const token = yield* SecretToken.make("fdu_")
      const expireTime = DateTime.addDuration(yield* DateTime.now, Limits.uploadTokenLifetime)
      yield* repo.insertToken(uploadId, token.hash, expireTime)
      return UploadToken.make(token.text)
    },
    Effect.provideService(Digest.Digest, digest),
    Effect.provideService(SecureRandom.SecureRandom, random)
  )

  /** The upload of a token, which the call may continue, or a refusal that tells a stranger nothing. `drop` is the drop of a sender's call. */
  const find = Effect.fnUntraced(function*(
    { id, limits }: CurrentAccount["Service"],
    token: UploadToken,
    drop?: DropId
  ) {
    const hash = yield* SecretToken.hash(token)
    return yield* repo.findByToken(id, limits, hash, yield* DateTime.now).pipe(
      Effect.map(Option.filter(({ deliveredTo }) => deliveredTo?.dropId === drop)),
      Effect.flatMap(Effect.fromOption),
      Effect.mapError(() =>
        new Refused({ code: "not_allowed", because: "This upload token is not yours, or has lapsed." })
      )
    )
  }, Effect.provideService(Digest.Digest, digest))

  /** URLs of these parts, in this order, and when they stop working. */
  const sign = Effect.fnUntraced(
    function*(upload: Upload, plan: PartPlan.PartPlan, partNumbers: ReadonlyArray<number>) {
      const expireTime = DateTime.addDuration(yield* DateTime.now, Limits.partUrlLifetime)
      const planned = partNumbers.map((partNumber) => ({
        partNumber,
        sizeBytes: PartPlan.partLength(plan, partNumber)
      }))
      const urls = yield* store.signParts({
        at: addressOf(upload),
        uploadId: upload.storageId,
        parts: planned,
        lifetime: Limits.partUrlLifetime
      })
      return { parts: planned.map((part, i): SignedPart => ({ ...part, url: urls[i]! })), expireTime }
    }
  )

  return { give, find, sign }
})

export class UploadTokens extends Context.Service<UploadTokens, Effect.Success<typeof make>>()(
  "@filedrive/core/uploads/UploadTokens"
) {
  static readonly layerNoDeps = Layer.effect(UploadTokens, make)
}
