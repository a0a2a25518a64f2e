import { type Signal, useSignal } from "@preact/signals"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { common } from "../foundation/common.ts"
import { shown } from "../foundation/format.ts"
import { keepFocus } from "../foundation/keepFocus.ts"
import type { Connections, Token } from "./Connections.ts"
import { t } from "./texts.ts"

/** Asks before a token or an app is ended. */
export const Revoking = ({ connections, heading, token }: {
  readonly connections: Connections
  /** The id of what has the focus when the row has gone. */
  readonly heading: string
  readonly token: Signal<Token | null>
}) => {
  const isBusy = useSignal(false)
  const asked = token.value
  if (asked === null) return null
  const name = shown(asked.name)
  const isApp = asked.clientId !== null
  const close = () => {
    token.value = null
  }
  const revoke = async () => {
    isBusy.value = true
    await connections.revoke(asked)
    isBusy.value = false
    close()
    keepFocus(`#${heading}`)
  }
  return (
    <Dialog
      title={t(isApp ? "connections.disconnectTitle" : "connections.revokeTitle")}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{common("common.cancel")}</Button>
          <Button kind="danger" busy={isBusy.value} onClick={revoke}>
            {t(isApp ? "connections.disconnect" : "connections.revoke")}
          </Button>
        </>
      }
    >
      <p>{t(isApp ? "connections.disconnectText" : "connections.revokeText", { name })}</p>
    </Dialog>
  )
}
