import { Icon, type IconName } from "../components/Icon.tsx"

export interface ControlButtonProps {
  readonly icon: IconName
  readonly label: string
  /** The key that does the same, as screen readers tell it. */
  readonly keys?: string
  readonly kind?: "plain" | "main"
  readonly onClick: () => void
}

/** A button of the player: an icon, whose label is read out and shown on hovering. */
export const ControlButton = ({ icon, keys, kind = "plain", label, onClick }: ControlButtonProps) => (
  <button
    class={`control control-${kind}`}
    type="button"
    aria-label={label}
    aria-keyshortcuts={keys}
    title={keys === undefined ? label : `${label} (${keys})`}
    onClick={onClick}
  >
    <Icon name={icon} size={kind === "main" ? 24 : 20} />
  </button>
)
