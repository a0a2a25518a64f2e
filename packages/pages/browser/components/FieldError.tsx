import { Icon } from "./Icon.tsx"
import "./field.css"

export interface FieldErrorProps {
  /** By which a field names what describes it. */
  readonly id?: string
  /** Nothing is shown where it is undefined. */
  readonly error: string | undefined
}

/** Why what is in a field can't be taken. */
export const FieldError = ({ error, id }: FieldErrorProps) =>
  error === undefined ? null : (
    <p class="field-error" id={id} role="alert">
      <Icon name="warning" size={16} />
      {error}
    </p>
  )
