/** Features learn here of folders that are about to be deleted, and note what they need to know of them. */
import { Context, Effect, Layer } from "effect"
import { TokenLifetimes } from "../accounts/TokenLifetimes.ts"
import type { AccountId, FolderId } from "../shared/Ids.ts"
import { Waits } from "../waits/Waits.ts"

type Listener = (accountId: AccountId, folderIds: ReadonlyArray<FolderId>) => Effect.Effect<void>

export class FolderRemovals extends Context.Service<FolderRemovals, {
  /** From now on {@link removing} runs this as well. It runs in the transaction that deletes the folders, while their rows are there. */
  readonly onRemoving: (run: Listener) => Effect.Effect<void>

  /** Only inside `AccountTransaction.run`, before the folders are deleted. */
  readonly removing: Listener
}>()("@filedrive/core/organize/FolderRemovals") {
  static readonly layer = Layer.effect(
    FolderRemovals,
    Effect.gen(function*() {
      const waits = yield* Waits
      const tokens = yield* TokenLifetimes
      const listeners: Array<Listener> = [waits.onFoldersRemoved, tokens.endOfFolders]
      return FolderRemovals.of({
        onRemoving: (run) => Effect.sync(() => void listeners.push(run)),
        removing: (accountId, folderIds) =>
          Effect.forEach(listeners, (run) => run(accountId, folderIds), { discard: true })
      })
    })
  ).pipe(Layer.provide(TokenLifetimes.layer))
}
