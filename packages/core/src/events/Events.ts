/** An account's feed: what happened on its drive, in order. Spec: "Events", Drive event feed. */
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type AccountId, EventId } from "../shared/Ids.ts"
import type { NewEvent } from "./DriveEvent.ts"
import { EventsRepo } from "./EventsRepo.ts"

export class Events extends Context.Service<Events, {
  /**
   * Appends events to an account's feed, in the order given, as of now.
   *
   * Only inside `Ledger.locked` of that account: what is appended is seen if and
   * only if the change it tells of is.
   */
  readonly append: (accountId: AccountId, events: ReadonlyArray<NewEvent>) => Effect.Effect<void>
}>()("@filedrive/core/events/Events") {
  static readonly layerNoDeps = Layer.effect(
    Events,
    Effect.gen(function*() {
      const repo = yield* EventsRepo
      const random = yield* SecureRandom.SecureRandom

      const append = Effect.fn("Events.append")(function*(accountId: AccountId, events: ReadonlyArray<NewEvent>) {
        if (events.length === 0) return
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const named = yield* Effect.forEach(
          events,
          (event) => Effect.map(random.uuidV7(), (id) => ({ ...event, id: EventId.make(id) }))
        )
        yield* repo.append(accountId, named, now)
      })

      return Events.of({ append })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(EventsRepo.layer))
}
