import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
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
  /** Whether the pointer was pressed, and let go, beside what is in it: its backdrop is the dialog itself. */
  const isBeside = useRef(false)
  // Before it leaves the page: from there a browser gives no focus back. Other effects are cleaned up afterwards.
  useLayoutEffect(() => {
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
      onPointerDown={({ target }: PointerEvent) => void (isBeside.current = target === dialog.current)}
      onPointerUp={({ target }: PointerEvent) => void (isBeside.current &&= target === dialog.current)}
      // Text that is selected beyond the edge ends in a click of both, which is the dialog's.
      onClick={({ target }: MouseEvent) => target === dialog.current && isBeside.current ? onClose() : undefined}
    >
      <div class="dialog-content">
        <h2 id={id}>{title}</h2>
        <div class="dialog-text">{children}</div>
        <div class="dialog-actions">{actions}</div>
      </div>
    </dialog>
  )
}
