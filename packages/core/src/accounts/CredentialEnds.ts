/**
 * The end of a credential (an API token or a grant): features above this one register what they end with it, in the transaction that ends
 * the credential. docs/agent.md has the table.
 */
import { Context, Effect, Layer } from "effect"
import type { AccountId, ApiTokenId } from "../shared/Ids.ts"

/** `id`: null for all credentials of the account. */
type Ending = (accountId: AccountId, id: ApiTokenId | null) => Effect.Effect<void>

export class CredentialEnds extends Context.Service<CredentialEnds, {
  /** Makes {@link ended} run this too. Each feature above this one calls it once. */
  readonly onEnded: (run: Ending) => Effect.Effect<void>
  /** A credential of the account has ended, or all have. Only inside `AccountTransaction.run` of the account. */
  readonly ended: Ending
}>()("@filedrive/core/accounts/CredentialEnds") {
  static readonly layer = Layer.sync(CredentialEnds, () => {
    const endings: Array<Ending> = []
    return CredentialEnds.of({
      onEnded: (run) => Effect.sync(() => void endings.push(run)),
      ended: (accountId, id) => Effect.forEach(endings, (run) => run(accountId, id), { discard: true })
    })
  })
}
