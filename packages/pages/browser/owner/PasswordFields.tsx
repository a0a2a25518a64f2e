import type { Signal } from "@preact/signals"
import { Field } from "../components/Field.tsx"
import { ownerText } from "./texts.ts"

export interface PasswordFieldsProps {
  readonly hasPassword: boolean
  readonly password: Signal<string>
  /** Whether the password that there is goes. */
  readonly isRemoved: Signal<boolean>
  readonly error: string | undefined
  readonly onInput: () => void
}

/** The password of a link: a new one, another one, or none any more. The one that there is nobody can read. */
export const PasswordFields = ({ error, hasPassword, isRemoved, onInput, password }: PasswordFieldsProps) => (
  <>
    {isRemoved.value ? null : (
      <Field
        label={ownerText(hasPassword ? "owner.passwordOther" : "owner.password")}
        name="password"
        // Shown: it is one that is given to others, and none of one's own.
        type="text"
        autocomplete="off"
        maxLength={200}
        hint={ownerText(hasPassword ? "owner.passwordKept" : "owner.passwordHint")}
        value={password.value}
        error={error}
        onInput={(value) => {
          password.value = value
          onInput()
        }}
      />
    )}
    {hasPassword
      ? (
        <label class="check">
          <input
            type="checkbox"
            name="removePassword"
            checked={isRemoved.value}
            onChange={(event) => void (isRemoved.value = event.currentTarget.checked)}
          />
          <span>{ownerText("owner.passwordRemove")}</span>
        </label>
      )
      : null}
  </>
)

/** What a call says of it; undefined: it stays as it is. */
export const passwordChange = (password: string, isRemoved: boolean): string | null | undefined =>
  isRemoved ? null : password === "" ? undefined : password
