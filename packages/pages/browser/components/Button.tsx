import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "./Icon.tsx"
import "./button.css"

export interface ButtonProps {
  /** `primary` is the one that leads on; a view has one at most. `risky` leads to a question of `danger`. */
  readonly kind?: "primary" | "secondary" | "quiet" | "risky" | "danger"
  readonly type?: "button" | "submit"
  readonly icon?: IconName | undefined
  readonly disabled?: boolean
  /** Works on it: it can't be pressed again meanwhile. */
  readonly busy?: boolean
  /** What a screen reader says in the place of the text: of which thing of many it is. */
  readonly label?: string
  /** The id of the form that it sends, where it stands elsewhere. */
  readonly form?: string
  readonly onClick?: (event: MouseEvent) => void
  readonly children: ComponentChildren
}

/** A busy button keeps the focus, which a disabled one loses. */
export const Button = (
  { busy = false, children, disabled = false, icon, form, kind = "secondary", label, onClick, type = "button" }:
    ButtonProps
) => (
  <button
    class={`button button-${kind}`}
    type={type}
    form={form}
    disabled={disabled}
    aria-label={label}
    aria-disabled={busy ? "true" : undefined}
    aria-busy={busy ? "true" : undefined}
    onClick={(event: MouseEvent) => busy ? event.preventDefault() : onClick?.(event)}
  >
    {busy ? <span class="spinner" aria-hidden="true" /> : icon === undefined ? null : <Icon name={icon} />}
    <span>{children}</span>
  </button>
)

/** A button that shows an icon only; its label is read out and shown on hovering. */
export const IconButton = (
  { icon, label, onClick }: { readonly icon: IconName; readonly label: string; readonly onClick: () => void }
) => (
  <button class="icon-button" type="button" aria-label={label} title={label} onClick={onClick}>
    <Icon name={icon} />
  </button>
)
