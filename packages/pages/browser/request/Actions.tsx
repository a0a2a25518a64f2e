import { useSignal } from "@preact/signals"
import { Button } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { shown } from "../foundation/format.ts"
import type { OpenRequest } from "./OpenRequest.ts"
import { Overall } from "./Overall.tsx"
import type { Sender } from "./Sender.ts"
import { t } from "./texts.ts"

export interface ActionsProps {
  readonly sender: Sender
  readonly request: OpenRequest
  readonly isBusy: boolean
  readonly onSend: () => void
  readonly onFinish: () => void
}

/** Files that the browser could not keep over a reload. */
const Missing = ({ count, sender }: { readonly sender: Sender; readonly count: number }) => {
  const isAsking = useSignal(false)
  const hasHandles = sender.items.value.some(({ handle, state }) => state.value === "missing" && handle !== null)
  const goOn = async () => {
    isAsking.value = true
    await sender.askAgain()
    isAsking.value = false
  }
  return (
    <div class="hint">
      <div>
        <p class="hint-title">{t("request.missing", { count })}</p>
        <p>{hasHandles ? t("request.allowHint") : t("request.missingHint")}</p>
      </div>
      {hasHandles
        ? <Button kind="primary" busy={isAsking.value} onClick={goOn}>{t("request.goOn")}</Button>
        : (
          <Button kind="primary" onClick={() => document.querySelector<HTMLInputElement>("#files")?.click()}>
            {t("request.chooseAgain")}
          </Button>
        )}
    </div>
  )
}

const Failed = ({ count, sender }: { readonly sender: Sender; readonly count: number }) => {
  const again = sender.items.value.filter(({ file, state }) => state.value === "failed" && file !== null)
  return (
    <div class="hint hint-bad">
      <p class="hint-title">{t("request.notSent", { count })}</p>
      {again.length === 0
        ? null
        : <Button icon="retry" onClick={() => again.forEach(sender.resume)}>{t("request.retryAll")}</Button>}
    </div>
  )
}

/** What leads on: sending what was chosen, then how far it is, then finishing. */
export const Actions = ({ isBusy, onFinish, onSend, request, sender }: ActionsProps) => {
  const { failedFiles, missingFiles, openFiles, sentFiles, totalFiles } = sender.sums.value
  const { owner: { displayName } } = request
  const isComplete = failedFiles + missingFiles === 0
  if (sender.phase.value === "choosing") {
    return (
      <div class="actions">
        {missingFiles > 0 ? <Missing sender={sender} count={missingFiles} /> : null}
        <Button kind="primary" icon="upload" busy={isBusy} onClick={onSend}>
          {openFiles === 0 ? t("request.sendNothing") : t("request.send", { count: openFiles })}
        </Button>
      </div>
    )
  }
  return (
    <div class="actions">
      {missingFiles > 0 ? <Missing sender={sender} count={missingFiles} /> : null}
      {failedFiles > 0 ? <Failed sender={sender} count={failedFiles} /> : null}
      {openFiles > 0 ? <Overall sender={sender} /> : null}
      {openFiles === 0 && totalFiles > 0
        ? (
          <div class="arrived">
            {isComplete && (
              <div class="arrived-text">
                <span class="arrived-mark">
                  <Icon name="check" />
                </span>
                <div>
                  <p class="hint-title">{t("request.arrived")}</p>
                  <p>
                    {displayName === null
                      ? t("request.arrivedHintNobody")
                      : t("request.arrivedHint", { name: shown(displayName) })}
                  </p>
                </div>
              </div>
            )}
            {sentFiles === 0
              ? null
              : (
                <Button kind={isComplete ? "primary" : "secondary"} icon="check" busy={isBusy} onClick={onFinish}>
                  {t("request.finish")}
                </Button>
              )}
          </div>
        )
        : null}
    </div>
  )
}
