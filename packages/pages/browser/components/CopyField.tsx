import { useSignal } from "@preact/signals"
import { useId, useRef } from "preact/hooks"
import { say } from "../foundation/announce.ts"
import { Button } from "./Button.tsx"
import "./field.css"
import "./copyField.css"

export interface CopyFieldProps {
  readonly label: string
  readonly text: string
  readonly copy: string
  readonly copied: string
  /** Told where the browser does not let the page copy: the text is selected then. */
  readonly failed: string
  readonly onCopied: () => void
}

/** A text that is to be copied: by the button, or by hand. */
export const CopyField = ({ copied, copy, failed, label, onCopied, text }: CopyFieldProps) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const state = useSignal<"idle" | "copied" | "failed">("idle")
  const succeed = () => {
    state.value = "copied"
    say(copied)
    onCopied()
  }
  const run = async () => {
    try {
      // Not there without https.
      await navigator.clipboard.writeText(text)
      succeed()
    } catch {
      input.current?.focus()
      input.current?.select()
      state.value = "failed"
    }
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="copy-field">
        <input
          id={id}
          ref={input}
          type="text"
          readOnly
          value={text}
          dir="ltr"
          spellcheck={false}
          autocomplete="off"
          onFocus={(event) => event.currentTarget.select()}
          onCopy={succeed}
        />
        <Button kind="primary" icon={state.value === "copied" ? "check" : undefined} onClick={run}>
          {state.value === "copied" ? copied : copy}
        </Button>
      </div>
      {state.value === "failed" ? <p class="field-hint" role="alert">{failed}</p> : null}
    </div>
  )
}
