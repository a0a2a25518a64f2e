/**
 * Tells what follows sessions in this process that some have ended, before the call that ended them is answered: so nothing of theirs comes
 * after the answer. In other processes it comes to light a little later.
 */
import { Context, Effect, Layer, type Scope } from "effect"
import { Database } from "../database/Database.ts"

export class SessionEnds extends Context.Service<SessionEnds, {
  /** While the scope is open, `look` runs after each end of sessions, and asks which they are. */
  readonly onEnded: (look: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
  /** The caller is ending sessions: runs every look after the commit of its transaction, or at once outside of one. */
  readonly ended: Effect.Effect<void>
}>()("@filedrive/core/accounts/SessionEnds") {
  static readonly layer = Layer.effect(
    SessionEnds,
    Effect.map(Database, ({ sql }) => {
      const looks = new Set<Effect.Effect<void>>()
      return SessionEnds.of({
        onEnded: (look) =>
          Effect.asVoid(
            Effect.acquireRelease(Effect.sync(() => looks.add(look)), () => Effect.sync(() => looks.delete(look)))
          ),
        ended: sql.afterCommit(Effect.suspend(() => Effect.forEach(looks, (look) => look, { discard: true })))
      })
    })
  )
}
