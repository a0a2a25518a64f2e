/** The folders of an account. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Limits from "../limits/Limits.ts"
import { InvalidField, NotFound, Refused } from "../shared/DriveError.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { type AccountId, FolderId } from "../shared/Ids.ts"
import { foldCase } from "../shared/Text.ts"
import type { Folder, ResolvedFolder, StoredFolder } from "./Folder.ts"
import { FoldersRepo } from "./FoldersRepo.ts"

/** A destination: a path, whose missing folders are made, or a folder's id; null is the top of the drive. */
export type Destination =
  | { readonly path: FolderPath.Path; readonly field: string }
  | { readonly id: FolderId | null }

export class Folders extends Context.Service<Folders, {
  /** The account's folder with this id. */
  readonly find: (accountId: AccountId, id: FolderId) => Effect.Effect<Option.Option<Folder>>

  /**
   * The folder at `path`, made with its missing parents; null for the top of
   * the drive. Repeating, and naming it in another case, returns the same one.
   * Inside `AccountTransaction.run` it is there until the end of the transaction.
   *
   * Fails with `InvalidField` naming `field` when the folder would be too deep.
   */
  readonly ensure: (
    accountId: AccountId,
    path: FolderPath.Path,
    field: string
  ) => Effect.Effect<Folder | null, InvalidField>

  /**
   * {@link ensure} for many paths at once: each one's folder by its folded path, without the top of the drive.
   * Only inside `AccountTransaction.run`.
   */
  readonly ensureAll: (
    accountId: AccountId,
    paths: ReadonlyArray<FolderPath.FolderPath>
  ) => Effect.Effect<ReadonlyMap<string, FolderId>>

  /**
   * The caller's folder with this id, when the call may see it: it is the folder
   * of the call's limits or inside it. Fails with `NotFound`.
   */
  readonly seen: (id: FolderId) => Effect.Effect<StoredFolder, NotFound, CurrentAccount>

  /**
   * The same, when the call may change the folder itself: the one of its own
   * limits it may not. Fails with `NotFound`, `Refused` (`token_limit`).
   */
  readonly changeable: (id: FolderId) => Effect.Effect<StoredFolder, NotFound | Refused, CurrentAccount>

  /**
   * Resolves a caller's destination. Only inside `AccountTransaction.run`.
   *
   * Fails with `InvalidField` when the folder would be too deep, `NotFound` when no folder
   * that the call sees has the id, `Refused` (`token_limit`) when the path leads
   * out of the call's limits.
   */
  readonly destination: (
    to: Destination
  ) => Effect.Effect<StoredFolder | null, InvalidField | NotFound | Refused, CurrentAccount>
}>()("@filedrive/core/organize/Folders") {
  static readonly layerNoDeps = Layer.effect(
    Folders,
    Effect.gen(function*() {
      const repo = yield* FoldersRepo
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom

      /**
       * Makes those of the folders, and of those above them, that are missing; all by their folded paths. Only inside
       * `AccountTransaction.run`. Fails with the reason when one would be too deep, also because it is in a folder that is being moved.
       */
      const build = Effect.fnUntraced(function*(accountId: AccountId, paths: ReadonlyArray<FolderPath.FolderPath>) {
        const prefixes = new Map<string, FolderPath.FolderPath>()
        for (const prefix of paths.flatMap((names) => names.map((_, depth) => names.slice(0, depth + 1)))) {
          const foldedPath = FolderPath.fold(prefix)
          if (!prefixes.has(foldedPath)) prefixes.set(foldedPath, prefix)
        }
        const folders = new Map(yield* repo.findByPath(accountId, [...prefixes.keys()]))
        const made: Array<ResolvedFolder> = []
        // A folder's prefixes come before it, however many paths go through them.
        for (const [foldedPath, names] of prefixes) {
          if (folders.has(foldedPath)) continue
          const parent = folders.get(FolderPath.fold(names.slice(0, -1)))
          const name = names.at(-1)!
          const depth = (parent?.depth ?? 0) + 1
          if (depth + (parent?.lag ?? 0) > Limits.folderMaxDepth) return yield* Effect.fail(FolderPath.tooDeep)
          const folder: ResolvedFolder = {
            id: FolderId.make(yield* random.uuidV7()),
            accountId,
            parentId: parent?.id ?? null,
            name,
            foldedName: foldCase(name),
            path: `${parent?.path ?? ""}/${name}`,
            foldedPath: `${parent?.foldedPath ?? ""}/${foldCase(name)}`,
            depth,
            fileCount: 0,
            ...(parent?.lag !== undefined && { lag: parent.lag })
          }
          folders.set(foldedPath, folder)
          made.push(folder)
        }
        if (made.length > 0) yield* repo.insert(accountId, made, DateTime.toDateUtc(yield* DateTime.now))
        return folders
      })

      const at = Effect.fnUntraced(function*(accountId: AccountId, names: FolderPath.FolderPath, field: string) {
        if (names.length === 0) return null
        const foldedPath = FolderPath.fold(names)
        // Most folders are there already, and then nobody needs to wait for the lock.
        const found = (yield* repo.findByPath(accountId, [foldedPath])).get(foldedPath)
        if (found !== undefined) return found
        const made = yield* Effect.mapError(
          transaction.share(accountId, () => build(accountId, [names])),
          invalid(field)
        )
        return made.get(foldedPath)!
      })

      const ensure = Effect.fn("Folders.ensure")(function*(accountId: AccountId, path: FolderPath.Path, field: string) {
        const folder = yield* at(accountId, FolderPath.names(path), field)
        return folder && { id: folder.id, path: folder.path }
      })

      const ensureAll = Effect.fn("Folders.ensureAll")(
        function*(accountId: AccountId, paths: ReadonlyArray<FolderPath.FolderPath>) {
          const named = new Map(paths.flatMap((names) => names.length === 0 ? [] : [[FolderPath.fold(names), names]]))
          if (named.size === 0) return new Map()
          const there = yield* repo.findByPath(accountId, [...named.keys()])
          const missing = [...named].flatMap(([foldedPath, names]) => there.has(foldedPath) ? [] : [names])
          const made = missing.length === 0 ? there : yield* Effect.orDie(build(accountId, missing))
          const idOf = (foldedPath: string) => (there.get(foldedPath) ?? made.get(foldedPath)!).id
          return new Map([...named.keys()].map((foldedPath) => [foldedPath, idOf(foldedPath)]))
        }
      )

      /** The folder the call is limited to, or null when it is not. */
      const limit = Effect.gen(function*() {
        const { id, limits } = yield* CurrentAccount
        if (limits.folderId === null) return null
        const found = yield* repo.find(id, limits.folderId)
        // It was deleted since the call began.
        return Option.isSome(found) ? found.value : yield* outside
      })

      /** Whether a folder is inside the limit; not when only its former path is, and it follows a folder that has left. */
      const isWithin = Effect.fnUntraced(function*(folder: StoredFolder, top: StoredFolder) {
        if (!FolderPath.isInside(folder.foldedPath, top.foldedPath)) return false
        const moving = Option.getOrNull(yield* repo.moving(folder.accountId))
        if (moving === null || moving.id === folder.id) return true
        return !FolderPath.isInside(folder.foldedPath, moving.formerFoldedPath)
          || FolderPath.isInside(top.foldedPath, moving.formerFoldedPath)
          || FolderPath.isInside(moving.foldedPath, top.foldedPath)
      })

      const seen = Effect.fn("Folders.seen")(function*(folderId: FolderId) {
        const missing = new NotFound({ resource: "folder", id: folderId })
        const { id } = yield* CurrentAccount
        const top = yield* Effect.mapError(limit, () => missing)
        const found = yield* repo.find(id, folderId)
        if (Option.isNone(found)) return yield* missing
        if (top !== null && !(yield* isWithin(found.value, top))) return yield* missing
        return found.value
      })

      const changeable = Effect.fn("Folders.changeable")(function*(folderId: FolderId) {
        const { limits } = yield* CurrentAccount
        const folder = yield* seen(folderId)
        if (folder.id === limits.folderId) return yield* outside
        return folder
      })

      const destination = Effect.fn("Folders.destination")(function*(to: Destination) {
        const { id, limits } = yield* CurrentAccount
        if ("id" in to) {
          if (to.id !== null) return yield* seen(to.id)
          return limits.folderId === null ? null : yield* outside
        }
        const names = FolderPath.names(to.path)
        const top = yield* limit
        if (top !== null && !FolderPath.isInside(FolderPath.fold(names), top.foldedPath)) return yield* outside
        const folder = yield* at(id, names, to.field)
        // A folder that has left the limits is found by its former path too, while others follow it.
        if (top !== null && folder !== null && !(yield* isWithin(folder, top))) return yield* outside
        return folder
      })

      return Folders.of({
        find: (accountId, id) => Effect.map(repo.find(accountId, id), Option.map(({ id, path }) => ({ id, path }))),
        ensure,
        ensureAll,
        seen,
        changeable,
        destination
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(FoldersRepo.layer))
}

const invalid = (field: string) => (because: string) => new InvalidField({ code: "invalid_field", field, because })

const outside = new Refused({ code: "token_limit", because: "This token may not reach outside its folder." })
