/**
 * What ends with a credential (an API token or a grant): features above this one say what they hold for it, and end that in the transaction
 * that ends the credential. docs/agent.md has the table.
 */
import { Context, Effect, Layer } from "effect"
import type { AccountId, ApiTokenId } from "../shared/Ids.ts"

/** `id`: null for all of the account's. */
type Ending = (accountId: AccountId, id: ApiTokenId | null) => Effect.Effect<void>

export class CredentialEnds extends Context.Service<CredentialEnds, {
  /** From now on {@link ended} runs this as well. For features above this one, each once. */
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
