import { useSignal } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { Field } from "../components/Field.tsx"
import { common } from "../foundation/common.ts"
import { line } from "../foundation/sendable.ts"
import { makeFieldErrors } from "../owner/fieldErrors.ts"
import { t } from "./texts.ts"

export interface ReplyFormProps {
  /** Who is answered. */
  readonly name: string
  readonly text: string
  readonly onInput: (text: string) => void
  /** Fails as the drive does. */
  readonly onReply: () => Promise<void>
  readonly onCancel: () => void
}

export const ReplyForm = ({ name, onCancel, onInput, onReply, text }: ReplyFormProps) => {
  const isBusy = useSignal(false)
  const errors = useMemo(() => makeFieldErrors(["text"]), [])
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector("textarea")?.focus(), [])
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    if (line(text) === "") return errors.show({ text: t("reviews.replyNeeded") })
    isBusy.value = true
    try {
      await onReply()
    } catch (error) {
      errors.refused(error, () => t("reviews.replyRefused"))
    } finally {
      isBusy.value = false
    }
  }
  return (
    <form ref={form} class="reply-form" noValidate onSubmit={(event: Event) => void submit(event)}>
      <Field
        label={t("reviews.replyTo", { name })}
        name="reply"
        lines={3}
        maxLength={4_000}
        value={text}
        error={errors.of("text")}
        onInput={(value) => {
          onInput(value)
          errors.clear("text")
        }}
      />
      <div class="form-actions">
        <Button kind="primary" type="submit" busy={isBusy.value}>{t("reviews.send")}</Button>
        <Button onClick={onCancel}>{common("common.cancel")}</Button>
      </div>
    </form>
  )
}
