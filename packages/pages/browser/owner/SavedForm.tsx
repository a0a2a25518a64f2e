import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { Button } from "../components/Button.tsx"
import { common } from "../foundation/common.ts"

export interface SavedFormProps {
  /** What the button says that saves it. */
  readonly action: string
  /** Saves it, and shows why it was refused. */
  readonly onSave: () => Promise<void>
  readonly onCancel: () => void
  readonly children: ComponentChildren
}

/** A form that takes nothing while it is being saved, since that would be lost. Who wrote in one of its fields goes on there when it was refused. */
export const SavedForm = ({ action, children, onCancel, onSave }: SavedFormProps) => {
  const isBusy = useSignal(false)
  const save = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    const { activeElement } = document
    isBusy.value = true
    await onSave()
    isBusy.value = false
    requestAnimationFrame(() => {
      if (document.activeElement === document.body && activeElement instanceof HTMLElement) activeElement.focus()
    })
  }
  return (
    <form class="form" noValidate onSubmit={(event: Event) => void save(event)}>
      <fieldset class="form-fields" disabled={isBusy.value}>{children}</fieldset>
      <div class="form-actions">
        <Button kind="primary" type="submit" busy={isBusy.value}>{action}</Button>
        <Button onClick={onCancel}>{common("common.cancel")}</Button>
      </div>
    </form>
  )
}
