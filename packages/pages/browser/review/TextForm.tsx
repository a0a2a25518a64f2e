import { useSignal } from "@preact/signals"
import type { ComponentChildren, RefObject } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { FieldError } from "../components/FieldError.tsx"
import { common } from "../foundation/common.ts"
import { line, lines } from "../foundation/sendable.ts"
import type { Reviewing } from "./Reviewing.ts"
import { Signature } from "./Signature.tsx"
import { t } from "./texts.ts"

/** In UTF-16 code units. */
export const textMaxLength = 4_000

/** From here on it is told how much room is left. */
const tellsFrom = 3_800

export interface TextFormProps {
  readonly reviewing: Reviewing
  readonly label: string
  readonly text: string
  readonly onInput: (text: string) => void
  readonly sendLabel: string
  /** Sends it; answers what is wrong with it, or undefined when it was taken. */
  readonly send: () => Promise<string | undefined>
  /** What is asked for when it is empty. */
  readonly emptyError: string
  /** Undefined where it can't be given up. */
  readonly onCancel?: () => void
  /** Whether a name is asked for: not of what has one already. */
  readonly isSigned?: boolean
  readonly field?: RefObject<HTMLTextAreaElement | null>
  readonly onFocus?: () => void
  readonly placeholder?: string
  /** Between the text and its button. */
  readonly children?: ComponentChildren
}

/** A text that somebody writes: a note, a reply, another text of either. */
export const TextForm = (props: TextFormProps) => {
  const { children, emptyError, label, onCancel, onInput, reviewing, sendLabel, text } = props
  const { isSigned = true } = props
  const id = useId()
  const own = useRef<HTMLTextAreaElement>(null)
  const field = props.field ?? own
  const isBusy = useSignal(false)
  const error = useSignal<string | undefined>(undefined)
  const nameError = useSignal<string | undefined>(undefined)

  // Where a form was opened by a button one wants to write.
  useEffect(() => {
    if (onCancel !== undefined) field.current?.focus()
  }, [])

  const submit = async (event?: Event) => {
    event?.preventDefault()
    if (isBusy.peek()) return
    error.value = lines(text) === "" ? emptyError : undefined
    nameError.value = isSigned && line(reviewing.name.peek()) === "" ? t("review.nameNeeded") : undefined
    if (error.value !== undefined) return field.current?.focus()
    if (nameError.value !== undefined) return
    isBusy.value = true
    error.value = await props.send()
    isBusy.value = false
  }
  const left = textMaxLength - text.length
  return (
    <form class="text-form" onSubmit={submit} noValidate>
      <label class="visually-hidden" for={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        rows={2}
        dir="auto"
        value={text}
        maxLength={textMaxLength}
        placeholder={props.placeholder}
        aria-invalid={error.value === undefined ? undefined : "true"}
        aria-describedby={error.value === undefined ? undefined : `${id}-error`}
        onFocus={props.onFocus}
        onInput={(event) => {
          error.value = undefined
          onInput(event.currentTarget.value)
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.isComposing) return
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit(event)
          if (event.key === "Escape") (onCancel ?? (() => field.current?.blur()))()
        }}
      />
      {left <= textMaxLength - tellsFrom
        ? <p class="text-left" role="status">{t("review.left", { count: left })}</p>
        : null}
      <FieldError id={`${id}-error`} error={error.value} />
      {children}
      <div class="text-end">
        {isSigned ? <Signature reviewing={reviewing} error={nameError} /> : <span />}
        <div class="text-actions">
          {onCancel === undefined ? null : <Button kind="quiet" onClick={onCancel}>{common("common.cancel")}</Button>}
          <Button kind="primary" type="submit" busy={isBusy.value}>{sendLabel}</Button>
        </div>
      </div>
    </form>
  )
}
