/** What owners see of their file requests, and which deliveries they have looked at. Spec: `/select-file-requests`. */
import { Context, DateTime, Effect, Layer } from "effect"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Limits from "../limits/Limits.ts"
import { type InvalidField, NotFound, type Refused } from "../shared/DriveError.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { type DropId, onceEach } from "../shared/Ids.ts"
import * as NewestFirst from "../shared/NewestFirst.ts"
import { FileViews } from "../views/FileViews.ts"
import * as Drop from "./Drop.ts"
import type { RequestItem, RequestsPage, RequestsQuery } from "./Request.ts"
import { RequestsRepo } from "./RequestsRepo.ts"
import * as RequestState from "./RequestState.ts"
import { SentDrops } from "./SentDrops.ts"

const { dropsPerListing, filesPerListing, requestsPerCall } = Limits

export class RequestLists extends Context.Service<RequestLists, {
  /**
   * The requests that the call sees, newest first, 50 in a page, with what was sent to them. `receivedBytes` are those of files that
   * are still in the drive and not in trash, all of them; listed are the newest drops, more of a request that is named alone, and files of
   * those, in all no more than {@link Limits.filesPerListing}. Fails with `InvalidField` naming `cursor`, `Refused` (`token_limit`).
   */
  readonly select: (query: RequestsQuery) => Effect.Effect<RequestsPage, InvalidField | Refused, CurrentAccount>

  /**
   * Notes that the owner has looked at drops. Returns those of the ids that the call sees. Fails with `NotFound` when there is none of
   * them, `Refused` (`token_limit`). Contract: `/mark-drops-viewed`.
   */
  readonly markViewed: (
    ids: ReadonlyArray<DropId>
  ) => Effect.Effect<ReadonlyArray<DropId>, NotFound | Refused, CurrentAccount>
}>()("@filedrive/core/requests/RequestLists") {
  static readonly layerNoDeps = Layer.effect(
    RequestLists,
    Effect.gen(function*() {
      const repo = yield* RequestsRepo
      const sent = yield* SentDrops
      const views = yield* FileViews

      const select = Effect.fn("RequestLists.select")(function*({ cursor, folder, requestIds }: RequestsQuery) {
        const { id: accountId, limits } = yield* allowed("read")
        const after = cursor === undefined ? null : NewestFirst.parseCursor(cursor)
        if (after === undefined) return yield* NewestFirst.wrongCursor
        const found = yield* repo.list(accountId, limits, {
          ids: requestIds === undefined ? null : onceEach(requestIds),
          foldedPath: FolderPath.folded(folder),
          after,
          limit: requestsPerCall.max + 1
        })
        const { items: requests, nextCursor } = NewestFirst.pageOf(found, requestsPerCall.max)
        const received = yield* sent.received(accountId, limits, requests.map(({ id }) => id), {
          dropsPerRequest: requestIds?.length === 1 ? dropsPerListing.ofOne : dropsPerListing.ofEach,
          files: filesPerListing
        })
        const now = yield* DateTime.now
        const items = requests.map((request, at): RequestItem => ({
          ...request,
          ...received[at]!,
          open: RequestState.isOpen(request, now)
        }))
        return { requests: items, nextCursor }
      })

      const markViewed = Effect.fn("RequestLists.markViewed")(function*(ids: ReadonlyArray<DropId>) {
        const { id: accountId, limits } = yield* allowed("share")
        const seen = yield* repo.dropsSeen(accountId, limits, onceEach(ids))
        if (seen.length === 0) return yield* new NotFound({ resource: "drop", id: String(ids[0]) })
        return yield* sent.markViewed(accountId, seen)
      })

      // Only for keys that are a drop's: the opening of any other file asks nothing more.
      yield* views.onOpenedByOwner(({ accountId, id, objectKey }) =>
        Drop.isKeyOfDrop(accountId, objectKey) ? sent.onFileOpened(accountId, id) : Effect.void
      )

      return RequestLists.of({ select, markViewed })
    })
  )
}
