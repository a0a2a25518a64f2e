import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "../components/Icon.tsx"

/** Short facts about what is open, side by side. */
export const Facts = ({ children }: { readonly children: ComponentChildren }) => (
  <ul class="detail-facts">{children}</ul>
)

export const Fact = ({ children, icon }: { readonly icon: IconName; readonly children: ComponentChildren }) => (
  <li>
    <Icon name={icon} size={16} />
    <span>{children}</span>
  </li>
)
