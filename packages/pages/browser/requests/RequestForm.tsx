import type { Client, RequestOf } from "@filedrive/client"
import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { Field } from "../components/Field.tsx"
import { line, lines } from "../foundation/sendable.ts"
import { locale } from "../foundation/texts.ts"
import { makeFieldErrors } from "../owner/fieldErrors.ts"
import { isoTime, localTime } from "../owner/localTime.ts"
import { passwordChange, PasswordFields } from "../owner/PasswordFields.tsx"
import { SavedForm } from "../owner/SavedForm.tsx"
import { ownerText } from "../owner/texts.ts"
import { TimeField } from "../owner/TimeField.tsx"
import { amountOf, bytesOf, type SizeUnit } from "./amount.ts"
import { FolderField } from "./FolderField.tsx"
import { folderPath } from "./folderPath.ts"
import type { FileRequest } from "./requests.ts"
import { SizeField } from "./SizeField.tsx"
import { t } from "./texts.ts"

/** What was changed of a request, or what a new one is made of; `title` is missing only where it stays. */
export type RequestValues = Omit<RequestOf<"updateFileRequest">, "requestId"> & { readonly folder?: string }

export interface RequestFormProps {
  readonly client: Client
  /** Null for a new one. */
  readonly request: FileRequest | null
  readonly action: string
  /** Fails as the drive does. */
  readonly onSave: (values: RequestValues) => Promise<void>
  readonly onCancel: () => void
}

/** What is wrong with each field. */
const sentences = {
  title: () => t("requests.wrong.title"),
  message: () => ownerText("owner.messageWrong"),
  folder: () => t("requests.wrong.folder"),
  expireTime: () => ownerText("owner.expireWrong"),
  maxBytes: () => t("requests.wrong.maxBytes"),
  password: () => ownerText("owner.passwordWrong")
}

const names = ["title", "message", "folder", "expireTime", "maxBytes", "password"] as const

export const RequestForm = ({ action, client, onCancel, onSave, request }: RequestFormProps) => {
  const first = useMemo(() => ({
    title: request?.title ?? "",
    message: request?.message ?? "",
    expire: localTime(request?.expireTime ?? null),
    ...amountOf(request?.maxBytes ?? null, locale)
  }), [])
  const title = useSignal(first.title)
  const message = useSignal(first.message)
  const folder = useSignal("")
  const expire = useSignal(first.expire)
  const amount = useSignal(first.amount)
  const unit = useSignal<SizeUnit>(first.unit)
  const password = useSignal("")
  const isRemoved = useSignal(false)
  const errors = useMemo(() => makeFieldErrors(names), [])

  const wrong = (name: typeof names[number]): string => sentences[name]()

  /** Null where a field is wrong. */
  const read = (): RequestValues | null => {
    const expireTime = isoTime(expire.value)
    const maxBytes = bytesOf(amount.value, unit.value)
    const isSameTime = request !== null && expire.value === first.expire
    const isSameSize = request !== null && amount.value === first.amount && unit.value === first.unit
    const found = {
      ...line(title.value) === "" && { title: t("requests.titleNeeded") },
      ...!isSameTime && (expireTime === undefined || expireTime !== null && Date.parse(expireTime) <= Date.now()) &&
        { expireTime: wrong("expireTime") },
      ...!isSameSize && maxBytes === undefined && { maxBytes: wrong("maxBytes") }
    }
    if (Object.keys(found).length > 0) {
      errors.show(found)
      return null
    }
    const path = folderPath(folder.value)
    const changed = passwordChange(password.value, isRemoved.value)
    return {
      ...title.value !== first.title && { title: line(title.value) },
      ...message.value !== first.message && { message: lines(message.value) || null },
      ...path !== "" && { folder: path },
      ...!isSameTime && { expireTime: expireTime! },
      ...!isSameSize && { maxBytes: maxBytes! },
      ...changed !== undefined && { password: changed }
    }
  }

  const save = async () => {
    const values = read()
    if (values === null) return
    try {
      await onSave(values)
    } catch (error) {
      errors.refused(error, wrong)
    }
  }

  return (
    <SavedForm action={action} onSave={save} onCancel={onCancel}>
      <Field
        label={t("requests.name")}
        name="title"
        hint={t("requests.nameHint")}
        maxLength={200}
        required
        value={title.value}
        error={errors.of("title")}
        onInput={(value) => {
          title.value = value
          errors.clear("title")
        }}
      />
      <Field
        label={ownerText("owner.message")}
        name="message"
        hint={t("requests.messageHint")}
        lines={4}
        maxLength={2_000}
        value={message.value}
        error={errors.of("message")}
        onInput={(value) => {
          message.value = value
          errors.clear("message")
        }}
      />
      {request === null
        ? (
          <FolderField
            client={client}
            value={folder.value}
            error={errors.of("folder")}
            onInput={(value) => {
              folder.value = value
              errors.clear("folder")
            }}
          />
        )
        : null}
      <div class="form-pair">
        <TimeField
          label={ownerText("owner.expire")}
          name="expireTime"
          hint={t("requests.expireHint")}
          value={expire.value}
          error={errors.of("expireTime")}
          onInput={(value) => {
            expire.value = value
            errors.clear("expireTime")
          }}
        />
        <SizeField
          amount={amount}
          unit={unit}
          error={errors.of("maxBytes")}
          onInput={() => errors.clear("maxBytes")}
        />
      </div>
      <PasswordFields
        hasPassword={request?.hasPassword ?? false}
        password={password}
        isRemoved={isRemoved}
        error={errors.of("password")}
        onInput={() => errors.clear("password")}
      />
    </SavedForm>
  )
}
