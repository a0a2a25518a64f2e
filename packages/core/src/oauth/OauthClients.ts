/** The apps that registered themselves (RFC 7591). Any program may register one under any name, so they are told apart by ids. */
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Job from "../jobs/Job.ts"
import * as Limits from "../limits/Limits.ts"
import type { OauthClient } from "./OauthClient.ts"
import { OauthClientsRepo } from "./OauthClientsRepo.ts"

/** How often its use is marked. */
const markInterval = Duration.hours(1)

export const oauthClientSweepJob = Job.every("oauth.clients.sweep", {
  description: "Forgets registered apps without a grant that were not used for a day.",
  interval: Duration.hours(1)
})

export class OauthClients extends Context.Service<OauthClients, {
  /**
   * Registers an app, whose name and redirects were checked. It is forgotten when a day passes without use while no person has
   * allowed it anything, or when 10,000 others like it were used since.
   */
  readonly register: (client: Pick<OauthClient, "name" | "redirectUris">) => Effect.Effect<OauthClient>
  /** The app with this id, which is marked as used; null for none. */
  readonly find: (id: string) => Effect.Effect<OauthClient | null>
  /** Forgets those that were not used for a day and have no grant. Done hourly by a job. */
  readonly sweep: Effect.Effect<void>
}>()("@filedrive/core/oauth/OauthClients") {
  static readonly layerNoDeps = Layer.effect(
    OauthClients,
    Effect.gen(function*() {
      const repo = yield* OauthClientsRepo
      const random = yield* SecureRandom.SecureRandom

      const register = Effect.fn("OauthClients.register")(
        function*({ name, redirectUris }: Pick<OauthClient, "name" | "redirectUris">) {
          const id = `fdapp_${Base64Url.encode(yield* random.randomBytes(16))}`
          const client = { id, name, redirectUris, insertTime: yield* DateTime.now }
          yield* repo.insert(client)
          yield* repo.keepUnused(Limits.oauth.unusedClientsMaxCount)
          return client
        }
      )

      const find = Effect.fn("OauthClients.find")(function*(id: string) {
        // PostgreSQL can't hold it in a text.
        const found = id.includes("\0") ? null : yield* repo.find(id)
        if (found === null) return null
        const { lastUsedTime, ...client } = found
        const now = yield* DateTime.now
        if (DateTime.isLessThan(DateTime.addDuration(lastUsedTime, markInterval), now)) yield* repo.markUsed(id, now)
        return client
      }, WritePurpose.serving)

      const sweep = Effect.flatMap(
        DateTime.now,
        (now) => repo.sweep(DateTime.subtractDuration(now, Limits.oauth.unusedClientLifetime))
      )
      yield* oauthClientSweepJob.handle(sweep)

      return OauthClients.of({ register, find, sweep })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(OauthClientsRepo.layer))
}
