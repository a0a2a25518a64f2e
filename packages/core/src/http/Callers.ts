/**
 * Whether a call may begin whose caller shows no session, because the host vouches for who it is. It decides what the lookup of
 * a session decides over HTTP: there a suspended user and a deleted folder have ended the session.
 */
import { Context, Duration, Effect, Layer, Option } from "effect"
import { ActiveAccounts } from "../accounts/ActiveAccounts.ts"
import type { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Folders } from "../organize/Folders.ts"
import { NotFound, type Refused, type Unavailable } from "../shared/DriveError.ts"
import type { AccountId, FolderId } from "../shared/Ids.ts"

/** How often a live feed asks whether its caller's folder is still there. */
const watchInterval = Duration.seconds(1)

export class Callers extends Context.Service<Callers, {
  /**
   * Fails with `Refused` (`not_allowed`) when the user is suspended or unknown, with `NotFound` when the folder that the call is
   * limited to is not there or another user's, with `Unavailable` when the host's accounts can't be asked.
   */
  readonly check: (caller: CurrentAccount["Service"]) => Effect.Effect<void, NotFound | Refused | Unavailable>

  /** Waits until the folder that a live feed is limited to is not there any more; for ever when it is not limited to one. */
  readonly untilFolderGone: (caller: CurrentAccount["Service"]) => Effect.Effect<void>
}>()("@filedrive/core/http/Callers") {
  static readonly layerNoDeps = Layer.effect(
    Callers,
    Effect.gen(function*() {
      const active = yield* ActiveAccounts
      const folders = yield* Folders

      const isThere = (id: AccountId, folderId: FolderId) => Effect.map(folders.find(id, folderId), Option.isSome)

      const check = ({ id, limits: { folderId } }: CurrentAccount["Service"]) =>
        folderId === null ? active.check(id) : active.check(id).pipe(
          Effect.andThen(isThere(id, folderId)),
          Effect.filterOrFail((there) => there, () => new NotFound({ resource: "folder", id: folderId })),
          Effect.asVoid
        )

      const untilGone = (id: AccountId, folderId: FolderId): Effect.Effect<void> =>
        Effect.flatMap(
          // A database that is away says nothing of folders.
          Effect.delay(Effect.catchCause(isThere(id, folderId), () => Effect.succeed(true)), watchInterval),
          (there) => there ? Effect.suspend(() => untilGone(id, folderId)) : Effect.void
        )

      const untilFolderGone = ({ id, limits: { folderId } }: CurrentAccount["Service"]) =>
        folderId === null ? Effect.never : untilGone(id, folderId)

      return Callers.of({ check, untilFolderGone })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(ActiveAccounts.layer))
}
