import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId, useRef } from "preact/hooks"
import { Icon } from "../components/Icon.tsx"

/** What is done seldom, behind a button; below what it stands beside. */
export const More = ({ children, label }: { readonly label: string; readonly children: ComponentChildren }) => {
  const id = useId()
  const isOpen = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        class="icon-button more"
        type="button"
        ref={button}
        aria-label={label}
        title={label}
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        onClick={() => void (isOpen.value = !isOpen.value)}
      >
        <Icon name="more" />
      </button>
      {isOpen.value
        ? (
          <div
            class="more-list"
            id={id}
            onKeyDown={({ key }) => {
              if (key !== "Escape") return
              isOpen.value = false
              button.current?.focus()
            }}
          >
            {children}
          </div>
        )
        : null}
    </>
  )
}
