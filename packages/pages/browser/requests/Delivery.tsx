import { useSignal } from "@preact/signals"
import { Button, IconButton } from "../components/Button.tsx"
import { FileName } from "../components/FileName.tsx"
import { Icon, type IconName } from "../components/Icon.tsx"
import { LongText } from "../components/LongText.tsx"
import { Others } from "../components/Others.tsx"
import { shown, size } from "../foundation/format.ts"
import { keepFocus } from "../foundation/keepFocus.ts"
import { act } from "../owner/act.ts"
import { More } from "../owner/More.tsx"
import { ownerText } from "../owner/texts.ts"
import { Time } from "../owner/Time.tsx"
import { canShow } from "./FileView.tsx"
import type { Drop, DroppedFile, Requests } from "./requests.ts"
import { saveFile } from "./saveFile.ts"
import { t } from "./texts.ts"

/** Files of a delivery that are shown at once, and by which more are. */
const first = 8
const step = 100

const icons: Readonly<Partial<Record<DroppedFile["type"], IconName>>> = {
  Image: "image",
  Video: "video",
  Audio: "sound"
}

interface FileRowProps {
  readonly file: DroppedFile
  readonly requests: Requests
  readonly onView: (file: DroppedFile) => void
}

const FileRow = ({ file, onView, requests }: FileRowProps) => {
  const name = shown(file.fileName)
  return (
    <li class="file">
      <Icon name={icons[file.type] ?? "file"} />
      <div class="file-main">
        <p class="file-name">
          <FileName name={file.fileName} />
        </p>
        <p class="file-size">{size(file.fileSize)}</p>
      </div>
      <div class="file-actions">
        {canShow(file)
          ? <IconButton icon="eye" label={t("requests.view", { name })} onClick={() => onView(file)} />
          : null}
        <IconButton
          icon="download"
          label={t("requests.download", { name })}
          onClick={() => void saveFile(requests, file)}
        />
      </div>
    </li>
  )
}

export interface DeliveryProps {
  readonly drop: Drop
  readonly requests: Requests
  readonly onView: (file: DroppedFile) => void
  /** These ask first. The second: before all that its sender sent is deleted. */
  readonly onDelete: () => void
  readonly onDeleteSender: () => void
}

/** What one visitor sent. */
export const Delivery = ({ drop, onDelete, onDeleteSender, onView, requests }: DeliveryProps) => {
  const { arrivedTime, files, finishTime, note, senderName, viewed } = drop
  const name = shown(senderName)
  const most = useSignal(first)
  const isBusy = useSignal(false)
  const isNew = finishTime !== null && !viewed
  const bytes = files.reduce((sum, { fileSize }) => sum + fileSize, 0)

  const mark = async () => {
    isBusy.value = true
    await act(async () => {
      await requests.client.markDropsViewed({ dropIds: [drop.id] })
      requests.changed()
    })
    await requests.reload()
    isBusy.value = false
    keepFocus(`[data-drop="${drop.id}"] .icon-button, .part-head h2`)
  }

  return (
    <li class="card delivery" data-drop={drop.id} data-new={isNew}>
      <div class="delivery-head">
        <div>
          <h3>
            <Others text={senderName} />
            {isNew ? <span class="item-new">{t("requests.isNew")}</span> : null}
            {finishTime === null ? <span class="status">{t("requests.underWay")}</span> : null}
            <More label={ownerText("owner.moreOf", { name })}>
              <Button kind="risky" icon="trash" onClick={onDeleteSender}>{t("requests.deleteSender", { name })}</Button>
            </More>
          </h3>
          <p class="item-facts">
            <Time iso={finishTime ?? arrivedTime} />
            <span>{t("requests.files", { count: files.length })}</span>
            {bytes === 0 ? null : <span>{size(bytes)}</span>}
          </p>
        </div>
        <div class="delivery-actions">
          {isNew
            ? (
              <Button kind="quiet" icon="check" busy={isBusy.value} onClick={() => void mark()}>
                {t("requests.mark")}
              </Button>
            )
            : null}
          <IconButton icon="trash" label={t("requests.deleteDelivery", { name })} onClick={onDelete} />
        </div>
      </div>
      {note === null ? null : <LongText class="delivery-note" text={shown(note)} />}
      {files.length === 0
        ? <p class="delivery-none">{t("requests.noFiles")}</p>
        : (
          <ul class="files">
            {files.slice(0, most.value).map((file) => (
              <FileRow key={file.id} file={file} requests={requests} onView={onView} />
            ))}
          </ul>
        )}
      {files.length > most.value
        ? (
          <Button kind="quiet" onClick={() => void (most.value += step)}>
            {t("requests.moreFiles", { count: files.length - most.value })}
          </Button>
        )
        : null}
    </li>
  )
}
