import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { common } from "../foundation/common.ts"

export interface AskProps {
  readonly title: string
  readonly children: ComponentChildren
  /** What the button says that does it. */
  readonly action: string
  /** Returns whether it was done. */
  readonly onConfirm: () => Promise<boolean>
  readonly onClose: () => void
}

/** Asks before something that can't be undone. */
export const Ask = ({ action, children, onClose, onConfirm, title }: AskProps) => {
  const isBusy = useSignal(false)
  const confirm = async () => {
    isBusy.value = true
    const isDone = await onConfirm()
    isBusy.value = false
    if (isDone) onClose()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common("common.cancel")}</Button>
          <Button kind="danger" icon="trash" busy={isBusy.value} onClick={() => void confirm()}>{action}</Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
