import { useId } from "preact/hooks"
import { FieldError } from "./FieldError.tsx"
import "./field.css"
import "./select.css"

export interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: ReadonlyArray<{ readonly value: Value; readonly text: string; readonly isPath?: boolean }>
  readonly onChange: (value: Value) => void
  /** Why the value can't be taken; undefined while it can. */
  readonly error?: string | undefined
}

/** One of several, with its label and what is wrong with it. */
export const Select = <Value extends string>({ error, label, onChange, options, value }: SelectProps<Value>) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="select">
        <select
          id={id}
          value={value}
          aria-invalid={error === undefined ? undefined : ("true" as const)}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={(event) => onChange(event.currentTarget.value as Value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} dir={option.isPath === true ? "ltr" : undefined}>
              {option.text}
            </option>
          ))}
        </select>
        <svg class="icon" width={18} height={18} viewBox="0 0 24 24" aria-hidden="true">
          <path d="m7 10 5 5 5-5" />
        </svg>
      </div>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}
