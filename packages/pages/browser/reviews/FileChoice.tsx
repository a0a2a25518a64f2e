import type { AnswerOf, Client } from "@filedrive/client"
import { useSignal } from "@preact/signals"
import { useEffect, useId, useRef } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { FieldError } from "../components/FieldError.tsx"
import { Icon } from "../components/Icon.tsx"
import { Others } from "../components/Others.tsx"
import { Path } from "../components/Path.tsx"
import { say } from "../foundation/announce.ts"
import { size } from "../foundation/format.ts"
import { refusalText } from "../owner/act.ts"
import { t } from "./texts.ts"

export type ChosenFile = AnswerOf<"searchFiles">["files"][number]

/** Files that are found at once. */
const foundMax = 20

/** What is typed is looked for when it has stayed as it is for so long. */
const pauseMillis = 250

export interface FileChoiceProps {
  readonly client: Client
  readonly chosen: ChosenFile | null
  readonly error: string | undefined
  readonly onChoose: (file: ChosenFile | null) => void
}

const Line = ({ file }: { readonly file: ChosenFile }) => (
  <>
    <Icon name={file.type === "Audio" ? "sound" : "video"} />
    <span class="choice-name">
      <Others text={file.fileName} />
      <span class="choice-facts">
        <span>{size(file.fileSize)}</span>
        {file.folder === null ? null : <Path path={file.folder.path} />}
      </span>
    </span>
  </>
)

/** A video or a track of the drive, found by what it is called. Without a word these are the newest. */
export const FileChoice = ({ chosen, client, error, onChoose }: FileChoiceProps) => {
  const id = useId()
  const text = useSignal("")
  const files = useSignal<ReadonlyArray<ChosenFile> | null>(null)
  const failure = useSignal<string | null>(null)
  const asked = useRef<AbortController | null>(null)

  const find = async () => {
    asked.current?.abort()
    const { signal } = asked.current = new AbortController()
    try {
      const wanted = text.value.trim()
      const { files: found } = await client.searchFiles({
        types: ["Video", "Audio"],
        limit: foundMax,
        ...wanted !== "" && { text: wanted }
      }, { signal })
      files.value = found
      failure.value = null
      if (wanted !== "") say(t("reviews.found", { count: found.length }))
    } catch (cause) {
      if (!signal.aborted) failure.value = refusalText(cause)
    }
  }
  useEffect(() => {
    if (chosen !== null) return
    const timer = setTimeout(() => void find(), text.value === "" ? 0 : pauseMillis)
    return () => clearTimeout(timer)
  }, [text.value, chosen === null])
  useEffect(() => () => asked.current?.abort(), [])

  if (chosen !== null) {
    return (
      <div class="field">
        <span class="field-label" id={id}>{t("reviews.file")}</span>
        <div class="choice-one" role="group" aria-labelledby={id}>
          <Line file={chosen} />
          <Button onClick={() => onChoose(null)}>{t("reviews.chooseOther")}</Button>
        </div>
      </div>
    )
  }
  return (
    <fieldset
      class="field choice"
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend>{t("reviews.file")}</legend>
      <div class="choice-search">
        <Icon name="search" />
        <input
          type="search"
          name="search"
          dir="auto"
          autocomplete="off"
          maxLength={200}
          placeholder={t("reviews.search")}
          aria-label={t("reviews.search")}
          aria-invalid={error === undefined ? undefined : "true"}
          value={text.value}
          onInput={(event) => void (text.value = event.currentTarget.value)}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key === "Enter") event.preventDefault()
          }}
        />
      </div>
      <FieldError id={`${id}-error`} error={error} />
      {failure.value !== null
        ? (
          <p class="choice-none" role="alert">
            {failure.value} <Button icon="retry" onClick={() => void find()}>{t("reviews.searchAgain")}</Button>
          </p>
        )
        : files.value === null
        ? null
        : files.value.length === 0
        ? <p class="choice-none">{text.value.trim() === "" ? t("reviews.noFiles") : t("reviews.notFound")}</p>
        : (
          <ul class="choice-list">
            {files.value.map((file) => (
              <li key={file.id}>
                <button type="button" class="choice-file" onClick={() => onChoose(file)}>
                  <Line file={file} />
                </button>
              </li>
            ))}
          </ul>
        )}
    </fieldset>
  )
}
