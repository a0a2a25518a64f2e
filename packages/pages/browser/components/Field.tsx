import { useId } from "preact/hooks"
import { FieldError } from "./FieldError.tsx"
import "./field.css"

export interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  /** Below the field: what it is for. */
  readonly hint?: string
  /** Why the value can't be taken; undefined while it can. */
  readonly error?: string | undefined
  readonly type?: "text" | "password" | "email" | "url" | "search" | "date"
  /** Of how many lines; one that grows is a text area. */
  readonly lines?: number
  readonly maxLength?: number
  readonly required?: boolean
  readonly autocomplete?: string
  readonly autofocus?: boolean
  readonly name?: string
}

/** A field with its label, its hint and what is wrong with it, tied together for screen readers. */
export const Field = (
  { autocomplete, autofocus, error, hint, label, lines = 1, maxLength, name, onInput, required, type = "text", value }:
    FieldProps
) => {
  const id = useId()
  const described = [hint === undefined ? null : `${id}-hint`, error === undefined ? null : `${id}-error`]
    .filter((one) => one !== null)
  const shared = {
    id,
    name,
    value,
    maxLength,
    required,
    autocomplete,
    autofocus,
    "aria-invalid": error === undefined ? undefined : ("true" as const),
    "aria-describedby": described.length === 0 ? undefined : described.join(" ")
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines > 1
        ? (
          <textarea
            {...shared}
            rows={lines}
            dir="auto"
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        )
        : (
          <input
            {...shared}
            type={type as "text"}
            dir="auto"
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        )}
      {hint === undefined ? null : <p class="field-hint" id={`${id}-hint`}>{hint}</p>}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}
