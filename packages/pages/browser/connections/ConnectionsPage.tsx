import { useEffect } from "preact/hooks"
import { Failed } from "../components/Failed.tsx"
import { Icon } from "../components/Icon.tsx"
import { common } from "../foundation/common.ts"
import { settings } from "../foundation/settings.ts"
import { Agent } from "./Agent.tsx"
import { Apps } from "./Apps.tsx"
import type { Connections } from "./Connections.ts"
import { t } from "./texts.ts"
import { clockTime } from "./time.ts"
import { Tokens } from "./Tokens.tsx"
import { Waiting } from "./Waiting.tsx"
import "./connections.css"

const Stale = ({ since }: { readonly since: number }) => (
  <p class="stale" role="status">
    <Icon name="unplugged" />
    {t("connections.stale", { time: clockTime(since) })}
  </p>
)

const Open = ({ connections }: { readonly connections: Connections }) => {
  const since = connections.staleSince.value
  return (
    <>
      <h1>{t("connections.title")}</h1>
      {since === null ? null : <Stale since={since} />}
      <div class={settings.hasAgent ? "columns" : "columns columns-one"}>
        {settings.hasAgent ? <Agent connections={connections} /> : null}
        <div class="column">
          {settings.hasAgent ? <Waiting connections={connections} /> : null}
          <Apps connections={connections} />
          <Tokens connections={connections} />
        </div>
      </div>
    </>
  )
}

export const ConnectionsPage = ({ connections }: { readonly connections: Connections }) => {
  useEffect(() => void connections.load(), [])
  const view = connections.view.value
  if (view === "open") return <Open connections={connections} />
  return view === "loading"
    ? (
      <div class="wait" role="status" aria-label={common("common.loading")}>
        <div class="wait-mark" />
      </div>
    )
    : (
      <div class="card">
        <Failed error={connections.failure.value} onRetry={connections.load} />
      </div>
    )
}
