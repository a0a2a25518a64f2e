/** Folders of an account: where its files sit. */
import { Context, DateTime, Effect, Layer, type Option, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Ledger } from "../accounts/Ledger.ts"
import { InvalidField } from "../shared/DriveError.ts"
import { type AccountId, FolderId } from "../shared/Ids.ts"
import { foldCase } from "../shared/Text.ts"
import * as FolderPath from "./FolderPath.ts"
import { type Folder, FoldersRepo } from "./FoldersRepo.ts"

export class Folders extends Context.Service<Folders, {
  /** The account's folder with this id. */
  readonly find: (accountId: AccountId, id: FolderId) => Effect.Effect<Option.Option<Folder>>

  /**
   * The folder at `path`, made with its missing parents; null for the top of
   * the drive. Repeating, and naming it in another case, answers the same one.
   *
   * Fails with `InvalidField` naming `field` when the path is not one.
   */
  readonly ensure: (
    accountId: AccountId,
    path: string,
    field: string
  ) => Effect.Effect<Folder | null, InvalidField>
}>()("@filedrive/core/organize/Folders") {
  static readonly layerNoDeps = Layer.effect(
    Folders,
    Effect.gen(function*() {
      const repo = yield* FoldersRepo
      const ledger = yield* Ledger
      const random = yield* SecureRandom.SecureRandom

      const ensure = Effect.fn("Folders.ensure")(function*(accountId: AccountId, path: string, field: string) {
        const parsed = FolderPath.parse(path)
        if (Result.isFailure(parsed)) {
          return yield* new InvalidField({ code: "invalid_field", field, because: parsed.failure })
        }
        const names = parsed.success
        if (names.length === 0) return null
        const prefixes = names.map((_, depth) => names.slice(0, depth + 1))
        return yield* ledger.locked(accountId, () =>
          Effect.gen(function*() {
            const there = yield* repo.findByPath(accountId, prefixes.map(FolderPath.fold))
            const insertTime = DateTime.toDateUtc(yield* DateTime.now)
            let parent: Folder | null = null
            for (const prefix of prefixes) {
              const foldedPath = FolderPath.fold(prefix)
              const found: Folder | undefined = there.get(foldedPath)
              if (found !== undefined) {
                parent = found
                continue
              }
              const name = prefix.at(-1)!
              const folder: Folder = {
                id: FolderId.make(yield* random.uuidV7()),
                path: `${parent?.path ?? ""}/${name}`
              }
              yield* repo.insert({
                ...folder,
                accountId,
                parentId: parent?.id ?? null,
                name,
                foldedName: foldCase(name),
                foldedPath,
                depth: prefix.length,
                insertTime
              })
              parent = folder
            }
            return parent
          }))
      })

      return Folders.of({ find: repo.find, ensure })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(FoldersRepo.layer))
}
