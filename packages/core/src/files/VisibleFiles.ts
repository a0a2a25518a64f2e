/** Which files a call may open, by their ids. */
import { Context, Effect, Layer, Option } from "effect"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import type { FileId } from "../shared/Ids.ts"
import { DerivativesRepo } from "./DerivativesRepo.ts"
import { FilesRepo } from "./FilesRepo.ts"
import type { VisibleFile } from "./VisibleFile.ts"

export class VisibleFiles extends Context.Service<VisibleFiles, {
  /**
   * A file outside trash that the caller can open: their own, public, or shared with them. A call that is limited to a folder
   * opens that folder's, and what is public as anyone does. The picture of a file is found where the file is.
   */
  readonly find: (id: FileId) => Effect.Effect<Option.Option<VisibleFile>, never, CurrentAccount>

  /** A public file outside trash, or the picture of one: for somebody who is not signed in. */
  readonly findPublic: (id: FileId) => Effect.Effect<Option.Option<VisibleFile>>
}>()("@filedrive/core/files/VisibleFiles") {
  static readonly layerNoDeps = Layer.effect(
    VisibleFiles,
    Effect.gen(function*() {
      const files = yield* FilesRepo
      const derivatives = yield* DerivativesRepo

      /** The file of this id, or the picture of this id where `of` finds the file it shows. */
      const orPicture = Effect.fnUntraced(
        function*(id: FileId, of: (id: FileId) => Effect.Effect<Option.Option<Omit<VisibleFile, "isPicture">>>) {
          const found = yield* of(id)
          if (Option.isSome(found)) return Option.some({ ...found.value, isPicture: false })
          const picture = yield* derivatives.find(id)
          if (Option.isNone(picture)) return Option.none()
          return Option.map(yield* of(picture.value.of), ({ isOwn }) => ({ ...picture.value, isOwn, isPicture: true }))
        }
      )

      const find = Effect.fn("VisibleFiles.find")(function*(id: FileId) {
        const account = yield* CurrentAccount
        return yield* orPicture(id, (id) => files.findVisible(account.id, account.limits, id))
      })

      const findPublic = Effect.fn("VisibleFiles.findPublic")((id: FileId) =>
        orPicture(id, (id) => Effect.map(files.findPublic(id), Option.map((file) => ({ ...file, isOwn: false }))))
      )

      return VisibleFiles.of({ find, findPublic })
    })
  )
}
