import { useSignal } from "@preact/signals"
import { Button } from "../components/Button.tsx"
import { Others } from "../components/Others.tsx"
import { shown } from "../foundation/format.ts"
import { keepFocus } from "../foundation/keepFocus.ts"
import type { Connections, Token } from "./Connections.ts"
import { isEnded, Limits } from "./Limits.tsx"
import { MadeToken } from "./MadeToken.tsx"
import { NewToken } from "./NewToken.tsx"
import { Revoking } from "./Revoking.tsx"
import { step } from "./step.ts"
import { t } from "./texts.ts"

/** The tokens of the person's own programs. */
export const Tokens = ({ connections }: { readonly connections: Connections }) => {
  const asked = useSignal<Token | null>(null)
  const isMaking = useSignal(false)
  /** The secret text, until its view is closed. */
  const made = useSignal<string | null>(null)
  const most = useSignal(step)
  const tokens = connections.tokens.value
  return (
    <section class="card part" aria-labelledby="tokens">
      <div class="part-top">
        <h2 id="tokens" tabIndex={-1}>{t("connections.tokens")}</h2>
        <div id="new-token">
          <Button icon="plus" onClick={() => void (isMaking.value = true)}>{t("connections.newToken")}</Button>
        </div>
      </div>
      <p class="part-hint">{t("connections.tokensHint")}</p>
      {tokens.length === 0 ? <p class="part-empty">{t("connections.noTokens")}</p> : (
        <ul class="items">
          {tokens.slice(0, most.value).map((token) => (
            <li class="item" key={token.id} data-token={token.id}>
              <p class="item-title">
                <Others text={token.name} />
                {isEnded(token) ? <span class="state state-failed">{t("connections.hasEnded")}</span> : null}
              </p>
              <Limits connections={connections} token={token} />
              <Button
                kind="quiet"
                label={t("connections.revokeToken", { name: shown(token.name) })}
                onClick={() => void (asked.value = token)}
              >
                {t("connections.revoke")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {tokens.length > most.value
        ? <Button kind="quiet" onClick={() => void (most.value += step)}>{t("connections.more")}</Button>
        : null}
      {isMaking.value
        ? (
          <NewToken
            connections={connections}
            onClose={() => void (isMaking.value = false)}
            onMade={(text) => {
              isMaking.value = false
              made.value = text
            }}
          />
        )
        : null}
      {made.value === null ? null : (
        <MadeToken
          text={made.value}
          onClose={() => {
            made.value = null
            keepFocus("#new-token button")
          }}
        />
      )}
      <Revoking connections={connections} token={asked} heading="tokens" />
    </section>
  )
}
