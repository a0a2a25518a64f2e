import { DriveError } from "@filedrive/client"
import { useSignal } from "@preact/signals"
import { useEffect, useId, useMemo } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { Field } from "../components/Field.tsx"
import { FieldError } from "../components/FieldError.tsx"
import { Select } from "../components/Select.tsx"
import { common } from "../foundation/common.ts"
import { codeOf, sentenceOf } from "../foundation/failure.ts"
import { pathText } from "../foundation/format.ts"
import { settings } from "../foundation/settings.ts"
import type { Connections, Permission } from "./Connections.ts"
import { t } from "./texts.ts"
import { endOf, type Life, lives, tomorrow } from "./tokenLife.ts"

const permissions: ReadonlyArray<Permission> = [
  "read",
  "add",
  "organize",
  "share",
  "delete",
  "generate",
  ...settings.hasAgent ? ["agent" as const] : []
]

type Errors = Partial<Record<"name" | "may" | "folder" | "ends" | "all", string>>

/** What the drive refuses, beside the field that it is about. */
const errorsOf = (error: unknown): Errors => {
  const field = error instanceof DriveError ? error.field : undefined
  if (codeOf(error) === "not_found") return { folder: t("connections.tokenFolderGone") }
  if (field === "name") return { name: t("connections.tokenNameWrong") }
  if (field === "expireTime") return { ends: t("connections.tokenEndsWrong") }
  return { all: sentenceOf(error) }
}

const May = ({ all, chosen, error, onAll, onChosen }: {
  readonly all: boolean
  readonly chosen: ReadonlyArray<Permission>
  readonly error: string | undefined
  readonly onAll: (all: boolean) => void
  readonly onChosen: (chosen: ReadonlyArray<Permission>) => void
}) => {
  const id = useId()
  return (
    <fieldset class="may" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend>{t("connections.tokenMay")}</legend>
      <label class="choice">
        <input type="radio" name="may" checked={all} onChange={() => onAll(true)} />
        <span>{t("connections.tokenAll")}</span>
      </label>
      <label class="choice">
        <input type="radio" name="may" checked={!all} onChange={() => onAll(false)} />
        <span>{t("connections.tokenSome")}</span>
      </label>
      <div class="may-some">
        {permissions.map((one) => (
          <label class="choice" key={one}>
            <input
              type="checkbox"
              name={one}
              disabled={all}
              checked={all || chosen.includes(one)}
              onChange={(event) =>
                onChosen(
                  permissions.filter((each) => each === one ? event.currentTarget.checked : chosen.includes(each))
                )}
            />
            <span>{t(`connections.permission.${one}`)}</span>
          </label>
        ))}
      </div>
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  )
}

export interface NewTokenProps {
  readonly connections: Connections
  readonly onClose: () => void
  readonly onMade: (text: string) => void
}

export const NewToken = ({ connections, onClose, onMade }: NewTokenProps) => {
  const name = useSignal("")
  const isAll = useSignal(false)
  const chosen = useSignal<ReadonlyArray<Permission>>(["read"])
  const folder = useSignal("")
  const life = useSignal<Life>("year")
  const day = useSignal(tomorrow())
  const errors = useSignal<Errors>({})
  const isBusy = useSignal(false)
  const form = useId()
  // The same however often it is sent: then it is one token, also when an answer was lost.
  const begun = useMemo(() => Date.now(), [])
  useEffect(() => void connections.readFolders(), [])

  /** What is wrong is in sight: on a phone the form is longer than the screen. */
  const refuse = (found: Errors): void => {
    errors.value = found
    requestAnimationFrame(() =>
      document.getElementById(form)?.querySelector(".field-error")?.scrollIntoView({ block: "center" })
    )
  }

  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    const expireTime = endOf(life.value, day.value, begun)
    const found: Errors = {
      ...name.value.trim() === "" && { name: t("connections.tokenNameNeeded") },
      ...!isAll.value && chosen.value.length === 0 && { may: t("connections.tokenMayNeeded") },
      ...expireTime === undefined && { ends: t("connections.tokenEndsWrong") }
    }
    if (Object.keys(found).length > 0 || expireTime === undefined) return refuse(found)
    isBusy.value = true
    try {
      onMade(
        await connections.makeToken({
          name: name.value.trim(),
          permissions: isAll.value ? null : chosen.value,
          folder: folder.value === "" ? null : folder.value,
          expireTime
        })
      )
    } catch (error) {
      refuse(errorsOf(error))
    }
    isBusy.value = false
  }

  return (
    <Dialog
      title={t("connections.newToken")}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common("common.cancel")}</Button>
          <Button kind="primary" type="submit" form={form} busy={isBusy.value}>{t("connections.makeToken")}</Button>
        </>
      }
    >
      <form class="new-token" id={form} onSubmit={submit} noValidate>
        <Field
          label={t("connections.tokenName")}
          hint={t("connections.tokenNameHint")}
          name="name"
          maxLength={200}
          autocomplete="off"
          autofocus
          value={name.value}
          error={errors.value.name}
          onInput={(value) => {
            name.value = value
            errors.value = {}
          }}
        />
        <May
          all={isAll.value}
          chosen={chosen.value}
          error={errors.value.may}
          onAll={(all) => void (isAll.value = all)}
          onChosen={(some) => void (chosen.value = some)}
        />
        <Select
          label={t("connections.tokenWhere")}
          value={folder.value}
          options={[
            { value: "", text: t("connections.whole") },
            ...[...connections.folders.value].map(([value, path]) => ({ value, text: pathText(path), isPath: true }))
          ]}
          error={errors.value.folder}
          onChange={(value) => void (folder.value = value)}
        />
        <Select
          label={t("connections.tokenEnds")}
          value={life.value}
          options={lives.map((value) => ({ value, text: t(`connections.tokenLife.${value}`) }))}
          error={life.value === "date" ? undefined : errors.value.ends}
          onChange={(value) => void (life.value = value)}
        />
        {life.value === "date"
          ? (
            <Field
              label={t("connections.tokenOn")}
              type="date"
              value={day.value}
              error={errors.value.ends}
              onInput={(value) => void (day.value = value)}
            />
          )
          : null}
        <FieldError error={errors.value.all} />
      </form>
    </Dialog>
  )
}
