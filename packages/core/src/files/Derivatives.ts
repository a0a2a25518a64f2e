/**
 * The picture a file is shown by: a track's cover, a video's poster, an image's
 * thumbnail. A file has one at most; it is as public as the file, goes where the
 * file goes and ends with it. It is charged to nobody.
 *
 * Contract: "Files"; spec: `/set-cover`, `/set-video-thumbnail`.
 */
import { Context, Data, DateTime, Effect, Layer, Option, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import type { PendingDeletion } from "../objects/PendingDeletion.ts"
import { adoptionLifetime, PendingDeletions } from "../objects/PendingDeletions.ts"
import { type ObjectAddress, ObjectStore } from "../ports/ObjectStore.ts"
import { NotFound, Unavailable } from "../shared/DriveError.ts"
import { type AccountId, FileId } from "../shared/Ids.ts"
import { type Derivative, DerivativesRepo } from "./DerivativesRepo.ts"
import { FilesRepo } from "./FilesRepo.ts"
import * as ObjectHeaders from "./ObjectHeaders.ts"
import * as StoredFile from "./StoredFile.ts"

export type { Derivative } from "./DerivativesRepo.ts"

type File = StoredFile.StoredFile

/** What a file is to be shown by. */
export interface NewPicture {
  readonly jpeg: Uint8Array
}

/** A stored picture that no row tells of yet; without {@link Derivatives.adopt} it is removed within the hour. */
export interface MadePicture extends Omit<Derivative, "id"> {}

/** What became of a made picture. Unless it was adopted, its removal is due. */
export type Adoption = Data.TaggedEnum<{
  /** The file is shown by it; `former` is the object of the one before, due for removal. */
  Adopted: { readonly derivative: Derivative; readonly former: ReadonlyArray<PendingDeletion> }
  /** The file has a picture already, and that was to stay. */
  Kept: {}
  /** The file has become public, or private, meanwhile: make it again. */
  Elsewhere: {}
  /** There is no such file any more, or it is not to be shown by this. */
  Gone: {}
}>
export const Adoption = Data.taggedEnum<Adoption>()

/** As they are charged to nobody, they are small, whatever they are made of. */
const maxBytes = 300_000

/** How large the pictures are that the drive makes, at most. */
export const pictureBounds = {
  thumbnail: { maxSide: 512, maxBytes },
  poster: { maxSide: 1_280, maxBytes },
  cover: { maxSide: 1_200, maxBytes }
} as const

/** Names that pictures are saved under. */
const fileNames: Partial<Record<File["type"], string>> = { Audio: "cover.jpg", Video: "poster.jpg" }

export class Derivatives extends Context.Service<Derivatives, {
  /**
   * Shows a file of the account's, in trash or not, by another picture from now on; the former one is removed. Whether
   * the caller may do so, they have seen to. Of several at once one stays; nothing is left of the others.
   *
   * Fails with `NotFound` when the file is no more.
   */
  readonly replace: (
    accountId: AccountId,
    fileId: FileId,
    picture: NewPicture
  ) => Effect.Effect<Derivative, NotFound | Unavailable>

  /** Stores a picture where the file is now. To be adopted in a transaction of the caller's. */
  readonly make: (file: File, picture: NewPicture) => Effect.Effect<MadePicture, Unavailable>

  /**
   * Shows the file by a made picture, in place of the one it has or, with `keep`, only if it has none. Removing what is
   * then due is the caller's, after the commit ({@link remains}).
   *
   * Only inside `AccountTransaction.run`. Fails when the picture took so long that its removal has begun.
   */
  readonly adopt: (made: MadePicture, former: "replace" | "keep") => Effect.Effect<Adoption, Unavailable>

  /** Does without a made picture; its removal is due. Only inside `AccountTransaction.run`. */
  readonly giveUp: (made: MadePicture) => Effect.Effect<Adoption>

  /** Removes what an adoption left; what storage does not confirm is the job's. After the commit. */
  readonly remains: (made: MadePicture, adoption: Adoption) => Effect.Effect<void>
}>()("@filedrive/core/files/Derivatives") {
  static readonly layerNoDeps = Layer.effect(
    Derivatives,
    Effect.gen(function*() {
      const repo = yield* DerivativesRepo
      const files = yield* FilesRepo
      const deletions = yield* PendingDeletions
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom
      const store = yield* ObjectStore

      const find = (accountId: AccountId, id: FileId) =>
        Effect.flatMap(
          files.find(accountId, unlimited, id),
          Option.match({
            onNone: () => Effect.fail(new NotFound({ resource: "file", id })),
            onSome: Effect.succeed
          })
        )

      const make = Effect.fn("Derivatives.make")(function*(file: File, { jpeg }: NewPicture) {
        const { accountId } = file
        const at = {
          bucket: file.isPublic ? "public" : "private",
          key: StoredFile.storeKey(accountId, yield* random.uuidV7())
        } as const
        const dueTime = DateTime.addDuration(yield* DateTime.now, adoptionLifetime)
        yield* transaction.run(accountId, () => deletions.schedule(accountId, [asPendingDeletion(at)], dueTime))
        const named = { fileName: fileNames[file.type] ?? "thumbnail.jpg", mimeType: "image/jpeg" }
        const { etag, sizeBytes } = yield* store.put({
          at,
          headers: ObjectHeaders.of(named, at.bucket),
          sizeBytes: jpeg.length,
          body: Stream.make(jpeg)
        })
        return {
          ...named,
          accountId,
          of: file.id,
          isPublic: file.isPublic,
          publicKey: null,
          storeKey: at.key,
          etag,
          sizeBytes
        }
      })

      const adopt = Effect.fn("Derivatives.adopt")(function*(made: MadePicture, former: "replace" | "keep") {
        const { accountId, isPublic, of, storeKey } = made
        const now = yield* DateTime.now
        const file = yield* files.find(accountId, unlimited, of)
        const obstacle = Option.isNone(file)
          ? Adoption.Gone()
          : file.value.isPublic !== isPublic
          ? Adoption.Elsewhere()
          : former === "keep" && Option.isSome(yield* repo.findOf(accountId, of))
          ? Adoption.Kept()
          : undefined
        if (obstacle !== undefined) {
          yield* deletions.schedule(accountId, [objectOf(made)], now)
          return obstacle
        }
        const left = yield* repo.removeOf(accountId, of)
        yield* deletions.schedule(accountId, left, now)
        if (!(yield* deletions.cancel(accountId, objectOf(made)))) {
          return yield* new Unavailable({
            code: "storage_unavailable",
            cause: new Error(`storing ${storeKey} took so long that it is being removed`)
          })
        }
        const derivative = { ...made, id: FileId.make(yield* random.uuidV7()) }
        yield* repo.insert(derivative, DateTime.toDateUtc(now))
        return Adoption.Adopted({ derivative, former: left })
      })

      const giveUp = Effect.fn("Derivatives.giveUp")(function*(made: MadePicture) {
        yield* deletions.schedule(made.accountId, [objectOf(made)], yield* DateTime.now)
        return Adoption.Gone()
      })

      const remains = Effect.fn("Derivatives.remains")(function*(made: MadePicture, adoption: Adoption) {
        yield* deletions.removeNow(made.accountId, adoption._tag === "Adopted" ? adoption.former : [objectOf(made)])
      })

      const replace: Derivatives["Service"]["replace"] = Effect.fn("Derivatives.replace")(
        function*(accountId, fileId, picture) {
          while (true) {
            const made = yield* make(yield* find(accountId, fileId), picture)
            const adoption = yield* transaction.run(accountId, () => adopt(made, "replace"))
            yield* remains(made, adoption)
            if (adoption._tag === "Adopted") return adoption.derivative
          }
        }
      )

      return Derivatives.of({ replace, make, adopt, giveUp, remains })
    })
  )
}

const objectOf = ({ isPublic, storeKey }: MadePicture): PendingDeletion => ({
  bucket: isPublic ? "public" : "private",
  storeKey
})

const asPendingDeletion = ({ bucket, key }: ObjectAddress): PendingDeletion => ({ bucket, storeKey: key })
