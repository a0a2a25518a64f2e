import type { Client } from "@filedrive/client"
import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { FieldError } from "../components/FieldError.tsx"
import { t } from "./texts.ts"

/** Folders that are offered at once. */
const offeredMax = 30

export interface FolderFieldProps {
  readonly client: Client
  readonly value: string
  readonly error: string | undefined
  readonly onInput: (value: string) => void
}

/** Where files land: a path that is typed, with the folders that there are offered. */
export const FolderField = ({ client, error, onInput, value }: FolderFieldProps) => {
  const id = useId()
  const paths = useSignal<ReadonlyArray<string> | null>(null)
  const load = async () => {
    if (paths.value !== null) return
    paths.value = []
    try {
      paths.value = (await client.selectCollections()).folders.map(({ path }) => path)
    } catch {
      // Nothing is offered; it is asked for again the next time.
      paths.value = null
    }
  }
  const wanted = value.trim().toLowerCase()
  const offered = (paths.value ?? []).filter((path) => path.toLowerCase().includes(wanted)).slice(0, offeredMax)
  return (
    <div class="field">
      <label for={id}>{t("requests.folder")}</label>
      <input
        id={id}
        name="folder"
        dir="auto"
        autocomplete="off"
        placeholder="/"
        list={`${id}-list`}
        value={value}
        aria-invalid={error === undefined ? undefined : "true"}
        aria-describedby={error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
        onFocus={() => void load()}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <datalist id={`${id}-list`}>{offered.map((path) => <option key={path} value={path} />)}</datalist>
      <p class="field-hint" id={`${id}-hint`}>{t("requests.folderHint")}</p>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}
