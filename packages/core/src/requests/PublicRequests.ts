/** File requests as people without an account see them. Contract: "File requests and reviews: the public side". */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { LinkCall } from "../links/LinkCall.ts"
import { PublicLinks } from "../links/PublicLinks.ts"
import { Accounts } from "../ports/Accounts.ts"
import type { NotFound, RateLimited, Refused, Unavailable } from "../shared/DriveError.ts"
import { Deliveries } from "../uploads/Deliveries.ts"
import type { PublicRequest } from "./Request.ts"
import { RequestsRepo } from "./RequestsRepo.ts"
import * as RequestState from "./RequestState.ts"

export interface OpenedRequest {
  readonly request: PublicRequest
  /** For later calls, where a password was given and needed. */
  readonly accessToken: string | undefined
}

export class PublicRequests extends Context.Service<PublicRequests, {
  /** Shows a request to whoever has its link. Fails like `PublicLinks.open`. Contract: `/open-file-request`. */
  readonly open: (
    requestId: string,
    password: string | undefined
  ) => Effect.Effect<OpenedRequest, NotFound | Refused | RateLimited | Unavailable, LinkCall>
}>()("@filedrive/core/requests/PublicRequests") {
  static readonly layerNoDeps = Layer.effect(
    PublicRequests,
    Effect.gen(function*() {
      const repo = yield* RequestsRepo
      const deliveries = yield* Deliveries
      const links = yield* PublicLinks
      const accounts = yield* Accounts

      const open = Effect.fn("PublicRequests.open")(function*(requestId: string, password: string | undefined) {
        const { accessToken, link } = yield* links.open(requestId, password, repo.findByLink)
        const owner = Option.getOrUndefined(yield* accounts.find(link.accountId))
        const open = link.maxBytes === null ? [] : yield* deliveries.open(link.accountId, [link.id])
        const room = { ...link, heldBytes: open.reduce((sum, { heldBytes }) => sum + heldBytes, 0) }
        // Without a plan its owner takes nothing, and a sender is not told why.
        const isTaken = owner !== undefined && owner.plan !== null
        const closedBecause = RequestState.closedBecause(room, yield* DateTime.now) ?? (isTaken ? null : "closed")
        const request: PublicRequest = {
          id: link.id,
          title: link.title,
          message: link.message,
          owner: { displayName: owner?.displayName ?? null },
          takesFiles: closedBecause === null,
          closedBecause,
          expireTime: link.expireTime,
          remainingBytes: RequestState.remainingBytes(room)
        }
        return { request, accessToken }
      })

      return PublicRequests.of({ open })
    })
  )
}
