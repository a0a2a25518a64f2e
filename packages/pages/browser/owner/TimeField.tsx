import { useId } from "preact/hooks"
import { FieldError } from "../components/FieldError.tsx"

export interface TimeFieldProps {
  readonly label: string
  readonly name: string
  readonly hint: string
  readonly value: string
  readonly error: string | undefined
  readonly onInput: (value: string) => void
}

/** A day and a time of day, as the browser asks for them. */
export const TimeField = ({ error, hint, label, name, onInput, value }: TimeFieldProps) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        type="datetime-local"
        max="9999-12-31T23:59"
        value={value}
        aria-invalid={error === undefined ? undefined : "true"}
        aria-describedby={error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
        onInput={({ currentTarget: field }) =>
          // Half of a time is none, and the browser says of it that there is nothing.
          onInput(field.validity.badInput ? "?" : field.value)}
      />
      <p class="field-hint" id={`${id}-hint`}>{hint}</p>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}
