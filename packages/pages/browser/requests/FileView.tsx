import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { common } from "../foundation/common.ts"
import { shown } from "../foundation/format.ts"
import type { DroppedFile, Requests } from "./requests.ts"
import { linkOf, saveFile } from "./saveFile.ts"
import { t } from "./texts.ts"

/** Whether a browser may show it. Pages and documents it only saves: they would run on the host's own origin. */
export const canShow = ({ mimeType, type }: DroppedFile): boolean =>
  type === "Image" ? /^image\/(?:avif|bmp|gif|jpeg|png|webp)$/.test(mimeType) : type === "Video" || type === "Audio"

const Media = ({ file, link, onError }: {
  readonly file: DroppedFile
  readonly link: string
  readonly onError: () => void
}) =>
  file.type === "Image"
    ? <img class="view-media" src={link} alt={shown(file.fileName)} onError={onError} />
    : file.type === "Video"
    ? <video class="view-media" src={link} controls autoplay playsInline onError={onError} />
    : <audio class="view-sound" src={link} controls autoplay onError={onError} />

/** Shows a picture, or plays a film or a sound, over the page. */
export const FileView = ({ file, onClose, requests }: {
  readonly requests: Requests
  readonly file: DroppedFile
  readonly onClose: () => void
}) => {
  const link = useSignal<string | null>(null)
  const isUnshown = useSignal(false)
  useEffect(() => {
    let isOpen = true
    void linkOf(requests, file).then((found) => {
      if (!isOpen) return
      if (found === null) onClose()
      else link.value = found
    })
    return () => void (isOpen = false)
  }, [])
  return (
    <div class="view">
      <Dialog
        title={shown(file.fileName)}
        onClose={onClose}
        actions={
          <>
            <Button icon="download" onClick={() => void saveFile(requests, file)}>{t("requests.save")}</Button>
            <Button onClick={onClose}>{common("common.close")}</Button>
          </>
        }
      >
        {isUnshown.value
          ? <p>{t("requests.notShown")}</p>
          : link.value === null
          ? <div class="view-wait" role="status" aria-label={common("common.loading")} />
          : <Media file={file} link={link.value} onError={() => void (isUnshown.value = true)} />}
      </Dialog>
    </div>
  )
}
