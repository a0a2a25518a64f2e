import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { type Chosen, ofDrop, ofList, pasted } from "./Chosen.ts"
import { t } from "./texts.ts"

export interface DropZoneProps {
  /** A small one, where files are in the list already. */
  readonly isSmall: boolean
  readonly onChosen: (chosen: AsyncIterable<Chosen>) => void
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") ?? false

/** Phones have no folders to choose, though some of their browsers say so. */
const canChooseFolders = "webkitdirectory" in HTMLInputElement.prototype && !matchMedia("(pointer: coarse)").matches

/** Text that is pasted where somebody types; programs for texts and tables add a picture of it. */
const isTyped = ({ clipboardData, target }: ClipboardEvent): boolean =>
  (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) &&
  clipboardData?.types.includes("text/plain") === true

/** Files are taken wherever on the page they are dropped or pasted. */
const usePage = (onChosen: DropZoneProps["onChosen"], onOver: (isOver: boolean) => void) => {
  useEffect(() => {
    let leaving: ReturnType<typeof setTimeout> | undefined
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      clearTimeout(leaving)
      onOver(true)
      // Leaving one element for the next one says that it is left, so the silence of `dragover` does.
      leaving = setTimeout(() => onOver(false), 300)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      onOver(false)
      onChosen(ofDrop(event.dataTransfer!))
    }
    const paste = (event: ClipboardEvent) => {
      const files = [...event.clipboardData?.files ?? []]
      if (files.length === 0 || isTyped(event)) return
      event.preventDefault()
      onChosen(ofList(pasted(files, new Date())))
    }
    document.addEventListener("dragover", over)
    document.addEventListener("drop", drop)
    document.addEventListener("paste", paste)
    return () => {
      document.removeEventListener("dragover", over)
      document.removeEventListener("drop", drop)
      document.removeEventListener("paste", paste)
    }
  }, [onChosen])
}

const Picker = (
  { id, isFolder, onChosen }: { readonly id: string; readonly isFolder: boolean } & Pick<DropZoneProps, "onChosen">
) => (
  <input
    id={id}
    type="file"
    multiple
    hidden
    {...isFolder && { webkitdirectory: true }}
    onChange={(event) => {
      const { currentTarget: field } = event
      onChosen(ofList([...field.files ?? []]))
      // The same file can be chosen again.
      field.value = ""
    }}
  />
)

export const DropZone = ({ isSmall, onChosen }: DropZoneProps) => {
  const isOver = useSignal(false)
  const zone = useRef<HTMLDivElement>(null)
  usePage(onChosen, (value) => void (isOver.value = value))
  const open = (id: string) => zone.current?.querySelector<HTMLInputElement>(`#${id}`)?.click()
  return (
    <div class={`zone${isSmall ? " zone-small" : ""}${isOver.value ? " zone-over" : ""}`} ref={zone}>
      <Picker id="files" isFolder={false} onChosen={onChosen} />
      {canChooseFolders ? <Picker id="folder" isFolder onChosen={onChosen} /> : null}
      {isSmall ? null : (
        <>
          <span class="zone-mark">
            <Icon name="upload" size={28} />
          </span>
          <p class="zone-title">{isOver.value ? t("request.dropNow") : t("request.drop")}</p>
          <p class="zone-or">{t("request.dropOr")}</p>
        </>
      )}
      <div class="zone-buttons">
        <Button icon={isSmall ? "plus" : "file"} onClick={() => open("files")}>
          {isSmall ? t("request.addMore") : t("request.choose")}
        </Button>
        {canChooseFolders
          ? <Button kind="quiet" icon="folder" onClick={() => open("folder")}>{t("request.chooseFolder")}</Button>
          : null}
      </div>
    </div>
  )
}
