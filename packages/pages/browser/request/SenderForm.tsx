import type { Signal } from "@preact/signals"
import { Field } from "../components/Field.tsx"
import type { Sender } from "./Sender.ts"
import { t } from "./texts.ts"

/** Who sends, and what they have to say. */
export const SenderForm = (
  { nameError, sender }: { readonly sender: Sender; readonly nameError: Signal<string | undefined> }
) => (
  <div class="who">
    <Field
      label={t("request.name")}
      name="name"
      autocomplete="name"
      maxLength={100}
      required
      value={sender.senderName.value}
      error={nameError.value}
      onInput={(value) => {
        sender.senderName.value = value
        nameError.value = undefined
        sender.keep()
      }}
    />
    <Field
      label={t("request.note")}
      name="note"
      hint={t("request.noteHint")}
      lines={3}
      maxLength={2_000}
      value={sender.note.value}
      onInput={(value) => {
        sender.note.value = value
        sender.keep()
      }}
    />
  </div>
)
