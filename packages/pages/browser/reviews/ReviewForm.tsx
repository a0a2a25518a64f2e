import { DriveError, type RequestOf } from "@filedrive/client"
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useMemo } from "preact/hooks"
import { Field } from "../components/Field.tsx"
import { lines } from "../foundation/sendable.ts"
import { makeFieldErrors } from "../owner/fieldErrors.ts"
import { isoTime, localTime } from "../owner/localTime.ts"
import { passwordChange, PasswordFields } from "../owner/PasswordFields.tsx"
import { SavedForm } from "../owner/SavedForm.tsx"
import { ownerText } from "../owner/texts.ts"
import { TimeField } from "../owner/TimeField.tsx"
import type { FileReview } from "./reviews.ts"
import { t } from "./texts.ts"

/** What was changed of a review, or what a new one is made of. */
export type ReviewValues = Omit<RequestOf<"updateFileReview">, "reviewId" | "open">

export interface ReviewFormProps {
  /** Null for a new one. */
  readonly review: FileReview | null
  readonly action: string
  /** Fails as the drive does. */
  readonly onSave: (values: ReviewValues) => Promise<void>
  readonly onCancel: () => void
  /** Whether what is beside these fields can be taken. */
  readonly isReady?: () => boolean
  readonly onFileRefused?: () => void
  /** What comes first. */
  readonly children?: ComponentChildren
}

const names = ["message", "expireTime", "password"] as const

export const ReviewForm = (
  { action, children, isReady = () => true, onCancel, onFileRefused, onSave, review }: ReviewFormProps
) => {
  const first = useMemo(() => ({
    message: review?.message ?? "",
    expire: localTime(review?.expireTime ?? null),
    allowDownload: review?.allowDownload ?? false
  }), [])
  const message = useSignal(first.message)
  const expire = useSignal(first.expire)
  const allowDownload = useSignal(first.allowDownload)
  const password = useSignal("")
  const isRemoved = useSignal(false)
  const errors = useMemo(() => makeFieldErrors(names), [])

  const wrong = (name: typeof names[number]): string =>
    name === "expireTime"
      ? ownerText("owner.expireWrong")
      : ownerText(name === "password" ? "owner.passwordWrong" : "owner.messageWrong")

  /** Null where a field is wrong. */
  const read = (): ReviewValues | null => {
    const expireTime = isoTime(expire.value)
    const isSameTime = review !== null && expire.value === first.expire
    const isWrongTime = !isSameTime &&
      (expireTime === undefined || expireTime !== null && Date.parse(expireTime) <= Date.now())
    if (isWrongTime) errors.show({ expireTime: wrong("expireTime") })
    if (!isReady() || isWrongTime) {
      if (!isWrongTime) errors.show({})
      return null
    }
    const changed = passwordChange(password.value, isRemoved.value)
    return {
      ...message.value !== first.message && { message: lines(message.value) || null },
      ...!isSameTime && { expireTime: expireTime! },
      ...allowDownload.value !== first.allowDownload && { allowDownload: allowDownload.value },
      ...changed !== undefined && { password: changed }
    }
  }

  const save = async () => {
    const values = read()
    if (values === null) return
    try {
      await onSave(values)
    } catch (error) {
      const isOfFile = error instanceof DriveError && review === null &&
        (error.code === "not_found" || error.field === "fileId")
      if (isOfFile) onFileRefused?.()
      else errors.refused(error, wrong)
    }
  }

  return (
    <SavedForm action={action} onSave={save} onCancel={onCancel}>
      {children}
      <Field
        label={ownerText("owner.message")}
        name="message"
        hint={t("reviews.messageHint")}
        lines={4}
        maxLength={2_000}
        value={message.value}
        error={errors.of("message")}
        onInput={(value) => {
          message.value = value
          errors.clear("message")
        }}
      />
      <div class="form-pair">
        <TimeField
          label={ownerText("owner.expire")}
          name="expireTime"
          hint={t("reviews.expireHint")}
          value={expire.value}
          error={errors.of("expireTime")}
          onInput={(value) => {
            expire.value = value
            errors.clear("expireTime")
          }}
        />
        <div class="form-stack">
          <PasswordFields
            hasPassword={review?.hasPassword ?? false}
            password={password}
            isRemoved={isRemoved}
            error={errors.of("password")}
            onInput={() => errors.clear("password")}
          />
        </div>
      </div>
      <label class="check">
        <input
          type="checkbox"
          name="allowDownload"
          checked={allowDownload.value}
          onChange={(event) => void (allowDownload.value = event.currentTarget.checked)}
        />
        <span>{t("reviews.allowDownload")}</span>
      </label>
    </SavedForm>
  )
}
