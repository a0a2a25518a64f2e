import { useSignal } from "@preact/signals"
import { Button } from "../components/Button.tsx"
import { CopyField } from "../components/CopyField.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { useAskBeforeLeaving } from "../foundation/askBeforeLeaving.ts"
import { t } from "./texts.ts"

/** Shows the text of a new token, once. Who closes it, or leaves the page, without having copied it is asked. */
export const MadeToken = ({ onClose, text }: { readonly text: string; readonly onClose: () => void }) => {
  const isCopied = useSignal(false)
  const isWarned = useSignal(false)
  useAskBeforeLeaving(!isCopied.value && !isWarned.value)
  const close = () => {
    if (isCopied.value || isWarned.value) onClose()
    else isWarned.value = true
  }
  return (
    <Dialog
      title={t("connections.madeTitle")}
      onClose={close}
      actions={
        <Button onClick={close}>
          {t(isWarned.value && !isCopied.value ? "connections.closeAnyway" : "connections.done")}
        </Button>
      }
    >
      <p>{t("connections.madeText")}</p>
      <CopyField
        label={t("connections.madeToken")}
        text={text}
        copy={t("connections.copy")}
        copied={t("connections.copied")}
        failed={t("connections.copyFailed")}
        onCopied={() => void (isCopied.value = true)}
      />
      {isWarned.value && !isCopied.value ? <p class="warned" role="alert">{t("connections.notCopied")}</p> : null}
    </Dialog>
  )
}
