import { useSignal } from "@preact/signals"
import { common } from "../foundation/common.ts"
import { Button } from "./Button.tsx"
import { Field } from "./Field.tsx"
import { Icon } from "./Icon.tsx"
import "./gate.css"

/** Asks for the password of a link. `open` returns what is wrong, or undefined when the link is open. */
export const PasswordGate = ({ open }: { readonly open: (password: string) => Promise<string | undefined> }) => {
  const password = useSignal("")
  const error = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const isShown = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    if (password.value === "") return void (error.value = common("common.passwordNeeded"))
    isBusy.value = true
    error.value = await open(password.value)
    isBusy.value = false
  }
  return (
    <section class="gate">
      <div class="gate-mark">
        <Icon name="lock" size={28} />
      </div>
      <h1>{common("common.passwordTitle")}</h1>
      <p class="gate-hint">{common("common.passwordHint")}</p>
      <form onSubmit={submit} noValidate>
        <Field
          label={common("common.password")}
          type={isShown.value ? "text" : "password"}
          autocomplete="off"
          maxLength={200}
          autofocus
          value={password.value}
          onInput={(value) => {
            password.value = value
            error.value = undefined
          }}
          error={error.value}
        />
        <label class="gate-show">
          <input
            type="checkbox"
            checked={isShown.value}
            onChange={(event) => void (isShown.value = event.currentTarget.checked)}
          />
          {common("common.passwordShow")}
        </label>
        <Button kind="primary" type="submit" busy={isBusy.value}>{common("common.open")}</Button>
      </form>
    </section>
  )
}
