import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { Icon, type IconName } from "./Icon.tsx"
import "./notable.css"

export interface NotableProps {
  readonly icon: IconName
  readonly kind?: "plain" | "good" | "bad"
  readonly title: string
  readonly children?: ComponentChildren
  /** What can be done. */
  readonly actions?: ComponentChildren
}

/** A whole view that says one thing: closed, expired, not found, thanks. Its title gets the focus, so that it is read. */
export const Notable = ({ actions, children, icon, kind = "plain", title }: NotableProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [title])
  return (
    <section class={`notable notable-${kind}`}>
      <div class="notable-mark">
        <Icon name={icon} size={30} />
      </div>
      <h1 ref={heading} tabIndex={-1}>{title}</h1>
      <div class="notable-text">{children}</div>
      {actions === undefined ? null : <div class="notable-actions">{actions}</div>}
    </section>
  )
}
