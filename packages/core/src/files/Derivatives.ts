/**
 * The picture a file is shown by: a track's cover, a video's poster, an image's
 * thumbnail. A file has one at most; it is as public as the file, goes where the
 * file goes and ends with it. Beside it the preview that players open in its place and the peaks of its sound, which stay
 * in the private bucket. All of it is charged to nobody.
 *
 * Contract: "Files"; spec: `/set-cover`, `/set-video-thumbnail`.
 */
import { Context, Data, DateTime, Effect, Layer, Option, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { NewObjects } from "../objects/NewObjects.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import type * as PendingDeletion from "../objects/PendingDeletion.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { NotFound, type Unavailable } from "../shared/DriveError.ts"
import { type AccountId, FileId } from "../shared/Ids.ts"
import type { Derivative, DerivativeKind } from "./Derivative.ts"
import { DerivativesRepo } from "./DerivativesRepo.ts"
import { FilesRepo } from "./FilesRepo.ts"
import * as StoredFile from "./StoredFile.ts"

type File = StoredFile.StoredFile

/** What can be made of a file besides its picture. */
export type OtherKind = Exclude<DerivativeKind, "picture">

/** What a file is to be shown by. */
export interface NewPicture {
  readonly jpeg: Uint8Array
}

/** A stored picture that has no row yet. */
export interface MadePicture extends Omit<Derivative, "id"> {}

/** The outcome for a made picture. Unless it was adopted, it is removed. */
export type Adoption = Data.TaggedEnum<{
  /** The file is shown by it; `former` is the object of the one before, due for removal. */
  Adopted: { readonly derivative: Derivative; readonly former: ReadonlyArray<PendingDeletion.PendingDeletion> }
  /** The file has a picture already, and that was to stay. */
  Kept: {}
  /** The file has become public, or private, meanwhile: make it again. */
  Elsewhere: {}
  /** The file no longer exists, or must not be shown by this picture. */
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
   * the caller may do so was checked before. Of several at once one stays; nothing is left of the others.
   *
   * Fails with `NotFound` when the file does not exist.
   */
  readonly replace: (
    accountId: AccountId,
    fileId: FileId,
    picture: NewPicture
  ) => Effect.Effect<Derivative, NotFound | Unavailable>

  /**
   * Stores a picture where the file is now, and runs `save` in the account's transaction, which is to {@link adopt} it.
   * Removes it if it was not adopted, else the former one; a job removes what storage does not confirm.
   */
  readonly make: <E>(
    file: File,
    picture: NewPicture,
    save: (made: MadePicture) => Effect.Effect<Adoption, E>
  ) => Effect.Effect<Adoption, E | Unavailable>

  /**
   * Shows the file by a made picture, in place of the one it has or, with `keep`, only if it has none.
   *
   * Only inside `AccountTransaction.run`. Fails when the picture took so long that its removal has begun.
   */
  readonly adopt: (made: MadePicture, former: "replace" | "keep") => Effect.Effect<Adoption, Unavailable>

  /** What is made of a file of the account's, besides its picture. */
  readonly find: (
    accountId: AccountId,
    fileId: FileId,
    kind: OtherKind
  ) => Effect.Effect<Option.Option<Derivative>>

  /**
   * Takes an object that was made in the private bucket, and listed for deletion before, for the file's preview or peaks, in
   * place of the one it has. Unless the file exists no longer, in trash or not: then nothing is changed.
   *
   * Only inside `AccountTransaction.run`. Fails when the object took so long that its removal has begun.
   */
  readonly adoptAs: (kind: OtherKind, made: MadePicture) => Effect.Effect<Adoption, Unavailable>
}>()("@filedrive/core/files/Derivatives") {
  static readonly layerNoDeps = Layer.effect(
    Derivatives,
    Effect.gen(function*() {
      const repo = yield* DerivativesRepo
      const files = yield* FilesRepo
      const deletions = yield* PendingDeletions
      const newObjects = yield* NewObjects
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

      const make: Derivatives["Service"]["make"] = Effect.fn("Derivatives.make")(
        function*(file, { jpeg }, save) {
          const { accountId, isPublic } = file
          const storeKey = StoreKey.make("files", accountId, yield* random.uuidV7())
          const at = StoredFile.address({ isPublic, storeKey })
          const named = { fileName: fileNames[file.type] ?? "thumbnail.jpg", mimeType: "image/jpeg" }
          const adoption = yield* newObjects.make(accountId, at, {
            create: store.put({
              at,
              headers: ObjectHeaders.of(named, at.bucket),
              sizeBytes: jpeg.length,
              body: Stream.make(jpeg)
            }),
            adopt: ({ etag, sizeBytes }) =>
              transaction.share(
                accountId,
                () => save({ ...named, accountId, of: file.id, isPublic, publicKey: null, storeKey, etag, sizeBytes })
              ),
            isAdopted: ({ _tag }) => _tag === "Adopted"
          })
          if (adoption._tag === "Adopted") yield* deletions.removeNow(accountId, adoption.former)
          return adoption
        }
      )

      const adopt = Effect.fn("Derivatives.adopt")(function*(made: MadePicture, former: "replace" | "keep") {
        const { accountId, isPublic, of } = made
        const now = yield* DateTime.now
        const file = yield* files.find(accountId, unlimited, of)
        if (Option.isNone(file)) return Adoption.Gone()
        if (file.value.isPublic !== isPublic) return Adoption.Elsewhere()
        if (former === "keep" && Option.isSome(yield* repo.findOf(accountId, of))) return Adoption.Kept()
        const left = yield* repo.removeOf(accountId, of)
        yield* deletions.schedule(accountId, left, now)
        yield* newObjects.adopt(accountId, StoredFile.address(made))
        const derivative = { ...made, id: FileId.make(yield* random.uuidV7()) }
        yield* repo.insert(derivative, DateTime.toDateUtc(now))
        return Adoption.Adopted({ derivative, former: left })
      })

      const adoptAs = Effect.fn("Derivatives.adoptAs")(function*(kind: OtherKind, made: MadePicture) {
        const { accountId, of } = made
        const now = yield* DateTime.now
        if (Option.isNone(yield* files.find(accountId, unlimited, of))) return Adoption.Gone()
        const former = yield* repo.removeOf(accountId, of, kind)
        yield* deletions.schedule(accountId, former, now)
        yield* newObjects.adopt(accountId, StoredFile.address(made))
        const derivative = { ...made, id: FileId.make(yield* random.uuidV7()) }
        yield* repo.insert(derivative, DateTime.toDateUtc(now), kind)
        return Adoption.Adopted({ derivative, former })
      })

      const replace: Derivatives["Service"]["replace"] = Effect.fn("Derivatives.replace")(
        function*(accountId, fileId, picture) {
          while (true) {
            const file = yield* find(accountId, fileId)
            const adoption = yield* make(file, picture, (made) => adopt(made, "replace"))
            if (adoption._tag === "Adopted") return adoption.derivative
          }
        }
      )

      return Derivatives.of({ replace, make, adopt, find: repo.findOf, adoptAs })
    })
  )
}
