import { useSignal } from "@preact/signals"
import { Button } from "../components/Button.tsx"
import { Others } from "../components/Others.tsx"
import { shown } from "../foundation/format.ts"
import type { Connections, Token } from "./Connections.ts"
import { isEnded, Limits } from "./Limits.tsx"
import { Revoking } from "./Revoking.tsx"
import { step } from "./step.ts"
import { t } from "./texts.ts"

/** Who describes the app: the host of its id; null for one that registered itself, under any name. */
const hostOf = (clientId: string): string | null =>
  clientId.startsWith("https://") && URL.canParse(clientId) ? new URL(clientId).host : null

/** The apps that the person allowed something. */
export const Apps = ({ connections }: { readonly connections: Connections }) => {
  const asked = useSignal<Token | null>(null)
  const most = useSignal(step)
  const apps = connections.apps.value
  return (
    <section class="card part" aria-labelledby="apps">
      <h2 id="apps" tabIndex={-1}>{t("connections.apps")}</h2>
      {apps.length === 0 ? <p class="part-empty">{t("connections.noApps")}</p> : (
        <ul class="items">
          {apps.slice(0, most.value).map((app) => (
            <li class="item" key={app.id} data-token={app.id}>
              <p class="item-title">
                <Others text={app.name} />
              </p>
              <p class="item-facts">
                <span>{hostOf(app.clientId!) ?? t("connections.unverified")}</span>
                {isEnded(app) ? <span class="state state-failed">{t("connections.hasEnded")}</span> : null}
              </p>
              <Limits connections={connections} token={app} />
              <Button
                kind="quiet"
                label={t("connections.disconnectApp", { name: shown(app.name) })}
                onClick={() => void (asked.value = app)}
              >
                {t("connections.disconnect")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {apps.length > most.value
        ? <Button kind="quiet" onClick={() => void (most.value += step)}>{t("connections.more")}</Button>
        : null}
      <Revoking connections={connections} token={asked} heading="apps" />
    </section>
  )
}
