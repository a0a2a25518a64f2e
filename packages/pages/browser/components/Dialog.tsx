import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"
import "./dialog.css"

export interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly actions: ComponentChildren
  readonly onClose: () => void
}

/** A question that comes first. The browser keeps the focus in it, closes it by Escape, and gives the focus back. */
export const Dialog = ({ actions, children, onClose, title }: DialogProps) => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      class="dialog"
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event: Event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event: MouseEvent) => event.target === dialog.current ? onClose() : undefined}
    >
      <div class="dialog-content">
        <h2 id={id}>{title}</h2>
        <div class="dialog-text">{children}</div>
        <div class="dialog-actions">{actions}</div>
      </div>
    </dialog>
  )
}
