/** The rules of file requests for uploads: how much room there is, where files land, and what is noted of them. */
import { Context, DateTime, Effect, Layer, Result } from "effect"
import { Quota } from "../accounts/Quota.ts"
import { Folders } from "../organize/Folders.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import type { AccountId, RequestId } from "../shared/Ids.ts"
import { Deliveries } from "../uploads/Deliveries.ts"
import type { DeliveryIds, DeliveryRules } from "../uploads/Delivery.ts"
import { DropsRepo } from "./DropsRepo.ts"
import * as DropState from "./DropState.ts"

export class DropRules extends Context.Service<DropRules, DeliveryRules>()("@filedrive/core/requests/DropRules") {
  static readonly layerNoDeps = Layer.effect(
    DropRules,
    Effect.gen(function*() {
      const deliveries = yield* Deliveries
      const folders = yield* Folders
      const quota = yield* Quota
      const repo = yield* DropsRepo

      const dropIds = (ids: ReadonlyArray<DeliveryIds>) => [...new Set(ids.map(({ dropId }) => dropId))]

      const room: DeliveryRules["room"] = Effect.fnUntraced(function*(accountId, ids, quotaBytes) {
        const requestId = ids[0]!.requestId
        const [{ drops, request }, open, sent, balance] = yield* Effect.all([
          repo.state(accountId, requestId, dropIds(ids)),
          deliveries.open(accountId, [requestId]),
          repo.sentKeys(accountId, ids),
          quota.balance(accountId)
        ], { concurrency: "unbounded" })
        const networks = DropState.needsNetworks(open, ids.length)
          ? yield* repo.networks(accountId, requestId, dropIds(ids))
          : undefined
        return DropState.room(
          request,
          open,
          drops,
          yield* DateTime.now,
          (asked) => sent.some(({ clientKey, dropId }) => dropId === asked.dropId && clientKey === asked.clientKey),
          { networks, freeBytes: DropState.freeBytes(open, balance, quotaBytes) }
        )
      })

      /** The folder of the request; made again where it was when it has been deleted. */
      const made = Effect.fnUntraced(function*(accountId: AccountId, requestId: RequestId, path: string) {
        const folder = yield* folders.ensure(accountId, FolderPath.Path.make(path), "folder").pipe(
          // A folder above it that is being moved deeper may leave no room for it now: then the file is at the top of the drive.
          Effect.catch((error) =>
            Effect.as(Effect.logWarning("The folder of a file request can't be made", error), null)
          )
        )
        if (folder !== null) yield* repo.setFolder(accountId, requestId, folder.id)
        return folder?.id ?? null
      })

      const places: DeliveryRules["places"] = Effect.fnUntraced(function*(accountId, ids) {
        const requestId = ids[0]!.requestId
        const { drops, folder, request } = yield* repo.state(accountId, requestId, dropIds(ids))
        const now = yield* DateTime.now
        const checked = ids.map(({ dropId }) => {
          const drop = drops.find(({ id }) => id === dropId)
          return drop === undefined ? Result.fail(DropState.requestClosed()) : DropState.takesFiles(drop, request, now)
        })
        const folderId = folder.id === null && checked.some(Result.isSuccess)
          ? yield* made(accountId, requestId, folder.path)
          : folder.id
        return checked.map(Result.map(() => folderId))
      })

      const onRecorded: DeliveryRules["onRecorded"] = Effect.fnUntraced(function*(accountId, files) {
        const [first] = files
        if (first === undefined) return
        const now = DateTime.toDateUtc(yield* DateTime.now)
        yield* repo.addFiles(accountId, first.ids.requestId, files, now)
      })

      return DropRules.of({ room, places, onRecorded })
    })
  )
}
